// The goal: its metric in large figures, its chart, and the unit in which it was reached.

import { el, listen, write } from "../core/dom";
import { formatNumber, formatDuration, formatInteger } from "../core/format";
import type { Settings } from "../core/link";
import { isSolved, type Run } from "../core/run";
import type { Suggestion } from "../labs/lab-view";
import { reducedMotion } from "../core/theme";
import { icon } from "./icons";

export class GoalPanel {
  readonly element: HTMLElement;
  /** A button on the picture with the same news, which leads to the suggestions. */
  readonly pill = el("button", { type: "button", class: "solved-pill", title: "What to try next", hidden: true });
  #pillText = el("span", {});
  #score = el("span", { class: "score num", text: "–" });
  #target = el("span", { class: "score-target" });
  #badge = el("div", { class: "solved", role: "status" });
  #solvedUnit = el("b", {});
  #solvedCost = el("span", { class: "num" });
  #suggestions = el("div", { class: "solved-next" });

  constructor(
    readonly run: Run,
    readonly attempt: (settings: Settings) => void,
    curve: HTMLElement,
    readonly suggestions: () => Suggestion[],
  ) {
    const words = el("div", { class: "solved-words" }, this.#solvedUnit, this.#solvedCost);
    const sign = el("span", { class: "solved-sign" }, icon("check"));
    this.#badge.append(sign, words, this.#suggestions);
    this.element = el(
      "section",
      { class: "goal", "aria-label": "Goal" },
      el("p", { class: "score-line" }, this.#score, this.#target),
      curve,
      this.#badge,
    );
    this.pill.append(icon("check"), this.#pillText);
    listen(this.pill, {
      click: () => this.#badge.scrollIntoView({ block: "center", behavior: reducedMotion() ? "auto" : "smooth" }),
    });
    run.on("progress", () => this.#draw());
    run.on("opened", () => this.#reset());
    this.#reset();
  }

  #reset(): void {
    const ways = this.suggestions().map(({ text, settings }) => {
      const act = () => settings && this.attempt(settings);
      return el("li", {}, settings ? el("button", { type: "button", class: "link", text, on: { click: act } }) : text);
    });
    const list = el("ul", { class: "next" }, ...ways);
    this.#suggestions.replaceChildren(el("p", { class: "label", text: "What to try next" }), list);
    this.#suggestions.hidden = ways.length === 0;
    this.#draw();
  }

  #draw(): void {
    const { run } = this;
    const about = run.lab?.about;
    const goal = run.goal;
    const name = goal?.metric ?? about?.charts[0] ?? "";
    const spec = run.series.spec(name);
    const unit = spec?.unit ?? "";
    write(this.#score, formatNumber(run.series.last(name), 3, unit));
    write(this.#target, goal ? `${unit}, the goal is ${formatNumber(goal.target)}`.replace(/^, /, "") : unit);
    this.#target.title = goal?.words ?? "";
    const solved = isSolved(run.progress);
    const value = run.series.last(name);
    const { better } = spec ?? {};
    const behind = goal ? (better === "lower" ? value - goal.target : goal.target - value) : 0;
    const fellBack = goal && behind > 0.2 * Math.abs(goal.target);
    this.element.classList.toggle("fell-back", solved && Boolean(fellBack));
    this.#badge.hidden = this.pill.hidden = !solved;
    if (!solved) return;
    write(this.#solvedUnit, `Solved in ${about?.unit ?? "unit"} ${formatInteger(run.progress.solvedAt ?? 0)}`);
    write(this.#pillText, this.#solvedUnit.textContent ?? "");
    const { solvedWork, solvedSeconds } = run.note;
    const facts = [
      solvedWork !== null ? `${formatInteger(solvedWork)} ${about?.work ?? "steps"}` : "",
      solvedSeconds !== null ? formatDuration(solvedSeconds) : "",
    ];
    write(this.#solvedCost, facts.filter(Boolean).join(", "));
  }
}
