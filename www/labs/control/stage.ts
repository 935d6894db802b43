// The enlarged cart and pole. It runs apart from training, in real time, with the networks as they are
// now; a visitor pulls at the cart with arrow keys, buttons, or by pressing beside it.

import { el, takesKeys, write } from "../../core/dom";
import { whole } from "../../core/format";
import type { Stage } from "../../generated/protocol";
import { METRE, StageDrawing, WIDTH } from "./stage-drawing";

/** What a key or a button pulls with, a metre of rubber band, and the most there is; in newtons. */
const KEY_FORCE = 9;
const BAND_FORCE = 14;
const MOST_FORCE = 30;

export class StageView {
  readonly element: HTMLElement;
  #drawing = new StageDrawing();
  #left = el("span", { class: "odds-left" });
  #leftText = el("span", { class: "num" });
  #rightText = el("span", { class: "num" });
  #value = el("dd", { class: "num" });
  #lasted = el("dd", { class: "num" });
  #best = el("dd", { class: "num" });
  #state: Stage | null = null;
  #held = new Set<string>();
  #pointer: number | null = null;
  #sent = 0;

  constructor(readonly push: (newtons: number) => void) {
    const fact = (label: string, help: string, value: HTMLElement) =>
      el("div", { title: help }, el("dt", { text: label }), value);
    this.element = el(
      "div",
      { class: "stage", role: "group", "aria-label": "One cart-pole in real time; push it with the arrow keys" },
      this.#drawing.element as unknown as HTMLElement,
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
          " or pull the cart",
        ),
      ),
      el(
        "dl",
        { class: "stage-facts" },
        fact("steps up", "Steps of 0.02 seconds since this one began", this.#lasted),
        fact("longest", "The longest it ever lasted in this run", this.#best),
        fact("critic expects", "The critic's guess: steps still to come, later ones counting less", this.#value),
      ),
      el(
        "div",
        { class: "stage-acts" },
        this.#button("ArrowLeft", "Push to the left", "←"),
        el(
          "div",
          { class: "odds", title: "How likely the actor is to push left or right now" },
          el(
            "span",
            { class: "odds-text" },
            el("span", {}, "left ", this.#leftText),
            el("span", { class: "quiet odds-what", text: "what the agent wants to do" }),
            el("span", {}, this.#rightText, " right"),
          ),
          el("span", { class: "odds-bar" }, this.#left),
        ),
        this.#button("ArrowRight", "Push to the right", "→"),
      ),
    );
    this.#listen();
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

  #listen(): void {
    const surface = this.#drawing.element;
    surface.addEventListener("pointerdown", (event) => {
      surface.setPointerCapture(event.pointerId);
      this.#pointer = this.#drawing.along(event.clientX);
      this.#tell();
    });
    surface.addEventListener("pointermove", (event) => {
      if (this.#pointer !== null) this.#pointer = this.#drawing.along(event.clientX);
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

  /** The force a visitor is asking for. */
  #wanted(): number {
    let force = 0;
    if (this.#held.has("ArrowLeft")) force -= KEY_FORCE;
    if (this.#held.has("ArrowRight")) force += KEY_FORCE;
    if (this.#pointer !== null && this.#state) {
      force += ((this.#pointer - WIDTH / 2) / METRE - this.#state.state[0]) * BAND_FORCE;
    }
    return Math.max(-MOST_FORCE, Math.min(MOST_FORCE, Math.round(force * 10) / 10));
  }

  #tell(): void {
    const force = this.#wanted();
    if (force === this.#sent) return;
    this.#sent = force;
    this.push(force);
  }

  draw(stage: Stage, seconds: number): void {
    this.#state = stage;
    this.#tell();
    this.element.classList.toggle("fallen", stage.fallen);
    this.#drawing.draw(stage, this.#pointer, seconds);
    const [left, right] = stage.probabilities;
    write(this.#leftText, percent(left));
    write(this.#rightText, percent(right));
    this.#left.style.transform = `scaleX(${left.toFixed(3)})`;
    write(this.#value, Number.isFinite(stage.value) ? stage.value.toFixed(1) : "–");
    write(this.#lasted, whole(stage.steps));
    write(this.#best, whole(stage.bestSteps));
  }
}

/** A share in percent; a network gone astray has none. */
function percent(share: number): string {
  return Number.isFinite(share) ? `${Math.round(share * 100)}%` : "–";
}
