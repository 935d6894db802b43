// The sixteen kinds of two-input logic gates, with inputs a and b. The number of a kind is its truth table: the results
// for (a, b) = (0, 0), (0, 1), (1, 0) and (1, 1) are its bits 8, 4, 2 and 1. The numbers are those of `GateKind`
// (crates/labs/logic/src/circuit/gate.rs).

import { svg } from "../../core/dom";

/** The kinds that pass their first or their second input on. Every gate starts as one of them. */
const PLAIN_WIRES = [3, 5];

export function isPlainWire(kind: number): boolean {
  return PLAIN_WIRES.includes(kind);
}

/** How many gates are no longer plain wires, of `all`. `counts[kind]` is the number of gates of a kind. */
export function changedGates(counts: number[]): { changed: number; all: number } {
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
  return { changed: sum(counts.filter((_, kind) => !isPlainWire(kind))), all: sum(counts) };
}

/** Names by kind. */
export const GATE_NAMES = [
  "0",
  "a and b",
  "a and not b",
  "a",
  "b and not a",
  "b",
  "a xor b",
  "a or b",
  "nor",
  "xnor",
  "not b",
  "a or not b",
  "not a",
  "b or not a",
  "nand",
  "1",
] as const;

/** Symbols by kind, where a name does not fit. */
export const GATE_SYMBOLS = ["0", "∧", "↛", "a", "↚", "b", "⊕", "∨", "⊽", "≡", "¬b", "←", "¬a", "→", "⊼", "1"] as const;

/** The output of a gate for the inputs a and b. */
function evaluate(kind: number, a: number, b: number): number {
  // The result for (0, 0) is the highest of the four bits, that for (1, 1) the lowest.
  return (kind >> (3 - 2 * a - b)) & 1;
}

/** A picture of the truth table: four squares, a downwards and b to the right, filled where the result is 1. */
export function truthTable(kind: number): SVGSVGElement {
  const square = (a: number, b: number) =>
    svg("rect", {
      x: 1 + 7 * b,
      y: 1 + 7 * a,
      width: 6,
      height: 6,
      rx: 1.5,
      class: evaluate(kind, a, b) ? "on" : "off",
    });
  const squares = [square(0, 0), square(0, 1), square(1, 0), square(1, 1)];
  return svg("svg", { viewBox: "0 0 15 15", class: "kind-glyph", "aria-hidden": "true" }, ...squares);
}
