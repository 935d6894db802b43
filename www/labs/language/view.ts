// The picture of the language lab: what it writes or the problems it solves, its loss, and the inspector.

import { el } from "../../core/dom";
import { formatCompact, formatNumber } from "../../core/format";
import type { Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { Run } from "../../core/run";
import { Choices } from "../../ui/choices";
import type { LabView, Suggestion } from "../lab-view";
import { LossCurve } from "./loss-curve";
import { KeyFigures } from "./key-figures";
import { ProblemGrid } from "./problem-grid";
import { formatPercent } from "./predictions";
import { SOURCES, sourceOf } from "./sources";
import { OwnText } from "./own-text";
import { Inspector } from "./inspector";
import { Writing } from "./writing";
import type { LanguageCommand, LanguageSource, LanguageView } from "../../generated/protocol";
import "./language.css";
import "./reading.css";

/** A step is a parameter update, and a browser makes a few dozen a second at most. */
export const pace = null;

export const keys: [string, string][] = [
  ["← → Home End", "on a text: choose a piece to look into"],
  ["↑ ↓", "on the strips: choose a head"],
  ["← → ↑ ↓", "on the grid: choose a problem"],
];

export function suggestions({ lab, settings: config }: Run): Suggestion[] {
  if (!lab) return [];
  const source = sourceOf(config);
  const go = (text: string, to: LanguageSource): Suggestion[] =>
    to === source ? [] : [{ text, settings: firstSettingsWith(lab, "source", to) }];
  const task = source !== "stories" && source !== "text";
  return [
    ...go("Go on to stories, and read how they get better", "stories"),
    ...(task ? [{ text: "Ask it a question of your own, and see where its heads look" }] : []),
    ...go("Put letters in order instead", "sort"),
    { text: "Drop a text of your own here" },
    ...(source === "addition" ? [{ text: "Make the sums a digit longer", settings: longer(config) }] : []),
  ];
}

function longer(config: Settings): Settings {
  return { ...config, size: Math.min(12, Number(config["size"] ?? 2) + 1) };
}

export function open(run: Run, restart: (settings: Settings) => void): LabView<LanguageView> {
  const send = (command: LanguageCommand) => run.command(command);
  const unit = run.loaded?.about.unit ?? "unit";
  /** The visitor's text, which is sent again when a new run starts. */
  let ownText: LanguageCommand | null = null;
  const own = new OwnText((name, text) => {
    ownText = { type: "text", name, text };
    if (!run.lab || sourceOf(run.settings) === "text") send(ownText);
    else restart(firstSettingsWith(run.lab, "source", "text"));
  });
  const choice = sourceChoice((source) => {
    if (source === "text") own.open();
    else if (run.lab) restart(firstSettingsWith(run.lab, "source", source));
  });
  const [grid, curve, facts, reading] = [new ProblemGrid(send), new LossCurve(), new KeyFigures(), new Inspector(send)];
  const writing = new Writing(send, (pieces, index, goThere) => reading.inspect(pieces, index, goThere), unit);
  const element = el(
    "div",
    { class: "captions figures language-view" },
    grid.element,
    writing.element,
    facts.element,
    curve.element,
    reading.element,
  );
  let last: LanguageView | null = null;
  /** Shows the grid of problems for tasks, and only the text otherwise. */
  const show = (task: boolean) => {
    grid.element.hidden = !task;
    element.classList.toggle("task", task);
  };
  const begin = () => {
    const source = sourceOf(run.settings);
    choice.show(source);
    show(source !== "stories" && source !== "text");
    for (const part of [grid, writing, curve, reading]) part.reset();
    last = null;
    if (run.open) run.measurePeak();
    if (ownText && source === "text" && run.progress.units === 0) send(ownText);
  };
  // Other work of the machine can only lower the measured peak, so the highest counts.
  const unsubscribe = run.on(
    "peak",
    ({ operationsPerSecond }) => (facts.peakOperations = Math.max(facts.peakOperations, operationsPerSecond)),
  );
  begin();
  return {
    element,
    choice: choice.element,
    draw(view, seconds) {
      last = view;
      show(Boolean(view.grid));
      if (view.grid) grid.draw(view.grid, seconds);
      writing.draw(view);
      facts.draw(view, run);
      curve.draw(view, run.series, seconds);
      reading.draw(view, seconds);
    },
    opened: begin,
    celebrate: () => grid.celebrate(),
    describe: () => (last ? describe(last) : ""),
    destroy() {
      unsubscribe();
      own.destroy();
      for (const part of [grid, writing, curve, reading]) part.destroy();
    },
  };
}

function describe({ source, tokensSeen, bits, floor, grid, sample }: LanguageView): string {
  const read = `It has read ${formatCompact(tokensSeen)} tokens of ${SOURCES[source].name.toLowerCase()}.`;
  if (grid) return `${read} Of problems it has never seen it solves ${formatPercent(grid.share)}.`;
  const best = floor === null ? "" : ` The lower bound is ${formatNumber(floor, 3)}.`;
  const cost = bits === null ? "" : ` Its loss is ${formatNumber(bits, 3)} bits a byte.${best}`;
  return `${read}${cost} It writes: ${sample.text.replaceAll("\n", " ").slice(0, 80)}`;
}

/** The choice of what the network reads, as a row of signs. */
function sourceChoice(choose: (source: LanguageSource) => void): Choices<LanguageSource> {
  const choices = Object.values(SOURCES).map(({ source, name, task, sign }) => ({
    value: source,
    title: task,
    content: [
      el("span", { class: "language-sign mono", "aria-hidden": "true", text: sign }),
      el("span", { class: "choice-name", text: name }),
    ],
  }));
  return new Choices({
    class: "choices language-sources",
    buttonClass: "choice",
    label: "What it reads",
    choices,
    choose,
    // A visitor's own text can be exchanged for another.
    repeats: (source) => source === "text",
  });
}
