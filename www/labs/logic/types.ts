// Stand-in for the generated types.

import type { LogicCommand as Commands, LogicView as View } from "../../generated/protocol";

export type { LogicExperiment as Experiment, LogicGates, LogicStage, LogicWiring } from "../../generated/protocol";

export type LogicFormat = "verilog" | "c" | "wgsl" | "json";
export type LogicCommand = Commands | { type: "export"; format: LogicFormat } | { type: "taken" };

export type LogicView = View & {
  circuit: LogicCircuit | null;
  lit: LogicLit | null;
  rule: Uint8Array;
  exported: LogicExport | null;
};

export type LogicPin = { channel: number; neighbour: number };
export type LogicOutput = { channel: number; node: number | null; constant: boolean | null };
export type LogicCircuit = {
  version: number;
  inputs: LogicPin[];
  kinds: number[];
  reads: [number, number][];
  levels: number[];
  outputs: LogicOutput[];
  raw: number;
  exact: number;
};
export type LogicLit = { version: number; values: Uint8Array };
export type LogicExport = { name: string; text: string };
