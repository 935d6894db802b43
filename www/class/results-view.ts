// What a teacher sees of a class's runs: the live band of all comparable ones, a sentence with the median and the
// range, the table, and spot checks.

import type { BundleChoice } from "../core/bundle";
import { download } from "../core/checkpoint";
import { summary } from "../core/compare/statistics";
import { button, el, write } from "../core/dom";
import { formatCount, formatInteger, formatNumber, withUnit } from "../core/format";
import { quoted } from "../core/values";
import { Checks, checkWords } from "./checks";
import { ClassChart } from "./chart";
import { ClassTable } from "./class-table";
import { MAX_POINTS } from "./code";
import type { ClassChallenge } from "./done-challenges";
import {
  challengesOf,
  classBand,
  countWords,
  endsAtGoal,
  goalUnit,
  hasBegun,
  largestGroup,
  resultsTable,
  whyNotComparable,
  type Entry,
} from "./entries";
import { sameSeedSentences } from "./same-runs";
import "../style/compare.css";
import "./class.css";

const TOLD_NOTE =
  "A row without “handed in” shows what the pupil's tab tells of a run, and nobody can check that. Only a result that was handed in can be checked.";

const GOAL_NOTE = `The goal column is read from the curve that came with each result. It has at most ${MAX_POINTS} of the tests, so a run with more tests may have reached its goal earlier, also where “–” stands.`;

/** That results which differ do not count, as a sentence behind a space; empty without any. */
const refutedWords = (count: number): string =>
  count === 0
    ? ""
    : ` ${formatCount(count, "result")} ${count === 1 ? "is" : "are"} not counted: a check found that ${count === 1 ? "it differs from the repeated run" : "they differ from the repeated runs"}.`;

/** How many results “Check three at random” checks. */
const RANDOM_CHECKS = 3;

export class ResultsView {
  readonly element: HTMLElement;
  readonly #checks: Checks;
  #chart = new ClassChart();
  #summary = el("p", { class: "compare-result", role: "status" });
  /** Which results are of one run. */
  #same = el("div", { class: "class-same", role: "status", hidden: true });
  #table: ClassTable;
  #toldNote = el("p", { class: "quiet small", text: TOLD_NOTE });
  #goalNote = el("p", { class: "quiet small", text: GOAL_NOTE });
  #random = button("Check three at random", () => this.#checkSome(), { class: "small" });
  #stop = button("Stop checking", () => this.#checks.stop(), { class: "small", hidden: true });
  #entries: Entry[] = [];
  #recipe: string | null = null;
  #challenge: ClassChallenge | null = null;
  /** How many results checks had found to differ when the class was drawn. */
  #refuted = 0;

  /**
   * `usual` is the page's bundle for the CPU; `remove` takes an entry away, or is null. With `keeps`, what checks find
   * to differ is kept in this browser.
   */
  constructor(usual: BundleChoice, remove: ((id: string) => void) | null, keeps: boolean) {
    this.#checks = new Checks(usual, keeps);
    this.#table = new ClassTable(this.#checks, remove);
    this.element = el(
      "section",
      { class: "class-results", "aria-label": "Results", hidden: true },
      el("h2", { text: "The class" }),
      this.#summary,
      this.#same,
      this.#chart.element,
      el("p", {
        class: "quiet small",
        text: "Strong line: the median, the middle one of the runs (of two middle ones, their mean). Band: the range of all runs. Thin: each run.",
      }),
      this.#table.element,
      this.#toldNote,
      this.#goalNote,
      el(
        "div",
        { class: "row" },
        this.#random,
        this.#stop,
        button("Download as CSV", () => this.#save(), {
          class: "small",
          title: "Saves the table as it is shown: while names are hidden, without them",
        }),
      ),
      el("p", {
        class: "quiet small",
        text: "A check repeats the run here, from its seed, and compares its fingerprint, its values and the challenges that it has done. Results that differ are not counted. It takes about as long as the run took at max speed.",
      }),
    );
    this.#checks.on("changed", () => {
      if (this.#refuted === this.#entries.filter(this.#isRefuted).length) this.#drawTable();
      else this.#draw();
    });
  }

  /**
   * Shows the entries. Those with this recipe are compared; null for what most have. `challenge` is that of the class;
   * null without one.
   */
  show(entries: Entry[], recipe: string | null, challenge: ClassChallenge | null): void {
    this.#entries = entries;
    this.#recipe = recipe;
    this.#challenge = challenge;
    this.#draw();
  }

  /** Forgets what checks have found. */
  forget(): void {
    this.#checks.forget();
  }

  #isRefuted = ({ result }: Entry): boolean => result !== null && this.#checks.isRefuted(result);

  /** What the runs are compared by. Results that differ from their run count nowhere. */
  #group() {
    return largestGroup(
      this.#entries.filter((entry) => !this.#isRefuted(entry)),
      this.#recipe,
    );
  }

  #draw(): void {
    const entries = this.#entries;
    this.element.hidden = entries.length === 0;
    this.#refuted = entries.filter(this.#isRefuted).length;
    const group = this.#group();
    const compared = group
      ? entries.filter((entry) => hasBegun(entry) && !whyNotComparable(entry, group) && !this.#isRefuted(entry))
      : [];
    const band = classBand(compared);
    const [first] = compared;
    const target = first && compared.every((entry) => entry.target === first.target) ? first.target : null;
    const words = this.#sentence(entries, compared);
    write(this.#summary, words);
    this.#showSame(sameSeedSentences(compared));
    this.#chart.element.hidden = band.length === 0;
    this.#chart.show({ band, curves: compared.map(({ curve }) => curve), target }, words);
    this.#drawTable();
  }

  #showSame(sentences: string[]): void {
    this.#same.hidden = sentences.length === 0;
    // It is written only if it has changed, so that a screen reader does not read it out again.
    if (sentences.join("\n") !== [...this.#same.children].map(({ textContent }) => textContent).join("\n"))
      this.#same.replaceChildren(...sentences.map((text) => el("p", { text })));
  }

  destroy(): void {
    this.#checks.stop();
    this.#chart.destroy();
  }

  #drawTable(): void {
    this.#table.show(this.#entries, this.#group(), this.#challenge);
    this.#toldNote.hidden = this.#entries.every((entry) => entry.result !== null || !hasBegun(entry));
    this.#goalNote.hidden = this.#entries.every(({ target }) => target === null);
    this.#stop.hidden = !this.#checks.busy;
    this.#random.disabled = this.#unchecked().length === 0;
  }

  /** The sentence about the class: how many runs there are, and the median and the range of those that are compared. */
  #sentence(entries: Entry[], compared: Entry[]): string {
    const [first] = compared;
    const { median, least, most, count } = summary(compared.map(({ curve }) => curve.values.at(-1) ?? NaN));
    const runs = `${countWords(entries, count)}${refutedWords(this.#refuted)}`;
    const done = this.#challengeWords(entries);
    if (!first || count === 0) return `${runs} Nothing has been measured yet.${done}`;
    const { about } = first.lab;
    const spec = about.metrics.find(({ name }) => name === first.metric);
    const number = (value: number) => withUnit(formatNumber(value, 4, spec?.unit), spec?.unit ?? "");
    const range = count === 1 ? number(median) : `median ${number(median)}, from ${number(least)} to ${number(most)}`;
    const { target } = first;
    const goal =
      target === null ? "" : ` ${formatInteger(compared.filter(endsAtGoal).length)} at the goal of ${number(target)}.`;
    return `${runs} ${about.title}, ${spec?.label ?? first.metric}: ${range}.${goal}${this.#whenReached(compared)}${done}`;
  }

  /** How many have done the challenge of the class, whatever other settings they have, as a sentence. */
  #challengeWords(entries: Entry[]): string {
    const challenge = this.#challenge;
    if (!challenge) return "";
    const counted = entries.filter((entry) => !this.#isRefuted(entry) && !entry.isDamaged);
    const isDone = (entry: Entry) => challengesOf(entry, challenge).some(({ isOfClass }) => isOfClass);
    const done = counted.filter(isDone).length;
    return ` Challenge ${quoted(challenge.title)}: ${formatInteger(done)} of ${formatInteger(counted.length)} ${done === 1 ? "has" : "have"} done it.`;
  }

  /** At which units the runs first reached the goal, as a sentence; empty if none has. */
  #whenReached(compared: Entry[]): string {
    const units = compared.map(goalUnit).filter((unit) => unit !== null);
    const [first] = compared;
    if (!first || units.length === 0) return "";
    const { median, least, most } = summary(units);
    const runs = formatCount(units.length, "run");
    const { unit } = first.lab.about;
    if (least === most) return ` ${runs} first reached it at ${unit} ${formatInteger(least)}.`;
    const range = `${formatInteger(least)} to ${formatInteger(most)} (median ${formatNumber(median, 3)})`;
    return ` ${runs} first reached it at ${unit}s ${range}.`;
  }

  #save(): void {
    const table = resultsTable(this.#entries, this.#challenge, ({ result }) => {
      const check = result && this.#checks.stateOf(result);
      return check ? checkWords(check).text : result ? "not checked" : "";
    });
    download("learnery-class.csv", new TextEncoder().encode(table));
  }

  #unchecked(): Entry[] {
    return this.#entries.filter(({ result }) => result && !this.#checks.stateOf(result));
  }

  #checkSome(): void {
    const left = this.#unchecked();
    for (let i = 0; i < RANDOM_CHECKS && left.length > 0; i++) {
      const [picked] = left.splice(Math.floor(Math.random() * left.length), 1);
      if (picked?.result) this.#checks.add(picked.result);
    }
  }
}
