// The guided tour of a lab: a card with one caption at a time lies beside the part of the page that it explains (its
// target), which is outlined. The next caption follows by itself when the visitor has done the caption's task and there
// was time to read it. "Next" always works, and Escape ends the tour. In a narrow window the card lies above the bar at
// the lower edge, and the target is scrolled into view.

import { placeBeside, type Box } from "../core/beside";
import { button, dialogIsOpen, el, listen, write } from "../core/dom";
import type { Run } from "../core/run";
import { reducedMotion } from "../core/theme";
import type { Caption, Waiting } from "./tour-caption";
import { icon } from "./icons";
import "../style/explanation.css";
import "../style/tour.css";

/** How often it is checked whether a caption may go on, and whether its target has moved. */
const CHECK_MS = 150;
/** A caption stays at least this long for each of its words, so that it can be read. */
const READING_MS_PER_WORD = 260;
/** After the task is done, its outcome can be watched this long before the next caption. */
const WATCH_MS = 1800;
/** In narrower windows, in CSS pixels, the card lies above the lower bar. */
const NARROW_WIDTH = 720;
/** Space between the lower bar and a card that lies above it, in CSS pixels. */
const BAR_GAP = 8;
/** Events that count as acts of the visitor. */
const ACT_EVENTS = ["pointerdown", "keydown", "input", "change", "submit"] as const;
/** Space around the target inside its outline, in CSS pixels. */
const OUTLINE_GAP = 4;

export class Tour {
  readonly element = el("div", { class: "tour" });
  #outline = el("div", { class: "tour-outline", "aria-hidden": "true" });
  #arrow = el("span", { class: "card-arrow", "aria-hidden": "true" });
  #count = el("span", { class: "tour-count num" });
  #text = el("p", {});
  #task = el("p", { class: "tour-task" });
  #back = button("Back", () => this.#show(this.#index - 1), { class: "small" });
  #next = button("Next", () => this.#goOn(), { class: "small primary" });
  #card: HTMLElement;
  #index = 0;
  #waiting: Waiting;
  #shownAt = 0;
  /** When the task was done, by `performance.now()`; null until then. */
  #doneAt: number | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #unsubscribe: () => void;

  /** `onEnd` is told whether the focus was inside the card. */
  constructor(
    readonly run: Run,
    /** The dock, and the row of the tools' tabs. */
    readonly bars: { dock: HTMLElement; tabs: HTMLElement },
    readonly captions: Caption[],
    readonly onEnd: (hadFocus: boolean) => void,
  ) {
    const skip = el("button", { type: "button", class: "notice-close", title: "End the guide (Esc)" }, icon("close"));
    skip.setAttribute("aria-label", "End the guide");
    listen(skip, { click: () => this.#end() });
    this.#card = el(
      "div",
      { class: "tour-card", role: "dialog", "aria-label": "Guide", tabindex: -1 },
      this.#arrow,
      el("div", { class: "tour-head" }, this.#count, skip),
      el("div", { "aria-live": "polite", "aria-atomic": "true" }, this.#text, this.#task),
      el("div", { class: "tour-buttons" }, this.#back, this.#next),
    );
    this.element.append(this.#outline, this.#card);
    this.#waiting = this.#waitFromNow();
    // A new run has units and metrics of its own, so the comparison begins again with its first ones. The visitor's
    // acts do not belong to a run, so they still count.
    this.#unsubscribe = run.on("opened", () => {
      this.#waiting = { ...this.#waitFromNow(), acts: this.#waiting.acts };
    });
  }

  /** Shows the first caption. The element must be in the page. */
  begin(): void {
    addEventListener("keydown", this.#onKeyDown);
    for (const type of ACT_EVENTS) addEventListener(type, this.#onAct, true);
    addEventListener("scroll", this.#place, true);
    addEventListener("resize", this.#place);
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
    this.#show(0);
    this.#card.focus({ preventScroll: true });
  }

  destroy(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
    removeEventListener("keydown", this.#onKeyDown);
    for (const type of ACT_EVENTS) removeEventListener(type, this.#onAct, true);
    removeEventListener("scroll", this.#place, true);
    removeEventListener("resize", this.#place);
    this.element.remove();
  }

  get #caption(): Caption {
    return this.captions[this.#index] as Caption;
  }

  /** What the run's progress will be compared with: its state now. No act has been counted yet. */
  #waitFromNow(): Waiting {
    const { run } = this;
    const values = new Map(run.series.specs.map(({ name }) => [name, run.series.last(name)]));
    return { run, unitsBefore: run.progress.units, before: (metric) => values.get(metric) ?? NaN, acts: 0 };
  }

  #show(index: number): void {
    const last = this.captions.length - 1;
    this.#index = Math.max(0, Math.min(last, index));
    this.#waiting = this.#waitFromNow();
    this.#shownAt = performance.now();
    this.#doneAt = null;
    const { text, task } = this.#caption;
    write(this.#count, `${this.#index + 1} of ${last + 1}`);
    write(this.#text, text);
    this.#task.replaceChildren(task);
    this.#task.classList.remove("done");
    // A button that is disabled loses the focus, so "Next" takes it over.
    if (this.#index === 0 && document.activeElement === this.#back) this.#next.focus();
    this.#back.disabled = this.#index === 0;
    write(this.#next, this.#index === last ? "Done" : "Next");
    this.#scrollToTarget();
    this.#place();
  }

  #goOn(): void {
    if (this.#index === this.captions.length - 1) this.#end();
    else this.#show(this.#index + 1);
  }

  #end(): void {
    const hadFocus = this.#card.contains(document.activeElement);
    this.destroy();
    this.onEnd(hadFocus);
  }

  /** Marks the task as done when it is, and goes on when the visitor has had time to read and to watch. */
  #check(): void {
    this.#place();
    const now = performance.now();
    if (this.#doneAt === null) {
      if (!this.#isDone()) return;
      this.#doneAt = now;
      this.#task.prepend(icon("check"));
      this.#task.classList.add("done");
    }
    const words = `${this.#caption.text} ${this.#caption.task}`.split(" ").length;
    const isRead = now - this.#shownAt > words * READING_MS_PER_WORD;
    const isWatched = now - this.#doneAt > WATCH_MS;
    // The last caption stays until the visitor closes it.
    const isLast = this.#index === this.captions.length - 1;
    if (isRead && isWatched && !isLast) this.#goOn();
  }

  /** Whether the caption's task is done. */
  #isDone(): boolean {
    const { done } = this.#caption;
    return done ? done(this.#waiting) : this.#waiting.acts > 0;
  }

  /** The caption's target; null if no part of the page that it names is visible. */
  #target(): Element | null {
    for (const selector of this.#caption.at) {
      const found = [...document.querySelectorAll(selector)].find((each) => each.checkVisibility());
      if (found) return found;
    }
    return null;
  }

  /** What stays at the lower edge of the window: the dock, and the row of tabs while it lies on the dock. */
  #lowerBar(): { top: number; bottom: number; contains: (target: Element | null) => boolean } {
    const { dock, tabs } = this.bars;
    const [{ top, bottom }, row] = [dock.getBoundingClientRect(), tabs.getBoundingClientRect()];
    if (Math.abs(row.bottom - top) >= 1) return { top, bottom, contains: (target) => dock.contains(target) };
    return { top: row.top, bottom, contains: (target) => dock.contains(target) || tabs.contains(target) };
  }

  /**
   * The part of the window in which the card may lie. Usually it ends at the lower bar. It is the whole window if the
   * bar leaves too little room above it, if the target is below the bar, or (in a wide window) if it is in the bar.
   */
  #area(target: Element | null): Box {
    const width = document.documentElement.clientWidth;
    const bar = this.#lowerBar();
    const hasLittleRoomAbove = bar.top < innerHeight / 2;
    const isBelowBar = target !== null && target.getBoundingClientRect().top >= bar.bottom;
    const isInBar = width >= NARROW_WIDTH && bar.contains(target);
    const usesWholeWindow = hasLittleRoomAbove || isBelowBar || isInBar;
    const height = usesWholeWindow ? innerHeight : Math.min(innerHeight, bar.top);
    return { left: 0, top: 0, width, height };
  }

  #scrollToTarget(): void {
    const target = this.#target();
    // The column beside the picture has a scroll bar of its own, which must show the target first.
    if (target?.closest(".lab-side")) target.scrollIntoView({ block: "nearest" });
    const box = target?.getBoundingClientRect();
    // The bar is always in sight, so the window need not be scrolled to it.
    if (!box || this.#lowerBar().contains(target)) return;
    const area = this.#area(target);
    const height = area.height - (area.width < NARROW_WIDTH ? this.#card.offsetHeight : 0);
    const isVisible = box.top >= 0 && box.bottom <= height;
    if (isVisible) return;
    // The target comes to the middle, or with its upper edge into sight if it is higher than the window.
    const top = box.top - Math.max(OUTLINE_GAP * 2, (height - box.height) / 2);
    scrollBy({ top, behavior: reducedMotion() ? "auto" : "smooth" });
  }

  /** Puts the outline around the target and the card beside it. */
  #place = (): void => {
    const target = this.#target();
    const box = target?.getBoundingClientRect();
    const area = this.#area(target);
    // A card without a target has nothing to lie beside, so it lies above the bar as in a narrow window.
    const isAboveBar = area.width < NARROW_WIDTH || !box;
    this.#outline.hidden = !box;
    this.#arrow.hidden = isAboveBar;
    this.element.classList.toggle("narrow", isAboveBar);
    // Only the outline of a target in the bar lies over it.
    this.#outline.classList.toggle("in-bar", this.#lowerBar().contains(target));
    if (box) {
      this.#outline.style.translate = `${box.left - OUTLINE_GAP}px ${box.top - OUTLINE_GAP}px`;
      this.#outline.style.width = `${box.width + 2 * OUTLINE_GAP}px`;
      this.#outline.style.height = `${box.height + 2 * OUTLINE_GAP}px`;
    }
    const { offsetWidth: width, offsetHeight: height } = this.#card;
    if (isAboveBar) {
      this.#card.style.translate = `${Math.max(0, area.width - width) / 2}px ${area.height - height - BAR_GAP}px`;
      return;
    }
    const top = Math.max(box.top, 0);
    const visiblePart = {
      left: box.left,
      top,
      width: box.width,
      height: Math.max(0, Math.min(box.bottom, area.height) - top),
    };
    const place = placeBeside(visiblePart, { width, height }, area, ["right", "below", "left", "above"]);
    this.#card.style.translate = `${place.left}px ${place.top}px`;
    this.#card.dataset["side"] = place.side;
    this.#arrow.style.setProperty("--at", `${place.arrow}px`);
  };

  #onAct = (event: Event): void => {
    if (this.#isAct(event)) this.#waiting.acts += 1;
  };

  /** Whether the visitor acts as the caption's task asks: on one of its elements, or with one of its keys anywhere. */
  #isAct(event: Event): boolean {
    const { actsOn, keys } = this.#caption;
    const { target } = event;
    const isOnElement = actsOn !== undefined && target instanceof Element && target.closest(actsOn) !== null;
    if (!(event instanceof KeyboardEvent)) return isOnElement;
    if (keys?.includes(event.key)) return true;
    // Tab only moves the focus, so pressing it on an element is no act.
    return isOnElement && event.key !== "Tab";
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !event.defaultPrevented && !dialogIsOpen()) this.#end();
  };
}
