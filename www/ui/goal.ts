// The goal panel: the headline by name, in large digits, with its unit and the goal; its chart; and, once a test has
// reached the goal, how the run stands to it now, the test that reached it, the effort it took, and what to try next.
// While the visitor has another agent before them than that of the run, it shows that one's measured strength.

import { el, listen, write } from "../core/dom";
import { formatDuration, formatInteger, sentenceStart } from "../core/format";
import { confirmingTest, reachingTest } from "../core/goal";
import type { ShownTest } from "../core/shown-test";
import type { MetricSpec } from "../generated/protocol";
import { goalText, headlineValue, type Headline } from "./headline";
import type { Introduction } from "./introduction";
import { bringIntoSight } from "../core/into-sight";
import { reachedWords, standingWords, valueWords } from "./goal-words";
import { icon } from "./icons";
import { explainedMetric } from "./term";

export class GoalPanel {
  readonly element: HTMLElement;
  /** A button on the picture that says the goal is reached and scrolls to the suggestions. */
  readonly pill = el("button", { type: "button", class: "solved-pill", title: "What to try next", hidden: true });
  #pillText = el("span", {});
  /** The name of the headline. */
  #name = el("span", { class: "score-name" });
  /** What the name was written from. */
  #named: { text: string; spec: MetricSpec | undefined } | null = null;
  /** The value of the headline in the shown test. */
  #score = el("span", { class: "score num", text: "–" });
  #targetText = el("span", { class: "score-target" });
  #comparison = el("span", { class: "score-comparison num" });
  /** The unit (training iteration) in which it was measured. */
  #when = el("span", { class: "score-when num" });
  #badge = el("div", { class: "solved", role: "status" });
  /** How the run stands to its goal. */
  #standing = el("b", {});
  /** The test that reached the goal, and what that took. */
  #reached = el("span", { class: "num" });

  constructor(
    readonly shown: ShownTest,
    readonly headline: () => Headline,
    /** What is said of a trained network that the visitor has before them; null for the agent of the run. */
    readonly introduction: () => Introduction | null,
    /** The chart of the headline's metric. */
    readonly curve: HTMLElement,
    /** What to try next. */
    suggestions: HTMLElement,
  ) {
    const text = el("div", { class: "solved-words" }, this.#standing, this.#reached);
    const badgeIcon = el("span", { class: "solved-sign" }, icon("check"));
    this.#badge.append(badgeIcon, text, suggestions);
    this.element = el(
      "section",
      { class: "goal", "aria-label": "Goal" },
      el("p", { class: "score-line" }, this.#name, this.#score, this.#targetText, this.#comparison, this.#when),
      curve,
      this.#badge,
    );
    this.pill.append(icon("check"), this.#pillText);
    listen(this.pill, {
      click: () => bringIntoSight(this.#badge, "center"),
    });
    shown.run.on("opened", () => this.#draw());
    shown.on("changed", () => this.#draw());
    this.#draw();
  }

  /** Shows the name of the headline, which explains its metric if that is given. */
  #showName(text: string, spec?: MetricSpec): void {
    if (text === this.#named?.text && spec === this.#named.spec) return;
    this.#named = { text, spec };
    const name = sentenceStart(text);
    this.#name.replaceChildren(spec ? explainedMetric(spec, this.shown.run.lab?.about.id ?? "", name) : name);
  }

  #draw(): void {
    const introduction = this.introduction();
    this.curve.hidden = introduction !== null;
    if (introduction) this.#introduce(introduction);
    else this.#drawRun();
  }

  /** Shows the measured strength of a trained network that the visitor has before them. */
  #introduce({ headline, note }: Introduction): void {
    const { name, value, unit, comparison } = headline;
    this.#showName(name);
    write(this.#score, value);
    write(this.#targetText, unit);
    this.#targetText.title = "";
    write(this.#comparison, comparison);
    write(this.#when, note);
    this.element.classList.remove("looks-back", "fell-back", "has-reached");
    this.#badge.hidden = this.pill.hidden = true;
  }

  #drawRun(): void {
    const { shown } = this;
    const { run, lookBack, standing } = shown;
    const about = run.lab?.about;
    const unitName = about?.unit ?? "iteration";
    const headline = this.headline();
    const { metric, unit, target, comparison } = headline;
    this.#showName(headline.name, run.series.spec(metric));
    write(
      this.#score,
      headlineValue(headline, run.series, (name) => shown.last(name)),
    );
    write(this.#targetText, [unit, goalText(target)].filter(Boolean).join(" · "));
    this.#targetText.title = run.goal?.words ?? "";
    write(this.#comparison, comparison);
    const earlier = lookBack.label;
    const measured = shown.unitOf(metric);
    const unitText = `${unitName} ${formatInteger(measured ?? run.progress.units)}`;
    const testText = run.goal && measured !== null ? `test at ${unitText}` : unitText;
    // While the visitor looks back, the score may be of a test before the moment that is shown.
    const isOfEarlierTest = run.goal !== null && measured !== null && measured !== lookBack.unit;
    const when = earlier === "" ? testText : isOfEarlierTest ? `${earlier}, ${testText}` : earlier;
    write(this.#when, sentenceStart(when));
    this.element.classList.toggle("looks-back", earlier !== "");
    this.element.classList.toggle("has-reached", shown.reachesGoal);
    this.element.classList.toggle("fell-back", shown.isWorse);
    this.#badge.hidden = this.pill.hidden = standing === "open";
    if (standing === "open") return;
    for (const each of [this.#badge, this.pill]) each.classList.toggle("confirmed", standing === "solved");
    const words = standingWords(standing, shown.test);
    write(this.#standing, words);
    write(this.#pillText, words);
    const { solvedWork, solvedSeconds } = run.note;
    const costs = [
      ...headline.took,
      solvedWork !== null ? `${formatInteger(solvedWork)} ${about?.work ?? "steps"}` : "",
      solvedSeconds ? formatDuration(solvedSeconds) : "", // a replay measures none
    ].filter(Boolean);
    const test = reachingTest(run);
    const value = test ? valueWords(headline, run.series, test.unit) : "";
    const confirmedAt = standing === "solved" && test !== null ? (confirmingTest(run)?.unit ?? null) : null;
    write(
      this.#reached,
      reachedWords(unitName, run.progress.solvedAt ?? 0, {
        value,
        costs,
        confirmedAt,
        unconfirmed: standing === "reached" ? shown.test : null,
      }),
    );
  }
}
