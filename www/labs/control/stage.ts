// The one large world. It runs apart from training, in real time, with the networks as they are now; a visitor
// pushes it with arrow keys, buttons, or by pulling at it.

import { el, svg, takesKeys, write } from "../../core/dom";
import { count } from "../../core/format";
import type { ControlStage as Stage } from "../../generated/protocol";
import { Odds } from "./odds";
import { Scene } from "./scene";
import { clamp, type Kind, type Point, type State } from "./worlds/kind";

/** The strongest push there is, in units of the agent's own. */
const STRONGEST = 3;
/** Seconds one can read that the time of an episode was up. */
const NOTICE_SECONDS = 1.4;

export class StageView {
  readonly element: HTMLElement;
  #scene: Scene;
  #odds: Odds;
  #band = svg("line", { class: "band" });
  #facts: HTMLElement[] = [];
  #end = el("p", { "aria-hidden": "true" });
  #last: Stage | null = null;
  #notice = 0;
  #shown: State | null = null;
  #held = new Set<string>();
  #pointer: Point | null = null;
  #sent = 0;

  constructor(
    readonly kind: Kind,
    readonly push: (strength: number) => void,
  ) {
    this.#scene = new Scene(kind);
    this.#odds = new Odds(kind);
    const { hold, ends } = kind;
    this.#end.className = `stage-end ${ends ?? ""}`;
    const [left, right] = hold.signs;
    const surface = this.#scene.drawing.element;
    surface.append(this.#band);
    this.element = el(
      "div",
      {
        class: `stage ${kind.world}`,
        role: "group",
        "aria-label": `${kind.name} in real time; push it with the arrow keys`,
      },
      surface as unknown as HTMLElement,
      el(
        "div",
        { class: "stage-says" },
        el("p", { class: "stage-title", text: "One world in real time" }),
        el(
          "p",
          { class: "quiet" },
          "Push it: hold ",
          el("kbd", { text: "←" }),
          " ",
          el("kbd", { text: "→" }),
          ` or pull ${hold.what}`,
        ),
      ),
      el("dl", { class: "stage-facts" }, ...kind.facts.map((fact) => this.#fact(fact))),
      this.#end,
      el(
        "div",
        { class: "stage-acts" },
        this.#button("ArrowLeft", hold.does[0], left),
        this.#odds.element,
        this.#button("ArrowRight", hold.does[1], right),
      ),
    );
    this.#listen(surface);
  }

  #fact({ label, help }: Kind["facts"][number]): HTMLElement {
    const value = el("dd", { class: "num" });
    this.#facts.push(value);
    return el("div", { title: help }, el("dt", { text: label }), value);
  }

  #button(key: string, label: string, sign: string): HTMLElement {
    const button = el("button", {
      class: `push ${key}`,
      type: "button",
      "aria-label": label,
      title: label,
      text: sign,
    });
    button.addEventListener("pointerdown", (event) => {
      button.setPointerCapture(event.pointerId);
      this.#hold(key, true);
    });
    for (const up of ["pointerup", "pointercancel", "lostpointercapture", "blur", "keyup"] as const) {
      button.addEventListener(up, () => this.#hold(key, false));
    }
    button.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      this.#hold(key, true);
    });
    return button;
  }

  #listen(surface: SVGSVGElement): void {
    // Where a point of the screen lies in the drawing's own measure.
    const point = ({ clientX, clientY }: PointerEvent) =>
      new DOMPoint(clientX, clientY).matrixTransform(surface.getScreenCTM()?.inverse());
    surface.addEventListener("pointerdown", (event) => {
      surface.setPointerCapture(event.pointerId);
      this.#pointer = point(event);
      this.#tell();
    });
    surface.addEventListener("pointermove", (event) => {
      if (this.#pointer !== null) this.#pointer = point(event);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      surface.addEventListener(end, () => {
        this.#pointer = null;
        this.#tell();
      });
    }
    addEventListener("keydown", this.#key);
    addEventListener("keyup", this.#key);
    addEventListener("blur", this.#drop);
  }

  leave(): void {
    removeEventListener("keydown", this.#key);
    removeEventListener("keyup", this.#key);
    removeEventListener("blur", this.#drop);
    this.#drop();
  }

  #key = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const down = event.type === "keydown";
    if (down && (takesKeys(event.target) || event.ctrlKey || event.altKey || event.metaKey)) return;
    if (down) event.preventDefault();
    this.#hold(event.key, down);
  };

  #drop = (): void => {
    for (const key of [...this.#held]) this.#hold(key, false);
    this.#pointer = null;
    this.#tell();
  };

  #hold(key: string, down: boolean): void {
    if (down === this.#held.has(key)) return;
    if (down) this.#held.add(key);
    else this.#held.delete(key);
    for (const button of this.element.querySelectorAll(`.push.${key}`)) button.classList.toggle("down", down);
    this.#tell();
  }

  /** The push a visitor is asking for. */
  #wanted(): number {
    const { key, way } = this.kind;
    let push = 0;
    if (this.#held.has("ArrowLeft")) push -= key * way;
    if (this.#held.has("ArrowRight")) push += key * way;
    if (this.#pointer && this.#shown) push += this.#scene.drawing.pull(this.#shown, this.#pointer).strength;
    return clamp(Math.round(push * 50) / 50, STRONGEST);
  }

  #tell(): void {
    const push = this.#wanted();
    if (push === this.#sent) return;
    this.#sent = push;
    this.push(push);
  }

  /** Draws it, and gives back the state as it is seen. */
  draw(stage: Stage, state: State, probabilities: State, seconds: number): State {
    this.#shown = this.#scene.draw(stage, state, seconds);
    this.#tell();
    this.#drawBand(this.#shown);
    this.#tellEnd(stage, seconds);
    this.#odds.draw(stage, probabilities);
    this.kind.facts.forEach(({ show }, i) => write(this.#facts[i] as HTMLElement, show(stage, state)));
    return this.#shown;
  }

  #drawBand(state: State): void {
    this.#band.classList.toggle("shown", this.#pointer !== null);
    if (!this.#pointer) return;
    const { from, to } = this.#scene.drawing.pull(state, this.#pointer);
    const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
    for (const [name, value] of Object.entries(ends)) this.#band.setAttribute(name, value.toFixed(1));
  }

  /** Says how an episode ended, or that its time was up. */
  #tellEnd(stage: Stage, seconds: number): void {
    const { ends, ended, limit } = this.kind;
    const last = this.#last;
    this.#last = stage;
    this.#notice -= seconds;
    if (stage.over) write(this.#end, ended.stage(count(stage.steps, "step")));
    else if (last && ends === "goal" && !last.over && stage.episode === last.episode + 1 && last.steps > 0.9 * limit) {
      write(this.#end, `Its ${limit} steps were up`);
      this.#notice = NOTICE_SECONDS;
    }
    this.#end.classList.toggle("shown", stage.over || this.#notice > 0);
    this.#end.classList.toggle("good", stage.over && ends === "goal");
    this.#end.classList.toggle("bad", stage.over && ends === "fall");
  }
}
