// The goal panel: the headline by name, in large digits, with its unit and the goal; its chart; and, once the goal is
// reached, the unit (training iteration) that reached it, the effort it took, whether it was lost again, and what to
// try next. While the visitor has another agent before them than that of the run, it shows that one's measured strength.

import { el, listen, write } from "../core/dom";
import { formatDuration, formatInteger, sentenceStart } from "../core/format";
import type { LookBack } from "../core/look-back";
import { fellBack, isSolved } from "../core/goal";
import type { Run } from "../core/run";
import type { MetricSpec } from "../generated/protocol";
import { goalText, headlineValue, type Headline } from "./headline";
import type { Introduction } from "./introduction";
import { reducedMotion } from "../core/theme";
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
  /** The latest value of the headline. */
  #score = el("span", { class: "score num", text: "–" });
  #targetText = el("span", { class: "score-target" });
  #comparison = el("span", { class: "score-comparison num" });
  /** The unit (training iteration) of the value. */
  #when = el("span", { class: "score-when num" });
  #badge = el("div", { class: "solved", role: "status" });
  #solvedUnit = el("b", {});
  #solvedCost = el("span", { class: "num" });

  constructor(
    readonly run: Run,
    readonly lookBack: LookBack,
    readonly headline: () => Headline,
    /** What is said of a trained network that the visitor has before them; null for the agent of the run. */
    readonly introduction: () => Introduction | null,
    /** The chart of the headline's metric. */
    readonly curve: HTMLElement,
    /** What to try next. */
    suggestions: HTMLElement,
  ) {
    const text = el("div", { class: "solved-words" }, this.#solvedUnit, this.#solvedCost);
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
      click: () => this.#badge.scrollIntoView({ block: "center", behavior: reducedMotion() ? "auto" : "smooth" }),
    });
    run.on("progress", () => this.#draw());
    run.on("opened", () => this.#draw());
    run.on("view", () => this.#draw()); // the visitor may have chosen another agent
    lookBack.on("changed", () => this.#draw());
    this.#draw();
  }

  /** Shows the name of the headline, which explains its metric if that is given. */
  #showName(text: string, spec?: MetricSpec): void {
    if (text === this.#named?.text && spec === this.#named.spec) return;
    this.#named = { text, spec };
    const name = sentenceStart(text);
    this.#name.replaceChildren(spec ? explainedMetric(spec, this.run.lab?.about.id ?? "", name) : name);
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
    this.element.classList.remove("looks-back", "fell-back");
    this.#badge.hidden = this.pill.hidden = true;
  }

  #drawRun(): void {
    const { run } = this;
    const about = run.lab?.about;
    const headline = this.headline();
    const { unit, target, comparison } = headline;
    this.#showName(headline.name, run.series.spec(headline.metric));
    write(
      this.#score,
      headlineValue(headline, run.series, (metric) => this.lookBack.last(metric)),
    );
    write(this.#targetText, [unit, goalText(target)].filter(Boolean).join(" · "));
    this.#targetText.title = run.goal?.words ?? "";
    write(this.#comparison, comparison);
    const earlier = this.lookBack.label;
    write(this.#when, sentenceStart(earlier || `${about?.unit ?? "unit"} ${formatInteger(run.progress.units)}`));
    this.element.classList.toggle("looks-back", earlier !== "");
    const isReached = isSolved(run.progress);
    const isLostAgain = fellBack(run);
    this.element.classList.toggle("fell-back", isLostAgain);
    this.#badge.hidden = this.pill.hidden = !isReached;
    if (!isReached) return;
    const solvedUnit = `${about?.unit ?? "unit"} ${formatInteger(run.progress.solvedAt ?? 0)}`;
    write(this.#solvedUnit, `Goal reached in ${solvedUnit}${isLostAgain ? ", then lost" : ""}`);
    write(this.#pillText, this.#solvedUnit.textContent ?? "");
    const { solvedWork, solvedSeconds } = run.note;
    const costs = [
      solvedWork !== null ? `${formatInteger(solvedWork)} ${about?.work ?? "steps"}` : "",
      solvedSeconds !== null ? formatDuration(solvedSeconds) : "",
    ];
    write(this.#solvedCost, costs.filter(Boolean).join(", "));
  }
}
