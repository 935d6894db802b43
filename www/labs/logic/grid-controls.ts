// The controls under the grids: run, pause and step them, their speed and size, how often a cell updates, and what the
// pointer does.

import { button, el } from "../../core/dom";
import { formatShare } from "../../core/format";
import { Choices } from "../../ui/choices";
import { icon } from "../../ui/icons";
import { Slider } from "../../ui/slider";
import type { GridInput, Tool } from "./grid-input";
import type { LogicCommand, LogicStage } from "../../generated/protocol";

/** Positions of the speed slider, in steps per second. */
const PACES = [0.5, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 240];
/**
 * The fire rate is the probability that a cell updates in a step. Its slider goes from MIN_FIRE_RATE in steps up to 1.
 */
const MIN_FIRE_RATE = 0.1;
const FIRE_RATE_STEP = 0.05;
const FIRE_RATE_NOTCHES = 18;

const TOOLS: [tool: Tool, label: string, title: string][] = [
  ["damage", "Damage", "Drag over a grid to damage it"],
  ["draw", "Draw", "Drag over a grid to switch cells on or off"],
  ["inspect", "Inspect", "Press a cell to see its circuit at work, below"],
];

export class GridControls {
  readonly element: HTMLElement;
  #play: HTMLButtonElement;
  /** Whether the play button shows running grids; null before it is drawn. */
  #playing: boolean | null = null;
  #pace: Slider;
  #fireRate: Slider;
  #tools: Choices<Tool>;
  #sizes: Choices<number>;
  #damage: HTMLButtonElement;

  constructor(
    readonly input: GridInput,
    send: (command: LogicCommand) => void,
    /** Whether the grids restart by themselves. The checkbox changes it. */
    autoRestart: { enabled: boolean },
    /** Opens the large grid. */
    enlarge: () => void,
  ) {
    this.#play = el("button", {
      type: "button",
      class: "tool",
      on: { click: () => send({ type: "play", playing: !this.#playing }) },
    });
    const stepOnce = () => {
      send({ type: "play", playing: false });
      send({ type: "step" });
    };
    const step = el(
      "button",
      {
        type: "button",
        class: "tool",
        title: "One step of the cells",
        "aria-label": "One step of the cells",
        on: { click: stepOnce },
      },
      icon("step"),
    );
    this.#pace = new Slider({
      class: "slider logic-slider",
      label: "Picture speed",
      title: "Steps of the cells in the picture per second; training has its own speed",
      notches: PACES.length - 1,
      value: (notch) => PACES[notch] as number,
      notch: (pace) =>
        Math.max(
          0,
          PACES.findLastIndex((each) => each <= pace),
        ),
      format: (pace) => `${pace} steps/s`,
      change: (rate) => send({ type: "pace", rate }),
    });
    this.#fireRate = new Slider({
      class: "slider logic-slider",
      label: "Active cells per step",
      title: "Probability that a cell takes part in a step; otherwise it keeps its state",
      notches: FIRE_RATE_NOTCHES,
      value: (notch) => Math.round(100 * (MIN_FIRE_RATE + notch * FIRE_RATE_STEP)) / 100, // without rounding errors
      notch: (rate) => (rate - MIN_FIRE_RATE) / FIRE_RATE_STEP,
      format: (rate) => (rate === 1 ? "all" : formatShare(rate)),
      change: (rate) => send({ type: "fireRate", rate }),
    });
    this.#damage = button("Damage the middle", () => input.damageNearMiddle(), {
      title: "Damage both grids near the middle (W)",
    });
    const restart = button("Regrow", () => send({ type: "restart" }), {
      title: "Set both grids to a new initial state (N)",
    });
    const checkbox = el("input", {
      type: "checkbox",
      class: "switch",
      on: { change: () => (autoRestart.enabled = checkbox.checked) },
    });
    checkbox.checked = autoRestart.enabled;
    this.#tools = new Choices({
      class: "segments",
      buttonClass: "button",
      label: "Tool of the pointer",
      choices: TOOLS.map(([tool, label, title]) => ({ value: tool, title, content: [label] })),
      choose: (tool) => this.chooseTool(tool),
    });
    this.#sizes = new Choices({
      class: "segments",
      buttonClass: "button num",
      label: "Size of the grids",
      choices: [1, 2, 3, 4].map((multiple) => ({
        value: multiple,
        title: multiple === 1 ? "The size used in training" : `${multiple} times as wide and high`,
        content: [`${multiple}×`],
      })),
      choose: (multiple) => send({ type: "size", multiple }),
    });
    const large = button("Large grid", enlarge, { title: "Run the circuit on millions of cells, on the GPU" });
    const repeat = el(
      "label",
      { class: "check", title: "Regrow again and again, after the result has been visible for a while" },
      checkbox,
      "Repeat automatically",
    );
    this.element = el(
      "div",
      { class: "logic-controls" },
      el("div", { class: "logic-row" }, this.#play, step, this.#pace.element, restart, this.#damage, repeat),
      el("div", { class: "logic-row" }, this.#tools.element, this.#sizes.element, large, this.#fireRate.element),
    );
    this.chooseTool(input.tool);
  }

  chooseTool(tool: Tool): void {
    this.input.tool = tool;
    this.#tools.show(tool);
  }

  /** What the chosen tool does. */
  get toolWords(): string {
    return `${TOOLS.find(([tool]) => tool === this.input.tool)?.[2]}.`;
  }

  /** Makes the button for damage stand out, or not. */
  offerDamage(offered: boolean): void {
    this.#damage.classList.toggle("logic-strike", offered);
  }

  draw({ playing, pace, fireRate, multiple }: LogicStage): void {
    if (playing !== this.#playing) {
      this.#playing = playing;
      const label = playing ? "Pause the cells" : "Run the cells";
      this.#play.replaceChildren(icon(playing ? "pause" : "play"));
      this.#play.title = label;
      this.#play.setAttribute("aria-label", label);
    }
    this.#pace.show(pace);
    this.#fireRate.show(fireRate);
    this.#sizes.show(multiple);
  }
}
