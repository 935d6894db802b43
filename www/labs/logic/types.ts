// Stand-in for the generated types.

export type Experiment = "life" | "checkerboard" | "async" | "figure" | "letter";

export type LogicCommand =
  | { type: "play"; playing: boolean }
  | { type: "pace"; rate: number }
  | { type: "step" }
  | { type: "restart" }
  | { type: "scramble" }
  | { type: "clear" }
  | { type: "wound"; x: number; y: number; radius: number }
  | { type: "paint"; x: number; y: number; radius: number; on: boolean }
  | { type: "size"; multiple: number }
  | { type: "fireRate"; rate: number }
  | { type: "cell"; x: number; y: number }
  | { type: "target"; planes: string }
  | { type: "have"; wiring: number; circuit: number }
  | { type: "export"; format: LogicFormat }
  | { type: "taken" };

export type LogicFormat = "verilog" | "c" | "wgsl" | "json";

export type LogicView = {
  experiment: Experiment;
  epochs: number;
  size: number;
  target: Uint8Array;
  ownTarget: boolean;
  stage: LogicStage;
  gates: LogicGates;
  wiringVersion: number;
  wiring: LogicWiring | null;
  circuitVersion: number;
  circuit: LogicCircuit | null;
  lit: Uint8Array;
  rule: Uint8Array;
  exported: LogicExport | null;
};

export type LogicStage = {
  width: number;
  height: number;
  multiple: number;
  periodic: boolean;
  shown: number;
  soft: Uint8Array;
  hard: Uint8Array;
  target: Uint8Array;
  wrongHard: number;
  wrongSoft: number;
  step: number;
  steps: number;
  playing: boolean;
  pace: number;
  fireRate: number;
  cell: [number, number];
};

export type LogicGates = {
  layers: number[];
  perceptionLayers: number;
  kinds: Uint8Array;
  sure: Uint8Array;
  counts: number[];
};

export type LogicWiring = { channels: number; kernels: number; pairs: number[] };

export type LogicCircuit = {
  channels: number;
  before: number;
  kinds: number[];
  wires: [number, number][];
  levels: number[];
  outputs: number[];
  inputs: number[];
};

export type LogicExport = { name: string; text: string };
