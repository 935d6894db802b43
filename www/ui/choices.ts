// A row of buttons of which one is chosen, for example worlds, experiments, presets, tools or tempos.

import { ARROW_STEPS, el, hasModifier } from "../core/dom";

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
  /**
   * Whether the row is a radio group: one stop of the Tab key, in which arrow keys lead from button to button. It is
   * not for labs whose pictures take the arrow keys wherever the focus is.
   */
  radio?: boolean;
}

export class Choices<Value> {
  readonly element: HTMLElement;
  #buttons = new Map<Value, HTMLButtonElement>();
  #radio: boolean;
  /** The value that is shown as chosen. */
  #chosen: Value | null = null;

  constructor({ class: name, buttonClass, label, choices, choose, repeats, radio = false }: ChoicesOptions<Value>) {
    this.#radio = radio;
    this.element = el("div", {
      class: name,
      role: radio ? "radiogroup" : "group",
      "aria-label": label,
      ...(radio && { on: { keydown: (event) => this.#moveFocus(event) } }),
    });
    for (const { value, content, title } of choices) {
      const press = () => {
        if (value !== this.#chosen || repeats?.(value)) choose(value);
      };
      // Tests find a button by its `data-value`.
      const id = typeof value === "string" ? value : undefined;
      const attributes = { type: "button", class: buttonClass, title, "data-value": id, role: radio && "radio" };
      const button = el("button", { ...attributes, on: { click: press } }, ...content);
      this.#buttons.set(value, button);
      this.element.append(button);
    }
    this.show(null);
  }

  /** Shows which value is chosen. No button looks pressed for null or a value without a button. */
  show(value: Value | null): void {
    this.#chosen = value;
    for (const [each, button] of this.#buttons)
      button.setAttribute(this.#radio ? "aria-checked" : "aria-pressed", String(each === value));
    if (!this.#radio) return;
    const buttons = [...this.#buttons.values()];
    const stop = (value === null ? undefined : this.#buttons.get(value)) ?? buttons[0];
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  }

  /** Moves the focus by an arrow key. Only Enter or Space chooses, because a choice may begin another run. */
  #moveFocus(event: KeyboardEvent): void {
    const step = ARROW_STEPS[event.key];
    const buttons = [...this.#buttons.values()];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (!step || at < 0 || hasModifier(event)) return;
    buttons[(at + step[0] + step[1] + buttons.length) % buttons.length]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /** Disables all buttons; the row's title says why. An empty text enables them. */
  disable(reason: string): void {
    for (const button of this.#buttons.values()) button.disabled = reason !== "";
    this.element.title = reason;
  }
}

/** The content of a large button: a small picture, a name, and a few words about it. */
export function choiceCard(picture: Element, name: string, task: string): Node[] {
  // A name of two words in one, such as CartPole, may be broken between them.
  const parts = name.split(/(?=[A-Z])/).flatMap((part) => [el("wbr", {}), part]);
  return [picture, el("span", { class: "choice-name" }, ...parts), el("span", { class: "choice-task", text: task })];
}
