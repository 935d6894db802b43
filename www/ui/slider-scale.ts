// Converts positions of a setting's slider to values and back. Positions (notches) are counted from 0. The scale is
// linear, or logarithmic if the schema says so or the range is wide. If the range begins at zero, which has no place on
// a logarithmic scale, position 0 stands for zero and the logarithmic scale begins at position 1.

import type { Field } from "../generated/protocol";

/** The last position, except for small ranges of integers. */
const LAST_NOTCH = 240;
/** Ranges of non-negative numbers wider than this have a logarithmic scale. */
const WIDE_RANGE = 1000;
/** If the range begins at zero, its lowest value above zero lies this many powers of ten below the maximum. */
const DECADES_FROM_ZERO = 6;

export class SliderScale {
  readonly notches: number;
  #min: number;
  #max: number;
  #integer: boolean;
  #logarithmic: boolean;
  /** The lowest value above zero on a logarithmic scale. */
  #low: number;

  constructor(field: Extract<Field, { kind: "integer" | "number" }>) {
    this.#min = field.min;
    this.#max = field.max;
    this.#integer = field.kind === "integer";
    const isWide = field.min >= 0 && field.max - field.min > WIDE_RANGE;
    this.#logarithmic = field.min >= 0 && (field.log || isWide);
    const lowestAboveZero = this.#integer ? 1 : this.#max / 10 ** DECADES_FROM_ZERO;
    this.#low = field.min > 0 ? field.min : lowestAboveZero;
    const range = field.max - field.min;
    // A small range of integers has a position for each.
    this.notches = this.#integer && !this.#logarithmic && range <= LAST_NOTCH ? range : LAST_NOTCH;
  }

  /** The value at a position. */
  value(notch: number): number {
    if (notch <= 0) return this.#min;
    if (notch >= this.notches) return this.#max;
    if (!this.#logarithmic) return this.#round(this.#min + ((this.#max - this.#min) * notch) / this.notches);
    const first = this.#min === 0 ? 1 : 0; // where the logarithmic scale begins
    const share = (notch - first) / (this.notches - first);
    return this.#round(this.#low * (this.#max / this.#low) ** share);
  }

  /**
   * The value at a position that the slider has reached from the position of `present`. Values are rounded, so that
   * value may be equal to `present` or on its other side. Then the result is the next value in the direction of the
   * move, so that every press of a key has an effect.
   */
  valueFrom(present: number, notch: number): number {
    const direction = Math.sign(notch - this.notch(present));
    let reached = notch;
    const isBehind = () => (this.value(reached) - present) * direction <= 0;
    while (direction !== 0 && isBehind() && reached > 0 && reached < this.notches) {
      reached += direction;
    }
    return this.value(reached);
  }

  /** The position nearest to a value. */
  notch(value: number): number {
    if (value <= this.#min) return 0;
    if (!this.#logarithmic) return Math.round(((value - this.#min) / (this.#max - this.#min)) * this.notches);
    const first = this.#min === 0 ? 1 : 0;
    const share = Math.log(Math.max(value, this.#low) / this.#low) / Math.log(this.#max / this.#low);
    return Math.round(first + share * (this.notches - first));
  }

  /** Rounds to a number that a person would type: a whole one, or one with few digits. */
  #round(value: number): number {
    const rounded = this.#logarithmic ? Number(value.toPrecision(2)) : Number(value.toPrecision(3));
    const clamped = Math.min(this.#max, Math.max(this.#min, rounded));
    return this.#integer ? Math.round(clamped) : clamped;
  }
}
