// The cards above the cube: which cube it is. Two choose the puzzle of a run, the third a 3×3×3 that the visitor
// enters.

import "./cards.css";
import { svg } from "../../core/dom";
import { choiceCard, Choices } from "../../ui/choices";

/** The puzzles, and a cube that the visitor has entered. */
export type Card = "2x2x2" | "3x3x3" | "own";

const CARDS: { value: Card; name: string; task: string; size: number }[] = [
  { value: "2x2x2", name: "2x2x2", task: "Tests try all 3,674,160 states.", size: 2 },
  { value: "3x3x3", name: "3x3x3", task: "43 quintillion states, a few tested.", size: 3 },
  { value: "own", name: "Your cube", task: "Enter the colours of your 3x3x3.", size: 3 },
];

/** Side of the square face in a card's picture, and the gap between two stickers. */
const [FACE_SIZE, STICKER_GAP] = [24, 2];

/** A press on "Your cube" asks for the cube again. */
export function cubeCards(choose: (card: Card) => void): Choices<Card> {
  const choices = CARDS.map(({ value, name, task, size }) => ({
    value,
    content: choiceCard(facePicture(size, value === "own"), name, task),
  }));
  return new Choices({
    class: "choices cube-cards",
    buttonClass: "choice",
    label: "Cube",
    choices,
    choose,
    repeats: (card) => card === "own",
    radio: true,
  });
}

/** A face of the cube. That of the visitor's own one is a pattern. */
function facePicture(size: number, own: boolean): SVGSVGElement {
  const step = (FACE_SIZE + STICKER_GAP) / size;
  const stickers = Array.from({ length: size * size }, (_, i) =>
    svg("rect", {
      x: (i % size) * step,
      y: Math.floor(i / size) * step,
      width: step - STICKER_GAP,
      height: step - STICKER_GAP,
      rx: 1.5,
      class: own && i % 2 === 0 ? "cube-card-pale" : "",
    }),
  );
  const viewBox = `0 0 ${FACE_SIZE} ${FACE_SIZE}`;
  return svg("svg", { viewBox, class: "choice-sign", "aria-hidden": "true" }, ...stickers);
}
