// A row of buttons of which one is pressed: worlds, experiments, presets, tools, tempos.

import { el } from "../core/dom";

export interface Choice<Value> {
  value: Value;
  /** What stands on the button. */
  content: (Node | string)[];
  title?: string | undefined;
}

interface ChoicesOptions<Value> {
  /** The class of the row. */
  class: string;
  /** The class of each button. */
  buttonClass: string;
  /** What is chosen here, for those who do not see it. */
  label: string;
  choices: Choice<Value>[];
  choose: (value: Value) => void;
  /** Whether pressing a chosen button chooses it again. */
  repeats?: (value: Value) => boolean;
}

export class Choices<Value> {
  readonly element: HTMLElement;
  #buttons = new Map<Value, HTMLElement>();

  constructor({ class: name, buttonClass, label, choices, choose, repeats }: ChoicesOptions<Value>) {
    this.element = el("div", { class: name, role: "group", "aria-label": label });
    for (const { value, content, title } of choices) {
      const press = () => {
        if (!isPressed(button) || repeats?.(value)) choose(value);
      };
      const id = typeof value === "string" ? value : undefined;
      const attributes = { type: "button", class: buttonClass, title, "data-value": id, "aria-pressed": "false" };
      const button = el("button", { ...attributes, on: { click: press } }, ...content);
      this.#buttons.set(value, button);
      this.element.append(button);
    }
  }

  /** Shows which one is chosen; none where the value is not among them. */
  show(value: Value | null): void {
    for (const [each, button] of this.#buttons) button.setAttribute("aria-pressed", String(each === value));
  }
}

function isPressed(button: HTMLElement): boolean {
  return button.getAttribute("aria-pressed") === "true";
}

/** What stands on a large button: a small drawing, a name, and what it is about. */
export function choiceCard(sign: Element, name: string, task: string): Node[] {
  return [sign, el("span", { class: "choice-name", text: name }), el("span", { class: "choice-task", text: task })];
}
