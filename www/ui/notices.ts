// Notices, for example that a run was resumed, a request was refused, or a link was wrong. One is shown at a time
// (notice-queue.ts): a line with buttons for what can be done about it. In a lab it stands in the dock, elsewhere above
// the screen, so it covers nothing (style/notices.css).

import { button, el, listen, markPage } from "../core/dom";
import { icon } from "./icons";
import { NOTICE_SECONDS, NoticeQueue, OFFER_SECONDS, type QueuedNotice } from "./notice-queue";

export interface NoticeAction {
  label: string;
  run: () => void;
}

interface NoticeOptions {
  tone?: "wrong";
  /** Whether it waits for an answer. Otherwise it goes after some seconds. */
  stays?: boolean;
  /**
   * The id of the lab that it is about; null for the page as a whole. It is the lab in sight if nothing else is said.
   */
  lab?: string | null;
  /** What to do when it goes without one of its buttons having been pressed. */
  gone?: () => void;
}

interface Notice extends QueuedNotice {
  element: HTMLElement;
}

export class Notices {
  #queue = new NoticeQueue<Notice>((notice) => this.#draw(notice));
  /** Calls `change`, which shows another notice, and keeps the page in order meanwhile. */
  around = (change: () => void): void => change();

  constructor(readonly box: HTMLElement) {
    const follow = () => (document.hidden ? this.#queue.hold("hidden") : this.#queue.release("hidden"));
    document.addEventListener("visibilitychange", follow);
    follow();
  }

  /** Shows a notice. It replaces one of the same name. */
  show(
    name: string,
    text: string,
    actions: NoticeAction[] = [],
    { tone, stays = false, lab = this.#queue.lab, gone }: NoticeOptions = {},
  ): void {
    const close = el("button", {
      type: "button",
      class: "notice-close",
      "aria-label": "Dismiss",
      on: { click: () => this.hide(name) },
    });
    close.append(icon("close"));
    const element = el(
      "p",
      { class: `notice ${tone ?? ""}`, "data-notice": name },
      el("span", { text }),
      ...actions.map(({ label, run: act }) =>
        button(label, () => {
          this.#queue.answer(name);
          act();
        }),
      ),
      close,
    );
    const queue = this.#queue;
    listen(element, {
      pointerenter: () => queue.hold("pointer"),
      pointerleave: () => queue.release("pointer"),
      focusin: () => queue.hold("focus"),
      focusout: () => queue.release("focus"),
    });
    const isWrong = tone === "wrong";
    const seconds = stays ? Infinity : actions.length > 0 || isWrong ? OFFER_SECONDS : NOTICE_SECONDS;
    queue.add({ name, lab, seconds, isFirst: isWrong && !stays, gone, element });
  }

  hide(name: string): void {
    this.#queue.hide(name);
  }

  /** Another lab is shown, or none for null: what is about another one goes. */
  enter(lab: string | null): void {
    this.#queue.enter(lab);
  }

  #draw(notice: Notice | null): void {
    this.around(() => {
      this.box.replaceChildren(...(notice ? [notice.element] : []));
      markPage("has-notice", notice !== null);
    });
    const text = notice?.element.querySelector("span");
    // A text that is too long for its place scrolls there, by keyboard too.
    if (text && text.scrollHeight > text.clientHeight) text.tabIndex = 0;
  }
}
