// The metrics of a run, one row per unit (training iteration) and one column per metric. When there are too many rows,
// only every second one is kept, later every fourth, and so on. A checkpoint thins its history in the same way.

import type { Columns, MetricSpec } from "../generated/protocol";

/** The most rows; the same as in the checkpoint's history. */
export const MAX_ROWS = 4096;

/** Values of a metric where it was measured, with the units of their rows. */
export interface Measurements {
  units: number[];
  values: number[];
}

export class Series {
  units: number[] = [];
  values: number[][];
  /** Rows are kept at multiples of this unit. */
  private stride = 1;

  constructor(
    readonly specs: MetricSpec[],
    readonly maxRows = MAX_ROWS,
  ) {
    this.values = specs.map(() => []);
  }

  append(columns: Columns): void {
    columns.units.forEach((unit, row) => {
      if (unit % this.stride !== 0) return;
      this.units.push(unit);
      this.values.forEach((column, i) => column.push(columns.values[i]?.[row] ?? NaN));
      if (this.units.length > this.maxRows) this.thin();
    });
  }

  /** Drops every second row. */
  private thin(): void {
    this.stride *= 2;
    const keep = this.units.map((unit) => unit % this.stride === 0);
    this.units = this.units.filter((_, i) => keep[i]);
    this.values = this.values.map((column) => column.filter((_, i) => keep[i]));
  }

  /** All values of a metric, NaN where it was not measured. */
  column(name: string): number[] {
    return this.values[this.specs.findIndex((spec) => spec.name === name)] ?? [];
  }

  spec(name: string): MetricSpec | undefined {
    return this.specs.find((spec) => spec.name === name);
  }

  /** The latest measured value at a unit up to `lastUnit`; NaN if there is none. */
  last(name: string, lastUnit = Infinity): number {
    return this.column(name)[this.lastRow(name, lastUnit)] ?? NaN;
  }

  /** The row of the latest measured value at a unit up to `lastUnit`; -1 if there is none. */
  lastRow(name: string, lastUnit = Infinity): number {
    return this.column(name).findLastIndex(
      (value, row) => Number.isFinite(value) && (this.units[row] as number) <= lastUnit,
    );
  }

  /** The measured values of a metric at units up to `lastUnit`. */
  measured(name: string, lastUnit = Infinity): Measurements {
    const column = this.column(name);
    const rows = this.units.flatMap((unit, row) => (unit <= lastUnit && Number.isFinite(column[row]) ? [row] : []));
    return { units: rows.map((row) => this.units[row] as number), values: rows.map((row) => column[row] as number) };
  }

  /** True if training has diverged: in the last `rows` rows, all losses are NaN or infinite. */
  diverged(rows = 3): boolean {
    // Metrics that improve downwards count as losses.
    const losses = this.specs.flatMap((spec, i) => (spec.better === "lower" ? [i] : []));
    if (losses.length === 0 || this.units.length < rows) return false;
    return losses.every((i) => this.values[i]?.slice(-rows).every((value) => !Number.isFinite(value)));
  }
}

/**
 * The name of the metric that holds the margin of error of another metric. By convention `xMargin` belongs to the
 * metric `x`, and `margin` to the lab's first metric.
 */
export function marginName(specs: MetricSpec[], name: string): string | undefined {
  const has = (margin: string) => specs.some((spec) => spec.name === margin);
  if (has(`${name}Margin`)) return `${name}Margin`;
  return name === specs[0]?.name && has("margin") ? "margin" : undefined;
}

/**
 * Exponential moving average over about `span` rows. It is debiased as in Adam (divided by the sum of the weights so
 * far), so that it begins at the first value instead of near zero. Rows without a finite number become null.
 */
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

/** The values as uPlot expects them, with null in place of NaN. */
export function withGaps(values: number[]): (number | null)[] {
  return values.map((value) => (Number.isFinite(value) ? value : null));
}

/** The number of units that two runs have in common, or null if any of their metrics differs in any bit. */
export function unitsInAgreement(a: Series, b: Series): number | null {
  const rows = new Map(b.units.map((unit, row) => [unit, row]));
  let common = 0;
  for (const [row, unit] of a.units.entries()) {
    const other = rows.get(unit);
    if (other === undefined) continue;
    common++;
    // `Object.is` counts NaN, which stands for "not measured", as equal to itself, and tells -0 from 0.
    if (!a.values.every((column, i) => Object.is(column[row], b.values[i]?.[other]))) return null;
  }
  return common;
}
