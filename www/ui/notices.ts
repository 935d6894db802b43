// Notices above the run controls, for example that a run was resumed, a request was refused, or a link was wrong. Each
// is one line with buttons for what can be done about it.

import { button, el } from "../core/dom";
import { icon } from "./icons";

export interface NoticeAction {
  label: string;
  run: () => void;
}

/** How many seconds some notices stay; others stay until they are dismissed. */
export const NOTICE_SECONDS = { short: 12, medium: 20, long: 30 };

/** If there are more notices, the oldest disappears. */
const MAX_NOTICES = 3;

export class Notices {
  /** The notices by name, the oldest first. */
  #shown = new Map<string, HTMLElement>();
  /** What to do when a notice disappears without one of its buttons having been pressed. */
  #whenGone = new Map<string, () => void>();

  constructor(readonly box: HTMLElement) {}

  /**
   * Shows a notice. It replaces one of the same name, and disappears after `seconds` if they are given. `gone` is
   * called when it disappears without one of its buttons having been pressed.
   */
  show(
    name: string,
    text: string,
    actions: NoticeAction[] = [],
    options: { seconds?: number; tone?: "wrong"; gone?: () => void } = {},
  ): void {
    this.hide(name);
    const close = el("button", {
      type: "button",
      class: "notice-close",
      "aria-label": "Dismiss",
      on: { click: () => this.hide(name) },
    });
    close.append(icon("close"));
    const note = el(
      "p",
      { class: `notice ${options.tone ?? ""}`, "data-notice": name },
      el("span", { text }),
      ...actions.map(({ label, run: act }) =>
        button(label, () => {
          this.#whenGone.delete(name);
          this.hide(name);
          act();
        }),
      ),
      close,
    );
    this.box.append(note);
    this.#shown.set(name, note);
    if (options.gone) this.#whenGone.set(name, options.gone);
    while (this.#shown.size > MAX_NOTICES) this.hide(this.#shown.keys().next().value as string);
    if (options.seconds) setTimeout(() => this.#shown.get(name) === note && this.hide(name), options.seconds * 1000);
  }

  hide(name: string): void {
    this.#shown.get(name)?.remove();
    this.#shown.delete(name);
    const gone = this.#whenGone.get(name);
    this.#whenGone.delete(name);
    gone?.();
  }
}
