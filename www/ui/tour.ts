// The tour of a lab: a card with one caption at a time lies beside the part of the page that it explains (its
// target), which is outlined. A caption's task is marked as done by its event only (see tour-caption.ts); the next
// caption then follows by itself when there was time to read. A button does the task in the visitor's place, another
// one skips it, which marks nothing. Escape ends the tour. In a narrow window the card lies above the bar at the lower
// edge, and the target is scrolled into view.

import { placeSparing, type Box, type Side } from "../core/beside";
import { button, dialogIsOpen, el, listen, write } from "../core/dom";
import type { Run } from "../core/run";
import { reducedMotion } from "../core/theme";
import type { LabTypes } from "../generated/protocol";
import type { Deed } from "./deeds";
import type { Caption, Captions, Leftover, Told, Waiting } from "./tour-caption";
import { icon } from "./icons";
import "../style/explanation.css";
import "../style/tour.css";

/** How often it is checked whether a caption may go on, and whether its target has moved. */
const CHECK_MS = 150;
/**
 * In this time after a caption has appeared, its target is brought into sight again unless the visitor scrolls:
 * sentences above it may have become longer while the page was scrolling.
 */
const SETTLE_MS = { from: 700, to: 2500 };
/** A caption, and its outcome, stay at least this long for each of their words, so that they can be read. */
const READING_MS_PER_WORD = 260;
/** After the task is done, the screen can be watched this long, beside reading the outcome, before the next caption. */
const WATCH_MS = 1800;
/** A press on "Next" so soon after the tour has gone on by itself was meant for the caption before. */
const TOO_SOON_MS = 800;
/** In narrower windows, in CSS pixels, the card lies above the lower bar. */
const NARROW_WIDTH = 720;
/** Space between the lower bar and a card that lies above it, in CSS pixels. */
const BAR_GAP = 8;
/** Space around the target inside its outline, in CSS pixels. */
const OUTLINE_GAP = 4;

/** Where the card may lie beside its target, the best first. */
const SIDES: readonly Side[] = ["right", "below", "left", "above"];
/**
 * How much worse it is to cover a piece of the target, or of the score, than a piece of the picture of the same size.
 */
const TARGET_WEIGHT = 30;
const SCORE_WEIGHT = 10;

/** Events with which a visitor scrolls. */
const SCROLLING = ["wheel", "touchmove", "pointerdown"] as const;

/** What a paused run needs before anything else, and its button. */
const PAUSED_TASK = "Training is paused. Press “Run training”.";
const RUN: Deed[] = [{ press: "Run training", within: ".dock" }];
/** What shortens a wait for the run. */
const HURRY: Deed[] = [{ press: "Max", within: ".speeds" }];
/** The button of the present speed. */
const SPEED = '.speeds [aria-pressed="true"]';

export class Tour {
  readonly element = el("div", { class: "tour" });
  #outline = el("div", { class: "tour-outline", "aria-hidden": "true" });
  #arrow = el("span", { class: "card-arrow", "aria-hidden": "true" });
  #count = el("span", { class: "tour-count num" });
  #text = el("p", {});
  #task = el("p", { class: "tour-task" });
  #taskText = el("span", {});
  /** What is measured while the task is open. It changes often, so it is not read aloud. */
  #reading = el("p", { class: "tour-reading num" });
  #outcome = el("p", { class: "tour-outcome" });
  #back = button("Back", () => this.#goBack(), { class: "small" });
  #show = button("", () => void this.#showTask(), { class: "small" });
  #next = button("", () => this.#pressNext(), { class: "small" });
  #card: HTMLElement;
  #captions: Caption[];
  #index = 0;
  /** The captions that have been shown. */
  #seen = new Set<number>();
  #waiting: Waiting;
  #shownAt = 0;
  /** When the tour has last gone on by itself. */
  #wentOnAt = -Infinity;
  /** The speed before the tour has pressed "Max"; null if it has not. */
  #speedBefore: string | null = null;
  /** When the task was done, by `performance.now()`; null until then. */
  #doneAt: number | null = null;
  #isShowing = false;
  /** Whether the button was pressed and another run is to open, which takes a while. */
  #awaitsRun = false;
  /** Says that the task could not be done in the visitor's place. */
  #problem = "";
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Whether the visitor has scrolled since the caption appeared. */
  #hasScrolled = false;
  #cleanups: (() => void)[];

  constructor(
    readonly run: Run,
    /** The dock, and the row of the tools' tabs. */
    readonly bars: { dock: HTMLElement; tabs: HTMLElement },
    readonly captionsOf: Captions,
    /** Does deeds in the visitor's place, and tells whether that was possible. */
    readonly perform: (deeds: Deed[]) => Promise<boolean>,
    /** It is told whether the focus was inside the card, and what the tour leaves broken. */
    readonly onEnd: (hadFocus: boolean, leftover: Leftover | null) => void,
  ) {
    const end = el("button", { type: "button", class: "notice-close", title: "End the tour (Esc)" }, icon("close"));
    end.setAttribute("aria-label", "End the tour");
    listen(end, { click: () => this.#end() });
    this.#task.append(this.#taskText);
    this.#card = el(
      "div",
      { class: "tour-card", role: "dialog", "aria-label": "Tour", tabindex: -1 },
      this.#arrow,
      el("div", { class: "tour-head" }, this.#count, end),
      el("div", { "aria-live": "polite", "aria-atomic": "true" }, this.#text, this.#task, this.#outcome),
      this.#reading,
      el("div", { class: "tour-buttons" }, this.#back, this.#show, this.#next),
    );
    this.element.append(this.#outline, this.#card);
    this.#captions = captionsOf(run);
    this.#waiting = this.#waitFromNow(null);
    this.#cleanups = [
      run.on("opened", () => this.#runOpened()),
      run.on("refused", () => (this.#awaitsRun = false)),
      run.on("failed", () => (this.#awaitsRun = false)),
      run.on("command", (command) => {
        // Commands are JSON to the run; here they are those of its lab.
        this.#waiting.commands.push(command as unknown as LabTypes[keyof LabTypes]["command"]);
        this.#waiting.viewsSince = 0;
      }),
      run.on("view", (view) => {
        this.#waiting.view = view;
        this.#waiting.viewBefore ??= view;
        this.#waiting.viewsSince += 1;
      }),
    ];
  }

  /** Shows the first caption. The element must be in the page. */
  begin(): void {
    addEventListener("keydown", this.#onKeyDown);
    addEventListener("scroll", this.#place, true);
    addEventListener("resize", this.#place);
    for (const type of SCROLLING) addEventListener(type, this.#scrolled, { passive: true });
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
    this.#showCaption(0);
    this.#card.focus({ preventScroll: true });
  }

  destroy(): void {
    clearInterval(this.#timer);
    this.#restoreSpeed();
    for (const cleanup of this.#cleanups) cleanup();
    removeEventListener("keydown", this.#onKeyDown);
    removeEventListener("scroll", this.#place, true);
    removeEventListener("resize", this.#place);
    for (const type of SCROLLING) removeEventListener(type, this.#scrolled);
    this.element.remove();
  }

  get #caption(): Caption {
    return this.#captions[this.#index] as Caption;
  }

  /** What the run's progress will be compared with: its state now. No command has been given yet. */
  #waitFromNow(view: Waiting["view"]): Waiting {
    const { run } = this;
    const values = new Map(run.series.specs.map(({ name }) => [name, run.series.last(name)]));
    const before = (metric: string) => values.get(metric) ?? NaN;
    const [unitsBefore, paceBefore] = [run.progress.units, run.pace];
    return { run, unitsBefore, before, paceBefore, view, viewBefore: view, commands: [], viewsSince: 0 };
  }

  /**
   * A new run has units, metrics and perhaps another task of its own, so its captions take the place of the old ones,
   * and the comparison begins again with its first state.
   */
  #runOpened(): void {
    this.#captions = this.captionsOf(this.run);
    this.#waiting = this.#waitFromNow(null);
    this.#showCaption(Math.min(this.#index, this.#captions.length - 1));
  }

  #told(text: Told<keyof LabTypes>): string {
    return typeof text === "string" ? text : text(this.#waiting);
  }

  #showCaption(index: number): void {
    this.#index = index;
    this.#waiting = this.#waitFromNow(this.#waiting.view);
    this.#shownAt = performance.now();
    this.#doneAt = null;
    this.#awaitsRun = false;
    this.#hasScrolled = false;
    this.#problem = "";
    // Captions that were passed over, because their `when` was false, are not counted.
    this.#seen.add(index);
    const passed = Array.from({ length: index }, (_, i) => i).filter((i) => !this.#seen.has(i)).length;
    write(this.#count, `${index + 1 - passed} of ${this.#captions.length - passed}`);
    this.#task.replaceChildren(this.#taskText);
    this.#task.classList.remove("done");
    write(this.#outcome, "");
    this.#draw();
    this.#scrollToTarget();
    this.#place();
  }

  /** Writes what changes while a caption is shown: texts that depend on the run, and the buttons. */
  #draw(): void {
    const caption = this.#caption;
    const isDone = this.#doneAt !== null;
    // What was told when the task was done stays as it is.
    if (!isDone) {
      write(this.#text, this.#told(caption.text));
      write(this.#taskText, this.#isPaused ? PAUSED_TASK : this.#told(caption.task));
    }
    write(this.#reading, isDone ? "" : this.#problem || (caption.reading?.(this.#waiting) ?? ""));
    const hasNext = this.#nextIndex() !== null;
    write(this.#next, isDone ? (hasNext ? "Next" : "Done") : hasNext ? (caption.skipName ?? "Skip") : "End");
    this.#next.classList.toggle("primary", isDone);
    const deeds = isDone ? [] : this.#deeds();
    const name = this.#isPaused ? "Run" : (caption.showName ?? (caption.show ? "Show me" : "Max speed"));
    write(this.#show, this.#awaitsRun ? (caption.busyName ?? name) : name);
    // It keeps the focus, which a disabled button would lose.
    for (const attribute of ["aria-busy", "aria-disabled"]) this.#show.setAttribute(attribute, String(this.#awaitsRun));
    this.#show.classList.toggle("primary", deeds.length > 0);
    // A button that is hidden or disabled loses the focus, so "Next" takes it over.
    const loses = deeds.length === 0 ? this.#show : this.#backIndex() === null ? this.#back : null;
    if (loses !== null && document.activeElement === loses) this.#next.focus({ preventScroll: true });
    this.#show.hidden = deeds.length === 0;
    this.#back.disabled = this.#backIndex() === null;
  }

  /** Whether the task needs a run that goes on, and the run is paused. */
  get #isPaused(): boolean {
    return this.#caption.needsRun === true && !this.run.progress.running;
  }

  /** What does the task in the visitor's place. Nothing is left to do for a wait at max speed. */
  #deeds(): Deed[] {
    const { show, needsRun } = this.#caption;
    if (this.#isPaused) return RUN;
    if (show) return show(this.#waiting);
    return needsRun && this.run.pace !== null ? HURRY : [];
  }

  async #showTask(): Promise<void> {
    const caption = this.#caption;
    const deeds = this.#deeds();
    if (deeds === HURRY) this.#speedBefore ??= document.querySelector(SPEED)?.textContent ?? null;
    // It may take a while, and a second press is not to do it twice.
    if (this.#isShowing || this.#awaitsRun) return;
    this.#isShowing = true;
    this.#awaitsRun = caption.busyName !== undefined && !this.#isPaused;
    this.#draw();
    const isPossible = await this.perform(deeds).finally(() => (this.#isShowing = false));
    if (!isPossible) this.#awaitsRun = false;
    if (!isPossible && caption === this.#caption) this.#problem = "That did not work. Try it yourself, or skip.";
  }

  /** Max speed was for a wait of the tour. A visitor who has chosen another speed since keeps that. */
  #restoreSpeed(): void {
    const press = this.#speedBefore;
    this.#speedBefore = null;
    if (press !== null && this.run.pace === null) void this.perform([{ press, within: ".speeds" }]);
  }

  #applies = (index: number): boolean => this.#captions[index]?.when?.(this.#waiting) ?? true;

  /** The index of the next caption that makes sense now; null if there is none. */
  #nextIndex(): number | null {
    const next = this.#captions.findIndex((_, i) => i > this.#index && this.#applies(i));
    return next < 0 ? null : next;
  }

  #backIndex(): number | null {
    const back = this.#captions.findLastIndex((_, i) => i < this.#index && this.#applies(i));
    return back < 0 ? null : back;
  }

  #goOn(): void {
    const next = this.#nextIndex();
    if (next === null) this.#end();
    else this.#showCaption(next);
  }

  #pressNext(): void {
    if (performance.now() - this.#wentOnAt > TOO_SOON_MS) this.#goOn();
  }

  #goOnByItself(): void {
    this.#wentOnAt = performance.now();
    this.#goOn();
  }

  #goBack(): void {
    const back = this.#backIndex();
    if (back !== null) this.#showCaption(back);
  }

  #end(): void {
    const hadFocus = this.#card.contains(document.activeElement);
    const leftover = this.#captions.map((caption) => caption.leftover?.() ?? null).find((each) => each !== null);
    this.destroy();
    this.onEnd(hadFocus, leftover ?? null);
  }

  /** Marks the task as done when it is, and goes on when the visitor has had time to read and to watch. */
  #check(): void {
    const now = performance.now();
    if (this.#doneAt === null && this.#isDone()) {
      this.#doneAt = now;
      // It may have been done while the run was paused.
      write(this.#taskText, this.#told(this.#caption.task));
      this.#task.prepend(icon("check"));
      this.#task.classList.add("done");
      write(this.#outcome, this.#caption.outcome?.(this.#waiting) ?? "");
    }
    // What a caption is about may have ended meanwhile.
    if (this.#doneAt === null && !this.#applies(this.#index)) return this.#goOnByItself();
    this.#draw();
    const shownMs = now - this.#shownAt;
    if (!this.#hasScrolled && shownMs >= SETTLE_MS.from && shownMs <= SETTLE_MS.to) this.#scrollToTarget();
    this.#place();
    if (this.#doneAt === null) return;
    const readingMs = (...parts: HTMLElement[]) =>
      READING_MS_PER_WORD * parts.flatMap(({ textContent }) => textContent?.split(" ") ?? []).length;
    const isRead = now - this.#shownAt > readingMs(this.#text, this.#task);
    const isWatched = now - this.#doneAt > WATCH_MS + readingMs(this.#outcome);
    // The last caption stays until the visitor closes it.
    if (isRead && isWatched && this.#nextIndex() !== null) this.#goOnByItself();
  }

  /** Whether the event of the caption's task has happened. */
  #isDone(): boolean {
    const { done, shown } = this.#caption;
    if (shown !== undefined && document.querySelector(shown)?.checkVisibility()) return true;
    return done?.(this.#waiting) ?? false;
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
    const height = area.height - (area.width < NARROW_WIDTH ? this.#card.offsetHeight + BAR_GAP : 0);
    const isVisible = box.top >= 0 && box.bottom + OUTLINE_GAP <= height;
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
    const isInBar = this.#lowerBar().contains(target);
    this.#outline.classList.toggle("in-bar", isInBar);
    // Beside the bar a wide card is low, so that it ends below the picture.
    this.#card.classList.toggle("beside-bar", isInBar);
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
    // The card should also cover little of the picture, which goes on, and of the score, of which a caption may speak.
    const [score, picture] = [".lab .score-line", ".lab .picture"].map((selector) =>
      document.querySelector(selector)?.getBoundingClientRect(),
    );
    const spared = [
      { box: visiblePart, weight: TARGET_WEIGHT },
      ...(score ? [{ box: score, weight: SCORE_WEIGHT }] : []),
      ...(picture ? [{ box: picture, weight: 1 }] : []),
    ];
    const place = placeSparing(visiblePart, { width, height }, area, SIDES, spared);
    this.#card.style.translate = `${place.left}px ${place.top}px`;
    this.#card.dataset["side"] = place.side;
    this.#arrow.style.setProperty("--at", `${place.arrow}px`);
  };

  #scrolled = (): void => void (this.#hasScrolled = true);

  #onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && !event.defaultPrevented && !dialogIsOpen()) this.#end();
  };
}
