// The logic lab's picture in the gallery: the two cell grids of the open run. Without an open run, a still picture:
// noise that turns into a checkerboard from left to right.

import { el } from "../../core/dom";
import type { CardPicture } from "../lab-view";
import { CellGrid } from "./cell-grid";
import type { LogicView } from "../../generated/protocol";
import "./card.css";

const [WIDTH, HEIGHT] = [40, 16];

export function logicCard(): CardPicture<LogicView> {
  const [soft, hard] = [new CellGrid(), new CellGrid()];
  const still = new CellGrid();
  const element = el("span", { class: "logic-card still" }, still.element, soft.element, hard.element);
  // The grid has a size only after it has been added to the page. A whole second makes its fading end at once.
  requestAnimationFrame(() => {
    still.draw({ width: WIDTH, height: HEIGHT, shown: 1, values: noiseToOrder(), full: 255 }, {}, 1);
  });
  return {
    element,
    draw(view, seconds) {
      const { stage } = view;
      const { width, height, shown } = stage;
      element.classList.remove("still");
      soft.draw({ width, height, shown, values: stage.soft, full: 255 }, {}, seconds);
      hard.draw({ width, height, shown, values: stage.hard, full: 1 }, {}, seconds);
    },
  };
}

/** Cells (0 to 255) of a checkerboard with squares of 2×2 cells, from noise on the left to order on the right. */
function noiseToOrder(): Uint8Array {
  const cells = new Uint8Array(WIDTH * HEIGHT);
  // A linear congruential generator with a fixed start, so that the picture is always the same.
  let random = 7;
  for (let i = 0; i < cells.length; i++) {
    random = (random * 1103515245 + 12345) % 2147483648;
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    const square = ((x >> 1) + (y >> 1)) % 2;
    const noise = random / 2147483648;
    // The probability that a cell has its colour of the checkerboard: 0 in the first columns, 1 in the last.
    const order = Math.min(1, Math.max(0, (x - 4) / (WIDTH - 16)));
    // The other cells are noise; on the right half they are a mixture of noise and the checkerboard.
    cells[i] = 255 * (noise < order ? square : order > 0.5 ? square * 0.6 + noise * 0.4 : noise);
  }
  return cells;
}
