// The sixteen gates of two inputs. A kind's number is its truth table: the answers to (0, 0), (0, 1), (1, 0) and (1, 1)
// are its bits 8, 4, 2 and 1.

import { svg } from "../../core/dom";

/** The gate that passes its first input on. All gates start as this one. */
export const PASS = 3;

/** Short names; `a` and `b` are the inputs. */
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

/** Signs for gates with little room. */
export const SIGNS = ["0", "∧", "↛", "a", "↚", "b", "⊕", "∨", "⊽", "≡", "¬b", "←", "¬a", "→", "⊼", "1"] as const;

function answer(kind: number, a: number, b: number): number {
  return (kind >> (3 - 2 * a - b)) & 1;
}

/** The truth table as four squares, a downwards and b to the right, filled for a one. */
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
