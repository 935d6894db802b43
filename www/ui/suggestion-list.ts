// The list "What to try next" of the goal panel: three suggestions, each a button that does it. They are loaded when
// the run has reached its goal, and follow its state from then on.

import { el, listen, write } from "../core/dom";
import { isSolved } from "../core/goal";
import { bringIntoSight } from "../core/into-sight";
import type { Settings } from "../core/link";
import type { Run } from "../core/run";
import type { AnyView } from "../core/run-events";
import type { ShownTest } from "../core/shown-test";
import type { DeedScreen } from "./deeds";
import type { LabManifest } from "./lab-manifest";
import { chooseSuggestions, SHOWN_SUGGESTIONS, type Suggestion, type Suggestions } from "./suggestion";

/** Shortest time between two updates of the list that views cause. */
const UPDATE_MS = 1_000;

export class SuggestionList {
  readonly element = el("div", { class: "solved-next", hidden: true });
  #buttons = Array.from({ length: SHOWN_SUGGESTIONS }, (_, i) => {
    const button = el("button", { type: "button", class: "link" });
    listen(button, { click: () => void this.#carryOut(i) });
    return button;
  });
  #shown: Suggestion[] = [];
  /** The texts of the suggestions whose buttons were pressed in this run. */
  #tried = new Set<string>();
  #suggestions: Suggestions | null = null;
  /** Whether the suggestions have been asked for, so that a network that fails is not asked every second. */
  #asked = false;
  #view: AnyView | null = null;
  #updatedAt = -Infinity;
  readonly run: Run;

  constructor(
    readonly shown: ShownTest,
    readonly load: LabManifest["suggestions"],
    readonly screen: DeedScreen,
    /** Starts a new run with settings that differ from the defaults. */
    readonly startWith: (settings: Settings) => void,
  ) {
    const run = (this.run = shown.run);
    const items = this.#buttons.map((button) => el("li", {}, button));
    this.element.append(el("p", { class: "label", text: "What to try next" }), el("ul", { class: "next" }, ...items));
    // Views come while the run is paused too, and show what the visitor has done.
    run.on("view", (view) => {
      this.#view = view;
      this.#updateAtTimes();
    });
    run.on("opened", () => {
      this.#view = null;
      this.#tried.clear();
      this.#asked = false;
      this.#update();
    });
    // The settings of the run have changed, or the visitor looks back.
    screen.draft.on("changed", () => this.#update());
    // The list changes together with the sentence and the score, which tell of the same test.
    shown.on("changed", () => this.#update());
  }

  #updateAtTimes(): void {
    if (performance.now() - this.#updatedAt > UPDATE_MS) this.#update();
  }

  #update(): void {
    const { run } = this;
    this.#updatedAt = performance.now();
    // They are about the run as it is now, and work its controls, so there are none while the visitor looks back.
    const hasSome = run.lab !== null && isSolved(run.progress) && !this.screen.draft.looksBack;
    if (hasSome && !this.#suggestions) void this.#loadSuggestions();
    this.#shown = hasSome ? this.#choose() : [];
    this.element.hidden = this.#shown.length === 0;
    for (const [i, button] of this.#buttons.entries()) write(button, this.#shown[i]?.text ?? "");
  }

  #choose(): Suggestion[] {
    const { run } = this;
    const { lab, settings, changes } = run;
    if (!this.#suggestions || !lab) return [];
    const lost = this.shown.isWorse;
    const last = (metric: string) => this.shown.last(metric);
    const state = { lab, settings, changes, lost, last, view: this.#view };
    return chooseSuggestions(this.#suggestions(state), this.#tried);
  }

  /** Without them, as without a network, the list stays hidden until another run is opened. */
  async #loadSuggestions(): Promise<void> {
    if (this.#asked || !this.load) return;
    this.#asked = true;
    this.#suggestions = await this.load().then(
      ({ suggestions }) => suggestions,
      () => null,
    );
    if (this.#suggestions) this.#update();
  }

  async #carryOut(index: number): Promise<void> {
    const suggestion = this.#shown[index];
    if (!suggestion) return;
    this.#tried.add(suggestion.text);
    if ("settings" in suggestion) {
      bringIntoSight(this.element.closest(".lab") ?? this.element, "start"); // its picture may be above the window
      return this.startWith(suggestion.settings);
    }
    const module = await import("./deeds").catch(() => null);
    if (!module) {
      // There is no network. The button has done nothing, and can be pressed again.
      this.#tried.delete(suggestion.text);
      return;
    }
    const isDone = await module.perform(suggestion.deeds, this.screen);
    // A paused run, such as one that has stopped at its goal, would not show what the settings change.
    if (isDone && suggestion.deeds.some((deed) => "set" in deed)) this.run.play();
    this.#update();
  }
}
