// The picture of the language lab: what it writes, or the problems it solves; what a byte costs it as it learns; and a look
// inside, at what it expects and where its heads look.

import { el } from "../../core/dom";
import { compact, figure } from "../../core/format";
import type { Settings } from "../../core/link";
import type { Run } from "../../core/run";
import type { LabView, Suggestion } from "../views";
import { Curve } from "./curve";
import { Facts } from "./facts";
import { GridView } from "./grid";
import { percent } from "./guesses";
import { OFFERS, settingsOf, sourceOf } from "./offers";
import { OwnText } from "./own-text";
import { Reading } from "./reading";
import { SourceSwitch } from "./switch";
import { Writing } from "./writing";
import type { LanguageCommand, LanguageSource, LanguageView } from "../../generated/protocol";
import "../figures.css";
import "./language.css";
import "./reading.css";

/** Its steps are updates, of which a browser makes a few dozen a second at most. */
export const pace = null;

export const keys: [string, string][] = [
  ["← → Home End", "on a text: choose a piece to look into"],
  ["↑ ↓", "on the strips: choose a head"],
  ["← → ↑ ↓", "on the grid: choose a problem"],
];

export function suggestions({ lab, config }: Run): Suggestion[] {
  if (!lab) return [];
  const source = sourceOf(config);
  const go = (text: string, to: LanguageSource): Suggestion[] =>
    to === source ? [] : [{ text, settings: settingsOf(lab, to) }];
  const task = source !== "stories" && source !== "text";
  return [
    ...go("Go on to stories, and read how they become stories", "stories"),
    ...(task ? [{ text: "Ask it a problem of your own, and look at where its heads look" }] : []),
    ...go("Put letters in order instead", "sort"),
    { text: "Drop a text of your own here" },
    ...(source === "addition" ? [{ text: "Make the sums a digit longer", settings: longer(config) }] : []),
  ];
}

function longer(config: Settings): Settings {
  return { ...config, size: Math.min(12, Number(config["size"] ?? 2) + 1) };
}

export function open(run: Run, attempt: (settings: Settings) => void): LabView {
  const send = (command: LanguageCommand) => run.command(command);
  const unit = run.loaded?.about.unit ?? "unit";
  /** A visitor's text, which a run that begins anew is given again. */
  let brought: LanguageCommand | null = null;
  const own = new OwnText((name, text) => {
    brought = { type: "text", name, text };
    if (!run.lab || sourceOf(run.config) === "text") send(brought);
    else attempt(settingsOf(run.lab, "text"));
  });
  const choice = new SourceSwitch((source) => {
    if (source === "text") own.open();
    else if (run.lab) attempt(settingsOf(run.lab, source));
  });
  const [grid, curve, facts, reading] = [new GridView(send), new Curve(), new Facts(), new Reading(send)];
  const writing = new Writing(send, (pieces, index, goThere) => reading.look(pieces, index, goThere), unit);
  const element = el(
    "div",
    { class: "figures language-view" },
    grid.element,
    writing.element,
    facts.element,
    curve.element,
    reading.element,
  );
  let last: LanguageView | null = null;
  /** Problems and their grid, or a text alone. */
  const show = (task: boolean) => {
    grid.element.hidden = !task;
    element.classList.toggle("task", task);
  };
  const begin = () => {
    const source = sourceOf(run.config);
    choice.show(source);
    show(source !== "stories" && source !== "text");
    for (const part of [grid, writing, curve, reading]) part.reset();
    last = null;
    if (run.open) run.measurePeak();
    if (brought && source === "text" && run.progress.units === 0) send(brought);
  };
  // Whatever else the machine does can only make it look slower.
  const heard = run.on("peak", ({ operationsPerSecond }) => (facts.peak = Math.max(facts.peak, operationsPerSecond)));
  begin();
  return {
    element,
    choice: choice.element,
    draw(raw, seconds) {
      const view = raw as LanguageView;
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
    leave() {
      heard();
      own.leave();
      for (const part of [grid, writing, curve, reading]) part.leave();
    },
  };
}

function describe({ source, tokensSeen, bits, floor, grid, sample }: LanguageView): string {
  const read = `It has read ${compact(tokensSeen)} tokens of ${OFFERS[source].name.toLowerCase()}.`;
  if (grid) return `${read} Of problems it has never seen it solves ${percent(grid.share)}.`;
  const best = floor === null ? "" : ` Nobody can do better than ${figure(floor, 3)}.`;
  const cost = bits === null ? "" : ` A byte costs it ${figure(bits, 3)} bits.${best}`;
  return `${read}${cost} It writes: ${sample.text.replaceAll("\n", " ").slice(0, 80)}`;
}
