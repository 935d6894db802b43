// The table of a class: a row for each pupil's run, which is updated in place, so that a button keeps its focus.

import { button, el, write } from "../core/dom";
import { formatInteger, formatNumber, sentenceStart, withUnit } from "../core/format";
import { checkWords, type Checks } from "./checks";
import type { ClassChallenge } from "./done-challenges";
import { challengeTexts, goalUnit, whyNotComparable, type Entry, type Group } from "./entries";

/** The heads of the columns. The empty ones depend on the lab, and are written when it is known. */
const HEADS = ["Name", "Seed", "", "", "", "Arithmetic", "Challenges done", "Result"];
const [UNIT_HEAD, GOAL_HEAD, METRIC_HEAD, CHALLENGE_HEAD] = [2, 3, 4, 6];

export class ClassTable {
  readonly element: HTMLElement;
  #heads = HEADS.map((text) => el("th", { scope: "col", text }));
  #body = el("tbody", {});
  #rows = new Map<string, Row>();

  /** `remove` takes an entry away; null if entries cannot be removed. */
  constructor(
    readonly checks: Checks,
    readonly remove: ((id: string) => void) | null,
  ) {
    const actions = el("th", {}, el("span", { class: "unseen", text: "Actions" }));
    this.element = el(
      "div",
      { class: "compare-table class-table", tabindex: "0", role: "region", "aria-label": "The runs of the class" },
      el("table", {}, el("thead", {}, el("tr", {}, ...this.#heads, actions)), this.#body),
    );
  }

  show(entries: readonly Entry[], group: Group | null, challenge: ClassChallenge | null): void {
    const texts = entries.map((entry) => challengeTexts(entry, challenge));
    const hasChallenges = challenge !== null || texts.some((text) => text !== "");
    (this.#heads[CHALLENGE_HEAD] as HTMLElement).hidden = !hasChallenges;
    const first = entries.find(({ recipe }) => recipe === group?.recipe) ?? entries[0];
    const metric = first?.lab.about.metrics.find(({ name }) => name === (group?.metric ?? first.metric));
    const unit = first?.lab.about.unit ?? "iteration";
    write(this.#heads[UNIT_HEAD] as HTMLElement, sentenceStart(unit));
    write(this.#heads[GOAL_HEAD] as HTMLElement, `Reached goal at ${unit}`);
    write(this.#heads[METRIC_HEAD] as HTMLElement, sentenceStart(metric?.label ?? "metric"));
    for (const [id, row] of this.#rows) {
      if (entries.some((entry) => entry.id === id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    entries.forEach((entry, i) => {
      const row = this.#rows.get(entry.id) ?? new Row(this.checks, this.remove);
      this.#rows.set(entry.id, row);
      row.show(entry, group, hasChallenges ? (texts[i] as string) : null);
      const there = this.#body.children[i] ?? null;
      if (there !== row.element) this.#body.insertBefore(row.element, there);
    });
  }
}

class Row {
  readonly element: HTMLTableRowElement;
  #name = el("th", { scope: "row", class: "class-name" });
  /** The cells of columns 1 (the seed) to 5 (the arithmetic), of which all but the last are numbers. */
  #cells = [1, 2, 3, 4, 5].map((place) => el("td", { class: place < 5 ? "num" : undefined }));
  #challenges = el("td", { class: "class-challenges" });
  #outcome = el("td", { class: "class-outcome" });
  #entry: Entry | null = null;
  #check: HTMLButtonElement;

  constructor(checks: Checks, remove: ((id: string) => void) | null) {
    this.#check = button("Check", () => this.#entry?.result && checks.add(this.#entry.result), { class: "small" });
    const removeButton = remove && button("Remove", () => this.#entry && remove(this.#entry.id), { class: "small" });
    this.element = el(
      "tr",
      {},
      this.#name,
      ...this.#cells,
      this.#challenges,
      this.#outcome,
      el("td", {}, el("div", { class: "row class-actions" }, this.#check, removeButton)),
    );
    this.show = (entry, group, challenges) => this.#show(entry, group, challenges, checks);
  }

  /** `challenges` are those that were done; null where the table has no column of them. */
  show: (entry: Entry, group: Group | null, challenges: string | null) => void;

  #show(entry: Entry, group: Group | null, challenges: string | null, checks: Checks): void {
    this.#entry = entry;
    const { name, seed, units, curve, bits, lab, metric, result, state } = entry;
    write(this.#name, name);
    const spec = lab.about.metrics.find((each) => each.name === metric);
    const value = withUnit(formatNumber(curve.values.at(-1) ?? NaN, 4, spec?.unit), spec?.unit ?? "");
    const reached = goalUnit(entry);
    const goal = reached === null ? "–" : formatInteger(reached);
    const texts = [String(seed), formatInteger(units), goal, value, bits ?? "–"];
    texts.forEach((text, i) => write(this.#cells[i] as HTMLElement, text));
    this.#challenges.hidden = challenges === null;
    write(this.#challenges, challenges === "" ? "–" : (challenges ?? ""));
    const check = result && checks.stateOf(result);
    const words = check ? checkWords(check) : { text: "", tone: "" };
    const reason = units === 0 && !result && !entry.isDamaged ? null : whyNotComparable(entry, group);
    const parts = [state, reason && `not comparable: ${reason}`, words.text].filter(Boolean);
    write(this.#outcome, parts.join("; "));
    this.#outcome.dataset["tone"] = words.tone;
    this.#check.hidden = !result;
    const runs = check?.kind === "waits" || check?.kind === "repeats";
    if (this.#check.disabled !== runs) this.#check.disabled = runs;
    this.#check.setAttribute("aria-label", `Check the result of ${name} by repeating the run`);
    const isRefuted = result !== null && checks.isRefuted(result);
    this.element.classList.toggle("class-apart", reason !== null || isRefuted);
  }
}
