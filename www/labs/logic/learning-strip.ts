// Three numbers below the grids that change from the first iteration on: the error of the blended gates with its curve,
// the gates that are not plain wires, and when recorded runs with these settings reached the goal.

import { el, svg, write } from "../../core/dom";
import { usualUnits } from "../../core/forecast";
import { formatInteger, formatShare } from "../../core/format";
import { runsLike } from "../../core/recorded-runs";
import type { Run } from "../../core/run";
import type { LogicView } from "../../generated/protocol";
import { sourceWords } from "../../ui/goal-words";
import { PLAIN_WIRE } from "./gate-kinds";
import recordedRuns from "./goal-units.json";

const REDRAW_SECONDS = 0.25;
/** Size of the curve in units of its own, and the most points that it has. */
const [CURVE_WIDTH, CURVE_HEIGHT, MAX_POINTS] = [100, 24, 100];
/** The curve's height stands for at least this share of the first error, so that it does not enlarge mere noise. */
const MIN_RANGE = 0.01;

export class LearningStrip {
  readonly element: HTMLElement;
  #error = el("b", { class: "num" });
  #firstError = el("span", { class: "quiet num" });
  #curve = svg("path", { "vector-effect": "non-scaling-stroke" });
  #gates = el("b", { class: "num" });
  #allGates = el("span", { class: "quiet num" });
  #gatesBar = el("span", { class: "logic-meter-bar" });
  #usual = el("div", { class: "logic-fact logic-usual" });
  #usualText = el("span", { class: "num" });
  #usualRange = el("span", { class: "logic-meter-range" });
  #usualNow = el("span", { class: "logic-meter-now" });
  #waitSeconds = 0;

  constructor(readonly run: Run) {
    const measure = (label: string, title: string, values: HTMLElement[], picture: Element) =>
      el(
        "div",
        { class: "logic-fact", title },
        el("span", { class: "logic-fact-label", text: label }),
        el("span", { class: "logic-fact-values" }, ...values.flatMap((value) => [value, " "])),
        picture,
      );
    const curve = svg(
      "svg",
      {
        viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`,
        preserveAspectRatio: "none",
        class: "logic-spark",
        "aria-hidden": "true",
      },
      this.#curve,
    );
    const meter = (...parts: HTMLElement[]) => el("span", { class: "logic-meter", "aria-hidden": "true" }, ...parts);
    this.#usual.append(
      el("span", { class: "logic-fact-label", text: "When it usually breaks through" }),
      this.#usualText,
      meter(this.#usualRange, this.#usualNow),
    );
    this.element = el(
      "div",
      { class: "logic-strip" },
      measure(
        "Error of the blended gates",
        "Soft error: mean squared error of the visible cells. Training makes it smaller.",
        [this.#error, this.#firstError],
        curve,
      ),
      measure(
        "Changed gates",
        "Gates whose most likely kind is no longer the plain wire that nearly all gates are at the start.",
        [this.#gates, this.#allGates],
        meter(this.#gatesBar),
      ),
      this.#usual,
    );
  }

  /** Prepares for a run that was opened. */
  begin(): void {
    this.#waitSeconds = 0;
  }

  draw({ gates }: LogicView, seconds: number): void {
    this.#waitSeconds -= seconds;
    if (this.#waitSeconds > 0) return;
    this.#waitSeconds = REDRAW_SECONDS;
    const { series } = this.run;
    const errors = series.column("softError").filter(Number.isFinite);
    const first = errors[0] ?? NaN;
    write(this.#error, formatShare(errors.at(-1) ?? NaN, 2));
    write(this.#firstError, errors.length > 1 ? `at first ${formatShare(first, 2)}` : "");
    this.#curve.setAttribute("d", curvePath(errors));
    const all = gates.counts.reduce((a, b) => a + b, 0);
    const wires = gates.counts[PLAIN_WIRE] ?? 0;
    write(this.#gates, formatInteger(all - wires));
    write(this.#allGates, `of ${formatInteger(all)}`);
    this.#gatesBar.style.transform = `scaleX(${((all - wires) / Math.max(1, all)).toFixed(4)})`;
    this.#drawUsual();
  }

  #drawUsual(): void {
    const { run } = this;
    const goalUnits = runsLike(run, recordedRuns);
    const usual = goalUnits && usualUnits(goalUnits);
    this.#usual.hidden = !usual;
    if (!usual) return;
    const { units, solvedAt } = run.progress;
    const now = solvedAt ?? units;
    const done = solvedAt === null ? "" : ` This one needed ${formatInteger(solvedAt)}.`;
    write(this.#usualText, sourceWords(goalUnits, run.lab?.about.unit ?? "") + done);
    const end = Math.max(usual.to, now);
    const percent = (unit: number) => `${((100 * unit) / end).toFixed(2)}%`;
    this.#usualRange.style.left = percent(usual.from);
    this.#usualRange.style.width = percent(usual.to - usual.from);
    this.#usualNow.style.left = percent(now);
  }
}

/** A path through the errors, from the largest at the upper edge to the smallest at the lower edge. */
export function curvePath(errors: readonly number[]): string {
  const stride = Math.max(1, Math.ceil(errors.length / MAX_POINTS));
  const points = errors.filter((_, i) => i % stride === 0 || i === errors.length - 1);
  if (points.length < 2) return "";
  const high = Math.max(...points);
  const range = Math.max(high - Math.min(...points), MIN_RANGE * (points[0] as number));
  const place = (error: number, i: number) => {
    const x = (CURVE_WIDTH * i) / (points.length - 1);
    const y = 1 + ((CURVE_HEIGHT - 2) * (high - error)) / range;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  return `M${points.map(place).join("L")}`;
}
