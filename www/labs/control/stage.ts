// The stage: one large world in real time with the current network, apart from training. A visitor pushes it with arrow
// keys, buttons or by dragging.

import { el, hasModifier, listen, svg, takesKeys, write } from "../../core/dom";
import { formatCount } from "../../core/format";
import type { ControlStage } from "../../generated/protocol";
import { ActionProbabilities } from "./action-probabilities";
import { Scene } from "./scene";
import { clamp, type WorldKind, type Point, type State } from "./worlds/world-kind";

/** The strongest push of a visitor, relative to the agent's. */
const STRONGEST = 3;
/** Seconds for which the end of an episode by its time limit is shown. */
const NOTICE_SECONDS = 1.4;

export class ControlStageView {
  readonly element: HTMLElement;
  #scene: Scene;
  #probabilities: ActionProbabilities;
  #band = svg("line", { class: "band" });
  #facts: HTMLElement[] = [];
  #end = el("p", { "aria-hidden": "true" });
  #last: ControlStage | null = null;
  #notice = 0;
  #shown: State | null = null;
  #held = new Set<string>();
  #pointer: Point | null = null;
  #sent = 0;

  constructor(
    readonly kind: WorldKind,
    readonly push: (strength: number) => void,
  ) {
    this.#scene = new Scene(kind);
    this.#probabilities = new ActionProbabilities(kind);
    const { pushing: hold, ends } = kind;
    this.#end.className = `stage-end ${ends ?? ""}`;
    const [left, right] = hold.signs;
    const surface = this.#scene.drawing.element;
    surface.append(this.#band);
    this.element = el(
      "div",
      {
        class: `stage ${kind.world}`,
        role: "group",
        "aria-label": `${kind.name} in real time. Push it with the arrow keys`,
      },
      surface,
      el(
        "div",
        { class: "stage-caption" },
        el("p", { class: "stage-title", text: "One world in real time" }),
        el(
          "p",
          { class: "quiet" },
          "Push it: hold ",
          el("kbd", { text: "←" }),
          " ",
          el("kbd", { text: "→" }),
          ` or drag ${hold.what}`,
        ),
      ),
      el("dl", { class: "stage-facts" }, ...kind.facts.map((fact) => this.#fact(fact))),
      this.#end,
      el(
        "div",
        { class: "stage-controls" },
        this.#button("ArrowLeft", hold.does[0], left),
        this.#probabilities.element,
        this.#button("ArrowRight", hold.does[1], right),
      ),
    );
    this.#listen(surface);
  }

  #fact({ label, help }: WorldKind["facts"][number]): HTMLElement {
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
    listen(button, {
      pointerdown: (event) => {
        button.setPointerCapture(event.pointerId);
        this.#setHeld(key, true);
      },
    });
    const up = () => this.#setHeld(key, false);
    listen(button, { pointerup: up, pointercancel: up, lostpointercapture: up, blur: up, keyup: up });
    listen(button, {
      keydown: (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        event.stopPropagation();
        this.#setHeld(key, true);
      },
    });
    return button;
  }

  #listen(surface: SVGSVGElement): void {
    // A point of the screen in the units of the drawing.
    const point = ({ clientX, clientY }: PointerEvent) =>
      new DOMPoint(clientX, clientY).matrixTransform(surface.getScreenCTM()?.inverse());
    listen(surface, {
      pointerdown: (event) => {
        surface.setPointerCapture(event.pointerId);
        this.#pointer = point(event);
        this.#sendPush();
      },
      pointermove: (event) => {
        if (this.#pointer !== null) this.#pointer = point(event);
      },
    });
    const end = () => {
      this.#pointer = null;
      this.#sendPush();
    };
    listen(surface, { pointerup: end, pointercancel: end, lostpointercapture: end });
    addEventListener("keydown", this.#key);
    addEventListener("keyup", this.#key);
    addEventListener("blur", this.#releaseAll);
  }

  destroy(): void {
    removeEventListener("keydown", this.#key);
    removeEventListener("keyup", this.#key);
    removeEventListener("blur", this.#releaseAll);
    this.#releaseAll();
  }

  #key = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const down = event.type === "keydown";
    if (down && (takesKeys(event.target) || hasModifier(event))) return;
    if (down) event.preventDefault();
    this.#setHeld(event.key, down);
  };

  #releaseAll = (): void => {
    for (const key of [...this.#held]) this.#setHeld(key, false);
    this.#pointer = null;
    this.#sendPush();
  };

  #setHeld(key: string, down: boolean): void {
    if (down === this.#held.has(key)) return;
    if (down) this.#held.add(key);
    else this.#held.delete(key);
    for (const button of this.element.querySelectorAll(`.push.${key}`)) button.classList.toggle("down", down);
    this.#sendPush();
  }

  /** The push that the visitor currently asks for. */
  #requestedPush(): number {
    const { keyStrength: key, pushSign } = this.kind;
    let push = 0;
    if (this.#held.has("ArrowLeft")) push -= key * pushSign;
    if (this.#held.has("ArrowRight")) push += key * pushSign;
    if (this.#pointer && this.#shown) push += this.#scene.drawing.pull(this.#shown, this.#pointer).strength;
    return clamp(Math.round(push * 50) / 50, STRONGEST);
  }

  #sendPush(): void {
    const push = this.#requestedPush();
    if (push === this.#sent) return;
    this.#sent = push;
    this.push(push);
  }

  /** Draws a state, and returns the interpolated state that is seen. */
  draw(stage: ControlStage, state: State, probabilities: State, seconds: number): State {
    this.#shown = this.#scene.draw(stage, state, seconds);
    this.#sendPush();
    this.#drawBand(this.#shown);
    this.#showEnd(stage, seconds);
    this.#probabilities.draw(stage, probabilities);
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

  /** Shows how an episode ended, or that its time limit was reached. */
  #showEnd(stage: ControlStage, seconds: number): void {
    const { ends, ended, limit } = this.kind;
    const last = this.#last;
    this.#last = stage;
    this.#notice -= seconds;
    if (stage.over) write(this.#end, ended.stage(formatCount(stage.steps, "step")));
    else if (last && ends === "goal" && !last.over && stage.episode === last.episode + 1 && last.steps > 0.9 * limit) {
      write(this.#end, `Its ${limit} steps are over`);
      this.#notice = NOTICE_SECONDS;
    }
    this.#end.classList.toggle("shown", stage.over || this.#notice > 0);
    this.#end.classList.toggle("good", stage.over && ends === "goal");
    this.#end.classList.toggle("bad", stage.over && ends === "fall");
  }
}
