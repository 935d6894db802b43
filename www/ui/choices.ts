// A row of buttons of which one is chosen, for example worlds, experiments, presets, tools or tempos.

import { el } from "../core/dom";

export interface Choice<Value> {
  value: Value;
  /** The content of the button. */
  content: (Node | string)[];
  title?: string | undefined;
}

interface ChoicesOptions<Value> {
  /** The class of the row. */
  class: string;
  /** The class of each button. */
  buttonClass: string;
  /** What the row is for, for screen readers. */
  label: string;
  choices: Choice<Value>[];
  choose: (value: Value) => void;
  /** Whether a press on the chosen button calls `choose` again. */
  repeats?: (value: Value) => boolean;
}

export class Choices<Value> {
  readonly element: HTMLElement;
  #buttons = new Map<Value, HTMLButtonElement>();

  constructor({ class: name, buttonClass, label, choices, choose, repeats }: ChoicesOptions<Value>) {
    this.element = el("div", { class: name, role: "group", "aria-label": label });
    for (const { value, content, title } of choices) {
      const press = () => {
        if (!isPressed(button) || repeats?.(value)) choose(value);
      };
      // Tests find a button by its `data-value`.
      const id = typeof value === "string" ? value : undefined;
      const attributes = { type: "button", class: buttonClass, title, "data-value": id, "aria-pressed": "false" };
      const button = el("button", { ...attributes, on: { click: press } }, ...content);
      this.#buttons.set(value, button);
      this.element.append(button);
    }
  }

  /** Shows which value is chosen. No button looks pressed for null or a value without a button. */
  show(value: Value | null): void {
    for (const [each, button] of this.#buttons) button.setAttribute("aria-pressed", String(each === value));
  }

  /** Disables all buttons; the row's title says why. An empty text enables them. */
  disable(reason: string): void {
    for (const button of this.#buttons.values()) button.disabled = reason !== "";
    this.element.title = reason;
  }
}

function isPressed(button: HTMLElement): boolean {
  return button.getAttribute("aria-pressed") === "true";
}

/** The content of a large button: a small picture, a name, and a few words about it. */
export function choiceCard(picture: Element, name: string, task: string): Node[] {
  return [picture, el("span", { class: "choice-name", text: name }), el("span", { class: "choice-task", text: task })];
}
