// The logic lab in the gallery: noise that turns into order from left to right, or the two grids of the running run.

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
  // The grid has a size only after it has been added to the page.
  requestAnimationFrame(() => {
    still.draw({ width: WIDTH, height: HEIGHT, shown: 1, values: growing(), full: 255 }, {}, 1);
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

/** A checkerboard that gets clearer from left to right. */
function growing(): Uint8Array {
  const cells = new Uint8Array(WIDTH * HEIGHT);
  let dice = 7;
  for (let i = 0; i < cells.length; i++) {
    dice = (dice * 1103515245 + 12345) % 2147483648;
    const [x, y] = [i % WIDTH, Math.floor(i / WIDTH)];
    const board = ((x >> 1) + (y >> 1)) % 2;
    const noise = dice / 2147483648;
    const sure = Math.min(1, Math.max(0, (x - 4) / (WIDTH - 16)));
    cells[i] = 255 * (noise < sure ? board : sure > 0.5 ? board * 0.6 + noise * 0.4 : noise);
  }
  return cells;
}
