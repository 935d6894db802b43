// States of runs for the tests of what the page says about them: those that the golden runs have recorded
// (tests/golden/runs), and states of every preset with the metrics of tests/page/states: before the first unit, while
// it learns, and when the goal is reached.

import { readFileSync, readdirSync } from "node:fs";
import { defaults } from "../../www/core/draft";
import { readHeader } from "../../www/core/checkpoint";
import { presetSettings } from "../../www/core/presets";
import type { Run } from "../../www/core/run";
import { Series } from "../../www/core/series";
import { newNote } from "../../www/core/store";
import type { Settings } from "../../www/core/values";
import { LABS } from "../../www/generated/labs";
import type { Change, JsonValue, LabInfo } from "../../www/generated/protocol";
import { statesOf, type Row } from "./lab-states";

export const labs = await Promise.all(LABS.map(({ load }) => load()));

/** What is read of a run, by captions and by suggestions. */
export class FakeRun {
  readonly series: Series;
  settings: Settings;
  changes: Change[] = [];
  pace: number | null = 150;
  diverged = false;
  loaded: LabInfo;
  note = newNote();
  progress = { units: 0, work: 0, unitsWork: 0, running: true };

  constructor(
    readonly name: string,
    readonly lab: LabInfo,
    settings: Settings,
    rows: Row[] = [],
  ) {
    this.loaded = lab;
    this.settings = { ...defaults(lab), ...settings };
    this.series = new Series(lab.about.metrics);
    rows.forEach((row) => this.endUnit(row));
  }

  get run(): Run {
    return this as unknown as Run;
  }

  /** Ends a unit with these metrics. */
  endUnit(row: Row): void {
    this.progress.units += 1;
    this.progress.unitsWork += 4096; // states/control.ts expects the sum of five
    const values = this.lab.about.metrics.map(({ name }) => [row[name] ?? NaN]);
    this.series.append({ units: [this.progress.units], values });
  }

  /** Changes live settings, as the worker reports it. */
  configure(settings: Settings): void {
    const before = Object.fromEntries(Object.keys(settings).map((name) => [name, this.settings[name] as JsonValue]));
    this.changes = [...this.changes, { unit: this.progress.units, before, after: settings }];
    this.settings = { ...this.settings, ...settings };
  }
}

export interface RecordedState {
  kind: "fresh" | "learning" | "learned" | "golden";
  /** A new copy, which a test may change. */
  create: () => FakeRun;
  /** What each unit measures after learning broke; null if the run has not learned. */
  lost: Row | null;
}

/** The states of every preset of a lab, three for each. */
export async function presetStates(lab: LabInfo): Promise<RecordedState[]> {
  const { course } = await statesOf(lab.about.id);
  return lab.about.presets.flatMap((preset) => {
    const settings = { ...defaults(lab), ...presetSettings(preset) };
    const { first, learning, learned, lost } = course(settings);
    const state = (kind: RecordedState["kind"], rows: Row[]): RecordedState => ({
      kind,
      create: () => new FakeRun(`${lab.about.id} ${preset.name}, ${kind}`, lab, settings, rows),
      lost: kind === "learned" ? lost : null,
    });
    return [
      state("fresh", []),
      state("learning", [first, learning]),
      state("learned", [first, learning, learned, learned]),
    ];
  });
}

/** The state of a preset in which the goal is reached. */
export async function learnedState(id: string, preset?: string): Promise<RecordedState & { lab: LabInfo; lost: Row }> {
  const lab = labs.find(({ about }) => about.id === id);
  if (!lab) throw new Error(`there is no lab ${id}`);
  const index = preset === undefined ? 0 : lab.about.presets.findIndex(({ name }) => name === preset);
  const state = (await presetStates(lab))[3 * index + 2];
  if (!state?.lost) throw new Error(`${id} has no preset ${preset}`);
  return { ...state, lab, lost: state.lost };
}

const GOLDEN = new URL("../golden/runs/", import.meta.url);

/** The states in which the golden runs of a lab were saved. */
export function goldenStates(lab: LabInfo): RecordedState[] {
  return readdirSync(GOLDEN)
    .filter((file) => file.endsWith(".safetensors"))
    .flatMap((file) => {
      const bytes = readFileSync(new URL(file, GOLDEN));
      const header = readHeader(bytes);
      if (header?.lab !== lab.about.id) return [];
      const create = () => new FakeRun(`golden run ${file}`, lab, header.config, historyOf(bytes));
      return [{ kind: "golden", create, lost: null } as const];
    });
}

/**
 * The rows of metrics in a checkpoint, a safetensors file: eight bytes with the length of the JSON header, the header,
 * and the tensors, whose offsets count from the end of the header.
 */
function historyOf(bytes: Buffer): Row[] {
  const length = Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.toString("utf8", 8, 8 + length)) as Record<
    string,
    { dtype: string; data_offsets: [number, number] }
  >;
  const columns = Object.entries(header).filter(([key, { dtype }]) => key.startsWith("history/") && dtype === "F64");
  const rows: Row[] = [];
  for (const [key, { data_offsets: offsets }] of columns) {
    const [begin, end] = offsets.map((offset) => 8 + length + offset) as [number, number];
    for (let row = 0; begin + 8 * row < end; row++)
      (rows[row] ??= {})[key.slice("history/".length)] = bytes.readDoubleLE(begin + 8 * row);
  }
  return rows;
}

/** Everything that the page's files for a lab say: its own and those of ui/. */
export function sourcesOf(lab: string): string {
  const files = (folder: string) =>
    readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/^(tour|suggestion|common-suggestions|deeds)/.test(file))
      .map((file) => readFileSync(new URL(`${folder}${file}`, import.meta.url), "utf8"));
  return [...files(`../../www/labs/${lab}/`), ...files("../../www/ui/")].join("\n");
}
