// The row under the grids: run, hold or step them, how fast, how large, how often a cell acts, and what the pointer does.

import { el } from "../../core/dom";
import { icon } from "../../ui/icons";
import { Slider } from "../../ui/slider";
import type { Hand, Tool } from "./hand";
import type { LogicCommand, LogicStage } from "../../generated/protocol";

/** Steps a second. */
const PACES = [0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 240];
/** Below this a cell would hardly ever act. */
const LEAST_RATE = 0.1;

const TOOLS: [Tool, string, string][] = [
  ["wound", "Wound", "Drag over a grid to wound it"],
  ["draw", "Draw", "Drag over a grid to light cells, or put them out"],
  ["look", "Look into", "Choose the cell whose circuit is shown at work"],
];

export class Acts {
  readonly element: HTMLElement;
  #play = el("button", { type: "button", class: "tool" });
  #playing: boolean | null = null;
  #pace: Slider;
  #rate: Slider;
  #tools = new Map<Tool, HTMLElement>();
  #sizes = new Map<number, HTMLElement>();
  #again = el("input", { type: "checkbox", class: "switch" });

  constructor(
    readonly hand: Hand,
    send: (command: LogicCommand) => void,
    /** Whether the stage goes on by itself, and the visitor's wish about that. */
    again: { on: boolean },
  ) {
    this.#play.addEventListener("click", () => send({ type: "play", playing: !this.#playing }));
    const step = el("button", {
      type: "button",
      class: "tool",
      title: "One step",
      "aria-label": "One step of the grids",
    });
    step.append(icon("step"));
    step.addEventListener("click", () => {
      send({ type: "play", playing: false });
      send({ type: "step" });
    });
    this.#pace = new Slider({
      class: "logic-slider",
      label: "",
      title: "Speed of the grids",
      notches: PACES.length - 1,
      value: (notch) => PACES[notch] as number,
      notch: (pace) =>
        Math.max(
          0,
          PACES.findLastIndex((each) => each <= pace),
        ),
      words: (pace) => `${pace} steps/s`,
      change: (rate) => send({ type: "pace", rate }),
    });
    this.#rate = new Slider({
      class: "logic-slider",
      label: "Cells acting",
      title: "How many of the cells act in each step, the others sleeping through it",
      notches: 18,
      value: (notch) => Math.round(100 * (LEAST_RATE + notch * 0.05)) / 100,
      notch: (rate) => (rate - LEAST_RATE) / 0.05,
      words: (rate) => (rate === 1 ? "all" : `${Math.round(100 * rate)}%`),
      change: (rate) => send({ type: "fireRate", rate }),
    });
    const wound = el("button", { type: "button", class: "logic-strike", text: "Wound it", title: "Wound it (W)" });
    wound.addEventListener("click", () => hand.strike());
    const anew = el("button", { type: "button", text: "Begin anew", title: "Begin anew (N)" });
    anew.addEventListener("click", () => send({ type: "restart" }));
    this.#again.checked = again.on;
    this.#again.addEventListener("change", () => (again.on = this.#again.checked));
    const tools = el("div", { class: "logic-choice", role: "group", "aria-label": "What the pointer does" });
    for (const [tool, text, title] of TOOLS) tools.append(this.#tool(tool, text, title));
    const sizes = el("div", { class: "logic-choice", role: "group", "aria-label": "Size of the grids" });
    for (const multiple of [1, 2, 3, 4]) {
      const button = el("button", { type: "button", class: "num", text: `${multiple}×` });
      button.title = multiple === 1 ? "As large as it learns on" : `${multiple} times as wide and high`;
      button.addEventListener("click", () => send({ type: "size", multiple }));
      this.#sizes.set(multiple, button);
      sizes.append(button);
    }
    const goOn = el(
      "label",
      { class: "logic-again", title: "Begin anew again and again" },
      this.#again,
      "Go on by itself",
    );
    this.element = el(
      "div",
      { class: "logic-acts" },
      el("div", { class: "logic-row" }, this.#play, step, this.#pace.element, anew, wound, goOn),
      el("div", { class: "logic-row" }, tools, sizes, this.#rate.element),
    );
    this.choose(hand.tool);
  }

  #tool(tool: Tool, text: string, title: string): HTMLElement {
    const button = el("button", { type: "button", text, title });
    button.addEventListener("click", () => this.choose(tool));
    this.#tools.set(tool, button);
    return button;
  }

  choose(tool: Tool): void {
    this.hand.tool = tool;
    for (const [each, button] of this.#tools) button.setAttribute("aria-pressed", String(each === tool));
  }

  draw({ playing, pace, fireRate, multiple }: LogicStage): void {
    if (playing !== this.#playing) {
      this.#playing = playing;
      const label = playing ? "Hold the grids" : "Let the grids run";
      this.#play.replaceChildren(icon(playing ? "pause" : "play"));
      this.#play.title = label;
      this.#play.setAttribute("aria-label", label);
    }
    this.#pace.show(pace);
    this.#rate.show(fireRate);
    for (const [each, button] of this.#sizes) button.setAttribute("aria-pressed", String(each === multiple));
  }
}
