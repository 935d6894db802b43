// How it stands: the judged figure large, its curve, and, once reached, the moment it was solved.

import { el, write } from "../core/dom";
import { exact, figure, span, whole } from "../core/format";
import type { Settings } from "../core/link";
import { isSolved, type Run } from "../core/run";
import type { Suggestion } from "../labs/views";
import type { Chart } from "./chart";
import { calm } from "../core/theme";
import { icon } from "./icons";

export class GoalPanel {
  readonly element: HTMLElement;
  /** The same moment on the picture itself, and the way from there to what to try next. */
  readonly pill = el("button", { type: "button", class: "solved-pill", title: "What to try next", hidden: true });
  #pillText = el("span", {});
  #score = el("span", { class: "score num", text: "–" });
  #target = el("span", { class: "score-target" });
  #badge = el("div", { class: "solved", role: "status" });
  #when = el("b", {});
  #how = el("span", { class: "num" });

  constructor(
    readonly run: Run,
    attempt: (settings: Settings) => void,
    curve: Chart,
    suggestions: Suggestion[],
  ) {
    const list = el("ul", { class: "next" });
    for (const { text, settings } of suggestions) {
      const act =
        settings && el("button", { type: "button", class: "link", text, on: { click: () => attempt(settings) } });
      list.append(el("li", {}, act || text));
    }
    const words = el("div", { class: "solved-words" }, this.#when, this.#how);
    this.#badge.append(el("span", { class: "solved-sign" }, icon("check") as unknown as HTMLElement), words);
    if (suggestions.length > 0)
      this.#badge.append(
        el("div", { class: "solved-next" }, el("p", { class: "label", text: "What to try next" }), list),
      );
    this.element = el(
      "section",
      { class: "goal", "aria-label": "How it stands" },
      el("p", { class: "score-line" }, this.#score, this.#target),
      curve.element,
      this.#badge,
    );
    this.pill.append(icon("check"), this.#pillText);
    this.pill.addEventListener("click", () =>
      this.#badge.scrollIntoView({ block: "center", behavior: calm() ? "auto" : "smooth" }),
    );
    run.on("progress", () => this.#draw());
    run.on("opened", () => this.#draw());
    this.#draw();
  }

  #draw(): void {
    const { run } = this;
    const about = run.lab?.about;
    const goal = run.goal;
    const name = goal?.metric ?? about?.charts[0] ?? "";
    const spec = run.series.spec(name);
    write(this.#score, figure(run.series.last(name), 3));
    const unit = spec?.unit ?? "";
    write(this.#target, goal ? `${unit}, the goal is ${exact(goal.target)}`.replace(/^, /, "") : unit);
    this.#target.title = goal?.words ?? "";
    const solved = isSolved(run.progress);
    const value = run.series.last(name);
    const { better } = spec ?? {};
    const fellBack = goal && (better === "lower" ? value > goal.target * 1.2 : value < goal.target * 0.8);
    this.element.classList.toggle("fell-back", solved && Boolean(fellBack));
    this.#badge.hidden = this.pill.hidden = !solved;
    if (!solved) return;
    write(this.#when, `Solved in ${about?.unit ?? "unit"} ${whole(run.progress.solvedAt ?? 0)}`);
    write(this.#pillText, this.#when.textContent ?? "");
    const { solvedWork, solvedSeconds } = run.note;
    const facts = [
      solvedWork !== null ? `${whole(solvedWork)} ${about?.work ?? "steps"}` : "",
      solvedSeconds !== null ? span(solvedSeconds) : "",
    ];
    write(this.#how, facts.filter(Boolean).join(", "));
  }
}
