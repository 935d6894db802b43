// The board as one SVG element: field, points and trays, with layers for checkers, marks of a visitor's move, arrows
// and dice. On narrow screens it is rotated by a quarter turn. Coordinates and measures are in board-layout.ts.

import { svg, write } from "../../core/dom";
import { reducedMotion } from "../../core/theme";
import { Arrows } from "./arrows";
import { Checkers } from "./checkers";
import { DicePair } from "./dice";
import { BoardLayout, CHECKER_RADIUS, type BoardPoint } from "./board-layout";
import { OFF, SIDES, type Side } from "./position";

/** On screens narrower than this the board is rotated, unless they are wider than high, as small frames are. */
const NARROW_SCREEN = "(max-width: 36rem) and (orientation: portrait)";

/** What marks add to the radius of a checker, by their kind: on a checker, on an empty target, around the cursor. */
const [CHECKER_MARK, TARGET_MARK, CURSOR_MARK] = [1.5, -1, 5];

/** How long the board glows when the run reaches its goal, and at which fraction of that time the most. */
const GLOW_MS = 1400;
const GLOW_PEAK_FRACTION = 0.3;

export class Board {
  layout: BoardLayout;
  readonly element: SVGSVGElement;
  readonly checkers: Checkers;
  readonly dice = new DicePair();
  readonly arrows = new Arrows();
  /** For the doubling cube of a match (match/cube.ts). */
  readonly cubeLayer = svg("g", {});
  #background = svg("g", {});
  #marks = svg("g", { class: "targets" });
  #text = svg("text", { class: "board-words" });
  #narrow = matchMedia(NARROW_SCREEN);

  /** `onRotate` is called when the board has been rotated. */
  constructor(readonly onRotate: () => void) {
    this.layout = new BoardLayout(this.#narrow.matches);
    this.checkers = new Checkers(this.layout);
    this.element = svg(
      "svg",
      { class: "board", role: "img", "aria-label": "The board" },
      this.#background,
      this.checkers.element,
      this.#marks,
      this.arrows.element,
      this.dice.element,
      this.cubeLayer,
      this.#text,
    );
    this.#narrow.addEventListener("change", this.#rotate);
    this.#draw();
  }

  destroy(): void {
    this.#narrow.removeEventListener("change", this.#rotate);
  }

  /** Glows once, unless the visitor wants little motion. */
  glow(): void {
    if (reducedMotion()) return;
    const peak = { boxShadow: "0 0 0 6px var(--learn)", offset: GLOW_PEAK_FRACTION };
    this.element.animate([{}, peak, {}], { duration: GLOW_MS });
  }

  /** Makes room for the doubling cube, or takes it away. */
  showCubeColumn(shown: boolean): void {
    if (shown === this.layout.cubeColumn) return;
    this.layout = new BoardLayout(this.#narrow.matches, shown);
    this.element.setAttribute("viewBox", this.layout.viewBox);
  }

  #rotate = (): void => {
    this.layout = new BoardLayout(this.#narrow.matches, this.layout.cubeColumn);
    this.#draw();
    this.checkers.setLayout(this.layout);
    this.onRotate();
  };

  #draw(): void {
    const { layout } = this;
    this.element.setAttribute("viewBox", layout.viewBox);
    this.element.classList.toggle("standing", layout.rotated);
    const points: SVGElement[] = [];
    for (let point = 1; point <= 24; point++) {
      const corners = layout.point(point).map(({ x, y }) => `${x} ${y}`);
      points.push(
        svg("path", { d: `M${corners.join("L")}Z`, class: point % 2 === 0 ? "point even" : "point odd" }),
        createPointNumber(layout.pointNumber(point), String(point)),
      );
    }
    const field = layout.halves().map((area) => svg("rect", { ...layout.rect(area), rx: 4, class: "field" }));
    const trays = SIDES.map((side) => svg("rect", { ...layout.rect(layout.tray(side)), rx: 8, class: "tray" }));
    this.#background.replaceChildren(...field, ...trays, ...points);
    const { x, y } = layout.centre();
    this.#text.setAttribute("x", String(x));
    this.#text.setAttribute("y", String(y));
  }

  /** Shows a text in the centre of the board. An empty text removes it. */
  showText(text: string): void {
    write(this.#text, text);
  }

  /**
   * Marks what a visitor can do, in the numbering of `side`: the places with a movable checker (`sources`), the place
   * whose checker has been picked, its `targets`, and the place under the keyboard's cursor.
   */
  mark(side: Side, sources: number[], picked: number | null, targets: number[], cursor: number | null): void {
    const { layout, checkers } = this;
    const counts = checkers.position[side];
    const marks: SVGElement[] = [];
    const ring = (place: number, kind: string) => {
      const count = Math.max(1, counts[place] as number);
      const { x, y } = layout.checker(side, place, count - 1, count);
      marks.push(svg("circle", { cx: x, cy: y, r: CHECKER_RADIUS + CHECKER_MARK, class: kind }));
    };
    for (const place of sources) if (place !== picked) ring(place, "mark-source");
    if (picked !== null) ring(picked, "mark-picked");
    for (const place of targets) {
      if (place === OFF) {
        marks.push(svg("rect", { ...layout.rect(layout.tray(side)), rx: 8, class: "mark-tray" }));
        continue;
      }
      // Where the checker would lie after the move.
      const count = (counts[place] as number) + 1;
      const { x, y } = layout.checker(side, place, count - 1, count);
      marks.push(svg("circle", { cx: x, cy: y, r: CHECKER_RADIUS + TARGET_MARK, class: "mark-target" }));
    }
    if (cursor !== null) {
      const onTarget = targets.includes(cursor);
      const count = Math.max(1, (counts[cursor] as number) + (onTarget ? 1 : 0));
      const { x, y } =
        onTarget && cursor === OFF ? layout.trayCentre(side) : layout.checker(side, cursor, count - 1, count);
      marks.push(svg("circle", { cx: x, cy: y, r: CHECKER_RADIUS + CURSOR_MARK, class: "mark-cursor" }));
    }
    this.#marks.replaceChildren(...marks);
  }

  /** Converts a position on the screen to picture coordinates. */
  pointAt({ clientX, clientY }: { clientX: number; clientY: number }): BoardPoint {
    return new DOMPoint(clientX, clientY).matrixTransform(this.element.getScreenCTM()?.inverse());
  }
}

function createPointNumber({ x, y }: BoardPoint, text: string): SVGElement {
  const node = svg("text", { x, y, class: "point-number" });
  node.textContent = text;
  return node;
}
