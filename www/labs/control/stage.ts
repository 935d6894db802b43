// The control lab's stage: one large world in real time, in which the current network acts. It is separate from the
// worlds that the agent learns from. A visitor pushes it with arrow keys, with buttons, or by dragging. Pushes are in
// units of the agent's maximum force or torque; positive means right or counterclockwise.

import { el, hasModifier, isLaidOut, listen, svg, takesKeys, write } from "../../core/dom";
import { formatCount, formatInteger } from "../../core/format";
import { withTerms } from "../../ui/term";
import type { ControlStage } from "../../generated/protocol";
import { ActionProbabilities } from "./action-probabilities";
import { pushButton, type PushKey } from "./push-button";
import { Scene } from "./scene";
import { clamp, type Point, type Readout, type State, type WorldKind } from "./worlds/world-kind";

/** The strongest push of a visitor. */
const MAX_PUSH = 3;
/** Pushes are rounded to multiples of this, so that a trembling pointer does not send a command in each frame. */
const PUSH_RESOLUTION = 0.02;
/** Seconds for which a notice says that the time limit was reached. */
const NOTICE_SECONDS = 1.4;
/**
 * An episode that ended between two views is taken to have reached its time limit if it had lasted at least this
 * fraction of it when last seen.
 */
const NEAR_TIME_LIMIT_FRACTION = 0.9;

export class ControlStageView {
  readonly element: HTMLElement;
  #scene: Scene;
  #probabilities: ActionProbabilities;
  #pullLine = svg("line", { class: "pull-line" });
  #readoutValues: HTMLElement[] = [];
  #endText = el("p", { "aria-hidden": "true" });
  /** The stage as of the previous view. */
  #previous: ControlStage | null = null;
  /** Seconds for which the notice about the time limit stays. */
  #noticeSeconds = 0;
  /** The interpolated state that was drawn last. */
  #shown: State | null = null;
  #heldKeys = new Set<PushKey>();
  /** The pointer during a drag, in units of the drawing. */
  #pointer: Point | null = null;
  /** The push that the lab has been told. */
  #sentPush = 0;

  constructor(
    readonly kind: WorldKind,
    readonly sendPush: (push: number) => void,
  ) {
    this.#scene = new Scene(kind);
    this.#probabilities = new ActionProbabilities(kind);
    const { controls, termination } = kind;
    this.#endText.className = `stage-end ${termination ?? ""}`;
    const surface = this.#scene.drawing.element;
    surface.append(this.#pullLine);
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
        el("p", { class: "stage-title wide", text: "Try the agent in this world" }),
        el("p", {
          class: "stage-touch",
          text: `Push it: hold ${controls.symbols.join(" ")} or drag ${controls.dragged}`,
        }),
        el(
          "p",
          { class: "quiet" },
          "Push it: hold ",
          el("kbd", { text: "←" }),
          " ",
          el("kbd", { text: "→" }),
          ` or drag ${controls.dragged}`,
        ),
      ),
      el("dl", { class: "stage-facts" }, ...kind.readouts.map((readout) => this.#readout(readout))),
      this.#endText,
      el(
        "div",
        { class: "stage-controls" },
        this.#button("ArrowLeft", controls.labels[0], controls.symbols[0]),
        this.#probabilities.element,
        this.#button("ArrowRight", controls.labels[1], controls.symbols[1]),
      ),
    );
    this.#listen(surface);
  }

  /** A number shown beside the drawing. Its value is written in each draw. */
  #readout({ label, help }: Readout): HTMLElement {
    const value = el("dd", { class: "num" });
    this.#readoutValues.push(value);
    return el("div", { title: help }, el("dt", {}, ...withTerms(label, "control")), value);
  }

  #button(key: PushKey, label: string, symbol: string): HTMLElement {
    return pushButton(key, label, symbol, (down) => this.#setHeld(key, down));
  }

  #listen(surface: SVGSVGElement): void {
    /** Converts the pointer's position to units of the drawing. */
    const toDrawing = ({ clientX, clientY }: PointerEvent) =>
      new DOMPoint(clientX, clientY).matrixTransform(surface.getScreenCTM()?.inverse());
    listen(surface, {
      pointerdown: (event) => {
        surface.setPointerCapture(event.pointerId);
        this.#pointer = toDrawing(event);
        this.#updatePush();
      },
      pointermove: (event) => {
        if (this.#pointer !== null) this.#pointer = toDrawing(event);
      },
    });
    const end = () => {
      this.#pointer = null;
      this.#updatePush();
    };
    listen(surface, { pointerup: end, pointercancel: end, lostpointercapture: end });
    addEventListener("keydown", this.#onKey);
    addEventListener("keyup", this.#onKey);
    addEventListener("blur", this.#releaseAll);
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKey);
    removeEventListener("keyup", this.#onKey);
    removeEventListener("blur", this.#releaseAll);
    this.#releaseAll();
  }

  #onKey = (event: KeyboardEvent): void => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const down = event.type === "keydown";
    if (down && (takesKeys(event.target) || hasModifier(event) || !isLaidOut(this.element))) return;
    if (down) event.preventDefault();
    this.#setHeld(event.key, down);
  };

  #releaseAll = (): void => {
    for (const key of [...this.#heldKeys]) this.#setHeld(key, false);
    this.#pointer = null;
    this.#updatePush();
  };

  /** Notes that a key or its button is held or released, and updates the push. */
  #setHeld(key: PushKey, down: boolean): void {
    if (down === this.#heldKeys.has(key)) return;
    if (down) this.#heldKeys.add(key);
    else this.#heldKeys.delete(key);
    for (const button of this.element.querySelectorAll(`.push.${key}`)) button.classList.toggle("down", down);
    this.#updatePush();
  }

  /** The push of all held keys and of the drag. */
  #requestedPush(): number {
    const { keyPush, rightSign } = this.kind.controls;
    let push = 0;
    if (this.#heldKeys.has("ArrowLeft")) push -= keyPush * rightSign;
    if (this.#heldKeys.has("ArrowRight")) push += keyPush * rightSign;
    if (this.#pointer && this.#shown) push += this.#scene.drawing.pull(this.#shown, this.#pointer).push;
    return clamp(Math.round(push / PUSH_RESOLUTION) * PUSH_RESOLUTION, MAX_PUSH);
  }

  /** Sends the requested push if it has changed. */
  #updatePush(): void {
    const push = this.#requestedPush();
    if (push === this.#sentPush) return;
    this.#sentPush = push;
    this.sendPush(push);
  }

  /** Draws a state, and returns the interpolated state that is shown. */
  draw(stage: ControlStage, state: State, probabilities: State, seconds: number): State {
    this.#shown = this.#scene.draw(stage, state, seconds);
    this.#updatePush();
    this.#drawPullLine(this.#shown);
    this.#showEnd(stage, state, seconds);
    this.#probabilities.draw(stage, probabilities);
    this.kind.readouts.forEach(({ format }, i) => write(this.#readoutValues[i] as HTMLElement, format(stage, state)));
    return this.#shown;
  }

  #drawPullLine(state: State): void {
    this.#pullLine.classList.toggle("shown", this.#pointer !== null);
    if (!this.#pointer) return;
    const { from, to } = this.#scene.drawing.pull(state, this.#pointer);
    const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y };
    for (const [name, value] of Object.entries(ends)) this.#pullLine.setAttribute(name, value.toFixed(1));
  }

  /** Writes how an episode ended, or that its time limit was reached. */
  #showEnd(stage: ControlStage, state: State, seconds: number): void {
    const { termination, terminationText, timeLimit } = this.kind;
    const previous = this.#previous;
    this.#previous = stage;
    this.#noticeSeconds -= seconds;
    // In a test the world ends at its time limit, which this one outlasts.
    const isBeyond = stage.steps > timeLimit;
    const beyond = isBeyond ? `; a test lasts only ${formatInteger(timeLimit)}` : "";
    if (stage.over) write(this.#endText, terminationText.stage(formatCount(stage.steps, "step"), state) + beyond);
    else if (termination === "goal" && previous && reachedTimeLimit(previous, stage, timeLimit)) {
      write(this.#endText, `Time limit: ${timeLimit} steps`);
      this.#noticeSeconds = NOTICE_SECONDS;
    }
    this.#endText.classList.toggle("shown", stage.over || this.#noticeSeconds > 0);
    this.#endText.classList.toggle("good", stage.over && termination === "goal");
    this.#endText.classList.toggle("bad", stage.over && termination === "fall");
  }
}

/**
 * Whether an episode has reached its time limit between two views: a new one began, and the old one did not terminate.
 */
function reachedTimeLimit(before: ControlStage, now: ControlStage, timeLimit: number): boolean {
  const isNextEpisode = now.episode === before.episode + 1;
  return isNextEpisode && !before.over && before.steps > NEAR_TIME_LIMIT_FRACTION * timeLimit;
}
