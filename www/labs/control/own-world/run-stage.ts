// The stage of a run that learns a world of the visitor's own: its picture in real time, in which the agent acts until
// the visitor takes over by keys, buttons or the pointer.

import { ResponsiveCanvas } from "../../../core/canvas";
import { button, dialogIsOpen, el, hasModifier, isLaidOut, takesKeys, write } from "../../../core/dom";
import { floats } from "../../../core/floats";
import { formatInteger, formatNumber } from "../../../core/format";
import type { HiddenPart } from "../../../core/link";
import type { ControlCommand, ControlOwnWorld, ControlStage } from "../../../generated/protocol";
import { withTerms } from "../../../ui/term";
import { actionOf, actionsOf, buttonsOf, canPoint, controlsOf, keyName, keysOf, type Controls } from "./controls";
import { drawPicture } from "./drawing";
import { roleColours } from "./role-colours";
import { listenHold } from "../hold";
import type { FlatPicture } from "./messages";
import { listenPointer, type Place } from "./pointer";
import { shapesOf, Trails } from "./shapes";
import { withLineOf } from "./training-fault";
import { EXPECTED_RETURN } from "../worlds/world-kind";

/** Keys that play wherever the focus is; others play while the picture has it. */
const GLOBAL_KEYS = /^Arrow/;

export class RunStage {
  readonly element: HTMLElement;
  #title = el("p", { class: "stage-title" });
  #about = el("p", { class: "quiet" });
  #end = el("p", { class: "stage-end bad", "aria-hidden": "true" });
  #buttons = el("div", { class: "own-run-actions" });
  #edit: HTMLButtonElement;
  #facts: Record<"steps" | "score" | "value", HTMLElement>;
  #canvas: ResponsiveCanvas;
  #surface: HTMLElement;
  #colours = roleColours();
  #picture: FlatPicture = { numbers: new Float32Array(), texts: [] };
  #trails = new Trails();
  #episode = 0;
  #controls: Controls | null = null;
  #keys = new Set<string>();
  #pointer: Place | null = null;
  /** The action that the lab has been told; null while the agent acts. */
  #played: number[] | null = null;
  /** The actions and the texts that are shown, as JSON, to notice changes. */
  #shown = "";

  constructor(
    readonly send: (command: ControlCommand) => void,
    readonly rules: { edit: () => void; hidden: () => HiddenPart | null; text: () => string | null },
  ) {
    this.#edit = button("", rules.edit, { class: "small own-run-edit" });
    this.#canvas = new ResponsiveCanvas({
      class: "own-world-canvas",
      resized: () => this.#draw(),
      recoloured: () => {
        this.#colours = roleColours();
        this.#draw();
      },
    });
    this.#surface = el("div", { class: "own-run-surface", tabindex: 0, role: "application" }, this.#canvas.element);
    const facts = el("dl", { class: "stage-facts" });
    const fact = (label: string, help: string) => {
      const value = el("dd", { class: "num" });
      facts.append(el("div", { title: help }, el("dt", {}, ...withTerms(label, "control")), value));
      return value;
    };
    this.#facts = {
      steps: fact("steps", "Steps in this episode"),
      score: fact("score", "The sum of the rewards of this episode"),
      value: fact(EXPECTED_RETURN, "The rewards still to come, as the critic estimates them; later ones count less"),
    };
    this.element = el(
      "div",
      { class: "stage own-run", role: "group", "aria-label": "Your world in real time" },
      this.#surface,
      el("div", { class: "stage-caption" }, this.#title, this.#about),
      facts,
      this.#end,
      el("div", { class: "stage-controls" }, this.#buttons, this.#edit),
    );
    this.#drawEdit();
    this.#listen();
  }

  /** A run was opened: in it the agent acts. */
  begin(): void {
    this.#played = null;
    this.#update();
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKey);
    removeEventListener("keyup", this.#onKey);
    removeEventListener("blur", this.#releaseAll);
    this.#releaseAll();
    this.#canvas.destroy();
  }

  draw(own: ControlOwnWorld, stage: ControlStage): void {
    this.#describe(own);
    this.#drawEdit();
    if (stage.episode !== this.#episode) this.#trails = new Trails();
    this.#episode = stage.episode;
    this.#picture = { numbers: floats(own.shapes) as Float32Array<ArrayBuffer>, texts: own.texts };
    this.#trails.note(stage.steps, shapesOf(this.#picture));
    write(
      this.#facts.steps,
      `${formatInteger(stage.steps)}${own.limit === null ? "" : ` of ${formatInteger(own.limit)}`}`,
    );
    write(this.#facts.score, formatNumber(stage.score, 3));
    write(this.#facts.value, formatNumber(stage.value, 3));
    const fault = own.fault && `Failed: ${withLineOf(own.fault, this.rules.text())}`;
    if (stage.over) write(this.#end, fault ?? "The episode has ended");
    this.#end.classList.toggle("shown", stage.over);
    this.#draw();
  }

  /** What leads to the rules, as far as the page's link does not hide them. */
  #drawEdit(): void {
    const hidden = this.rules.hidden();
    this.#edit.hidden = hidden === "rules";
    write(this.#edit, hidden ? "Read the rules" : "Edit the rules");
  }

  /** Writes what the text says about the world, and builds the buttons of its actions, where they have changed. */
  #describe({ title, about, actions }: ControlOwnWorld): void {
    const shown = JSON.stringify([title, about, actions]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#releaseAll();
    const controls = (this.#controls = controlsOf(actionsOf(actions)));
    write(this.#title, title);
    write(this.#about, about);
    const keys = [...keysOf(controls)].map(keyName).join(" ");
    this.#surface.setAttribute("aria-label", `Picture of the world ${title}. Take over with the keys ${keys}`);
    const holdButtons = buttonsOf(controls).map(({ label, key }) => this.#holdButton(label, key));
    this.#buttons.replaceChildren(el("span", { class: "quiet", text: "Take over:" }), ...holdButtons);
  }

  /** A button that acts as long as it is held, like its key. */
  #holdButton(label: string, key: string): HTMLElement {
    const hold = el("button", { type: "button", class: "button small own-run-hold", title: "Hold it to act" }, label);
    listenHold(hold, (down) => this.#setKey(key, down));
    return hold;
  }

  #listen(): void {
    const allows = () => this.#controls !== null && canPoint(this.#controls);
    listenPointer(this.#surface, allows, (place) => {
      this.#pointer = place;
      this.#update();
    });
    addEventListener("keydown", this.#onKey);
    addEventListener("keyup", this.#onKey);
    addEventListener("blur", this.#releaseAll);
  }

  #onKey = (event: KeyboardEvent): void => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!this.#controls || !keysOf(this.#controls).has(key)) return;
    const down = event.type === "keydown";
    const isFocused = document.activeElement === this.#surface;
    if (down && !isFocused && (!GLOBAL_KEYS.test(key) || takesKeys(event.target))) return;
    if (down && (hasModifier(event) || dialogIsOpen() || !isLaidOut(this.element))) return;
    if (down) event.preventDefault();
    this.#setKey(key, down);
  };

  #releaseAll = (): void => {
    this.#keys.clear();
    this.#pointer = null;
    this.#update();
  };

  #setKey(key: string, down: boolean): void {
    if (down) this.#keys.add(key);
    else this.#keys.delete(key);
    this.#update();
  }

  /** Tells the lab what the visitor does, if that has changed. */
  #update(): void {
    const controls = this.#controls;
    if (!controls) return;
    if (this.#keys.size === 0 && this.#pointer === null) {
      if (this.#played) this.send({ type: "release" });
      this.#played = null;
      return;
    }
    const numbers = actionOf(controls, { keys: this.#keys, pointer: this.#pointer }, this.#played ?? [], true);
    if (this.#played?.every((number, i) => number === numbers[i])) return;
    this.#played = numbers;
    this.send({ type: "act", numbers });
  }

  #draw(): void {
    if (this.#canvas.width === 0) return;
    const context = this.#canvas.clear();
    if (this.#picture.numbers.length === 0) return;
    const font = getComputedStyle(this.#surface).fontFamily;
    drawPicture(context, this.#canvas, this.#picture, this.#trails, this.#colours, font);
  }
}
