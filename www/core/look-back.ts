// The unit (training iteration) that the visitor looks back at on the timeline. While there is one, metrics and curves
// show its values instead of the latest.

import { Emitter } from "./events";
import type { Run } from "./run";

export class LookBack extends Emitter<{ changed: number | null }> {
  /** Null while the latest values are shown. */
  unit: number | null = null;
  /** The run in the second worker that is at that unit; null until it has got there. */
  past: Run | null = null;

  constructor(readonly run: Run) {
    super();
  }

  set(unit: number | null): void {
    if (unit === this.unit) return;
    this.unit = unit;
    this.past = null;
    this.emit("changed", unit);
  }

  /** What is shown, such as `iteration 40 of 210, as it was`; empty while the latest values are shown. */
  get label(): string {
    if (this.unit === null) return "";
    return `${this.run.lab?.about.unit ?? "unit"} ${this.unit} of ${this.run.progress.units}, as it was`;
  }
}
