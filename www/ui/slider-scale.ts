// Converts positions of a slider to values of a setting and back. Steps are equal, or in equal ratios if the schema
// says so or the range is wide. On a ratio scale, zero is the first position if it is allowed.

import type { Field } from "../generated/protocol";

const NOTCHES = 240;
/** The smallest value above zero on a ratio scale is so many decades below the largest. */
const DECADES = 6;

export class SliderScale {
  readonly notches: number;
  #min: number;
  #max: number;
  #integer: boolean;
  #ratio: boolean;
  #low: number;

  constructor(field: Extract<Field, { kind: "integer" | "number" }>) {
    this.#min = field.min;
    this.#max = field.max;
    this.#integer = field.kind === "integer";
    const wide = field.min >= 0 && field.max - field.min > 1000;
    this.#ratio = field.min >= 0 && (field.log || wide);
    const above = this.#integer ? 1 : this.#max / 10 ** DECADES;
    this.#low = field.min > 0 ? field.min : above;
    const steps = field.max - field.min;
    this.notches = this.#integer && !this.#ratio && steps <= NOTCHES ? steps : NOTCHES;
  }

  value(notch: number): number {
    if (notch <= 0) return this.#min;
    if (notch >= this.notches) return this.#max;
    if (!this.#ratio) return this.#round(this.#min + ((this.#max - this.#min) * notch) / this.notches);
    const first = this.#min === 0 ? 1 : 0;
    const share = (notch - first) / (this.notches - first);
    return this.#round(this.#low * (this.#max / this.#low) ** share);
  }

  notch(value: number): number {
    if (value <= this.#min) return 0;
    if (!this.#ratio) return Math.round(((value - this.#min) / (this.#max - this.#min)) * this.notches);
    const first = this.#min === 0 ? 1 : 0;
    const share = Math.log(Math.max(value, this.#low) / this.#low) / Math.log(this.#max / this.#low);
    return Math.round(first + share * (this.notches - first));
  }

  /** Rounds to what a person would type: whole numbers, or a few digits. */
  #round(value: number): number {
    const rounded = this.#ratio ? Number(value.toPrecision(2)) : Number(value.toPrecision(3));
    const fitting = Math.min(this.#max, Math.max(this.#min, rounded));
    return this.#integer ? Math.round(fitting) : fitting;
  }
}
