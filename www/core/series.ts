// The metrics of a run, in columns as they come. Long runs are thinned to every other row, at the same
// units as the checkpoint's own history. Smoothing is an exponential mean with its start-up bias taken
// out, so the first point is the first value and nothing is pulled towards zero.

import type { Columns, MetricSpec } from "../generated/protocol";

const CAPACITY = 4096;

export class Series {
  units: number[] = [];
  values: number[][];
  private stride = 1;

  constructor(readonly specs: MetricSpec[]) {
    this.values = specs.map(() => []);
  }

  append(columns: Columns): void {
    columns.units.forEach((unit, row) => {
      if (unit % this.stride !== 0) return;
      this.units.push(unit);
      this.values.forEach((column, i) => column.push(columns.values[i]?.[row] ?? NaN));
      if (this.units.length > CAPACITY) this.thin();
    });
  }

  private thin(): void {
    this.stride *= 2;
    const keep = this.units.map((unit) => unit % this.stride === 0);
    this.units = this.units.filter((_, i) => keep[i]);
    this.values = this.values.map((column) => column.filter((_, i) => keep[i]));
  }

  column(name: string): number[] {
    return this.values[this.specs.findIndex((spec) => spec.name === name)] ?? [];
  }

  spec(name: string): MetricSpec | undefined {
    return this.specs.find((spec) => spec.name === name);
  }

  /** The newest measured value, and the row it stands in. */
  last(name: string): number {
    const column = this.column(name);
    for (let i = column.length - 1; i >= 0; i--) {
      const value = column[i] as number;
      if (Number.isFinite(value)) return value;
    }
    return NaN;
  }

  /** True when every loss of the last rows is no number any more: the learner has run away. */
  diverged(rows = 3): boolean {
    const losses = this.specs.flatMap((spec, i) => (spec.better === "lower" ? [i] : []));
    if (losses.length === 0 || this.units.length < rows) return false;
    return losses.every((i) => this.values[i]?.slice(-rows).every((value) => !Number.isFinite(value)));
  }
}

/** Exponential mean over about `span` rows, debiased; gaps (no number) stay gaps in the raw line only. */
export function smooth(values: number[], span: number): (number | null)[] {
  const beta = 1 - 1 / Math.max(1, span);
  let sum = 0;
  let weight = 0;
  return values.map((value) => {
    if (!Number.isFinite(value)) return null;
    sum = beta * sum + (1 - beta) * value;
    weight = beta * weight + (1 - beta);
    return sum / weight;
  });
}

/** Values as a chart wants them: `null` where there is no number. */
export function withGaps(values: number[]): (number | null)[] {
  return values.map((value) => (Number.isFinite(value) ? value : null));
}
