// The board: field, points and trays, with layers for targets, checkers, arrows and dice. On narrow screens it is
// rotated.

import { svg, write } from "../../core/dom";
import { Arrows } from "./arrows";
import { Checkers } from "./checkers";
import { DicePair } from "./dice";
import { BoardLayout, RADIUS, type BoardPoint } from "./board-layout";
import type { Side } from "./position";

/** On screens narrower than this the board is rotated. */
const NARROW = "(max-width: 36rem)";

export class Board {
  layout: BoardLayout;
  readonly element: SVGSVGElement;
  readonly checkers: Checkers;
  readonly dice = new DicePair();
  readonly arrows = new Arrows();
  #ground = svg("g", {});
  #targets = svg("g", { class: "targets" });
  #words = svg("text", { class: "board-words" });
  #narrow = matchMedia(NARROW);

  /** `turned` is called when the board has been rotated; `fixed` boards never are. */
  constructor(
    readonly turned: () => void = () => {},
    fixed = false,
  ) {
    this.layout = new BoardLayout(!fixed && this.#narrow.matches);
    this.checkers = new Checkers(this.layout);
    this.element = svg(
      "svg",
      { class: "board", role: "img", "aria-label": "The board" },
      this.#ground,
      this.checkers.element,
      this.#targets,
      this.arrows.element,
      this.dice.element,
      this.#words,
    );
    if (!fixed) this.#narrow.addEventListener("change", this.#turn);
    this.#draw();
  }

  destroy(): void {
    this.#narrow.removeEventListener("change", this.#turn);
  }

  #turn = (): void => {
    this.layout = new BoardLayout(this.#narrow.matches);
    this.#draw();
    this.checkers.turn(this.layout);
    this.turned();
  };

  #draw(): void {
    const { layout } = this;
    this.element.setAttribute("viewBox", layout.viewBox);
    this.element.classList.toggle("standing", layout.turned);
    const points: SVGElement[] = [];
    for (let place = 1; place <= 24; place++) {
      const corners = layout.point(place).map(({ x, y }) => `${x} ${y}`);
      points.push(
        svg("path", { d: `M${corners.join("L")}Z`, class: place % 2 === 0 ? "point even" : "point odd" }),
        label(layout.number(place), String(place)),
      );
    }
    const field = layout.halves().map((area) => svg("rect", { ...layout.rect(area), rx: 4, class: "field" }));
    const trays = ([0, 1] as const).map((side) =>
      svg("rect", { ...layout.rect(layout.tray(side)), rx: 8, class: "tray" }),
    );
    this.#ground.replaceChildren(...field, ...trays, ...points);
    const { x, y } = layout.centre();
    this.#words.setAttribute("x", String(x));
    this.#words.setAttribute("y", String(y));
  }

  /** Shows a text in the centre of the board; an empty one for none. */
  showText(text: string): void {
    write(this.#words, text);
  }

  /** Marks the places one can move from, the picked place, and the places it can go to. */
  mark(side: Side, sources: number[], picked: number | null, targets: number[], cursor: number | null): void {
    const { layout, checkers } = this;
    const counts = checkers.position[side];
    const marks: SVGElement[] = [];
    const ring = (place: number, kind: string) => {
      const count = Math.max(1, counts[place] as number);
      const { x, y } = layout.checker(side, place, count - 1, count);
      marks.push(svg("circle", { cx: x, cy: y, r: RADIUS + 1.5, class: kind }));
    };
    for (const place of sources) if (place !== picked) ring(place, "mark-source");
    if (picked !== null) ring(picked, "mark-picked");
    for (const place of targets) {
      if (place === 0) {
        marks.push(svg("rect", { ...layout.rect(layout.tray(side)), rx: 8, class: "mark-tray" }));
        continue;
      }
      const count = (counts[place] as number) + 1;
      const { x, y } = layout.checker(side, place, count - 1, count);
      marks.push(svg("circle", { cx: x, cy: y, r: RADIUS - 1, class: "mark-target" }));
    }
    if (cursor !== null) {
      const onTarget = targets.includes(cursor);
      const count = Math.max(1, (counts[cursor] as number) + (onTarget ? 1 : 0));
      const { x, y } =
        onTarget && cursor === 0 ? layout.placeCentre(side, 0) : layout.checker(side, cursor, count - 1, count);
      marks.push(svg("circle", { cx: x, cy: y, r: RADIUS + 5, class: "mark-cursor" }));
    }
    this.#targets.replaceChildren(...marks);
  }

  /** A position on the screen in the coordinates of the picture. */
  pointAt({ clientX, clientY }: { clientX: number; clientY: number }): BoardPoint {
    return new DOMPoint(clientX, clientY).matrixTransform(this.element.getScreenCTM()?.inverse());
  }
}

function label({ x, y }: BoardPoint, text: string): SVGElement {
  const node = svg("text", { x, y, class: "point-number" });
  node.textContent = text;
  return node;
}
