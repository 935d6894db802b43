// The sixteen gates of two inputs. A kind's number is its truth table: the answer to (0, 0) counts 8, to (0, 1) 4, to
// (1, 0) 2, to (1, 1) 1.

import { svg } from "../../core/dom";

/** The gate that hands on its first input, which is what all gates are at first. */
export const PASS = 3;

/** Short names, as on a drawing; `a` and `b` are a gate's inputs. */
export const NAMES = [
  "0",
  "a and b",
  "a, not b",
  "a",
  "b, not a",
  "b",
  "a xor b",
  "a or b",
  "nor",
  "a = b",
  "not b",
  "a or not b",
  "not a",
  "b or not a",
  "nand",
  "1",
] as const;

/** Signs of the same, for a gate with little room. */
export const SIGNS = ["0", "∧", "↛", "a", "↚", "b", "⊕", "∨", "⊽", "≡", "¬b", "←", "¬a", "→", "⊼", "1"] as const;

/** What a gate of a kind answers. */
function answer(kind: number, a: number, b: number): number {
  return (kind >> (3 - 2 * a - b)) & 1;
}

/** The truth table as four fields, a downwards and b to the right: filled where the answer is one. */
export function glyph(kind: number): SVGSVGElement {
  const field = (a: number, b: number) =>
    svg("rect", {
      x: 1 + 7 * b,
      y: 1 + 7 * a,
      width: 6,
      height: 6,
      rx: 1.5,
      class: answer(kind, a, b) ? "on" : "off",
    });
  const fields = [field(0, 0), field(0, 1), field(1, 0), field(1, 1)];
  return svg("svg", { viewBox: "0 0 15 15", class: "kind-glyph", "aria-hidden": "true" }, ...fields);
}
