// The language lab's screen: a choice of text to learn from, the text that the network writes, for tasks also a grid of
// problems, key numbers, the loss, and the inspector (a look inside the network while it reads).

import { el } from "../../core/dom";
import { formatCompact, formatNumber, formatShare } from "../../core/format";
import type { Settings } from "../../core/link";
import { firstSettingsWith } from "../../core/presets";
import type { Run } from "../../core/run";
import { Choices } from "../../ui/choices";
import type { LabView } from "../../ui/lab-view";
import { aboutWords } from "./about-words";
import { LossCurve } from "./loss-curve";
import { KeyNumbers } from "./key-numbers";
import { ProblemGrid } from "./problem-grid";
import { headline } from "./headline";
import { isTask, SOURCES, sourceOf, unitOfLoss } from "./sources";
import { OwnText } from "./own-text";
import { Inspector } from "./inspector";
import { Writing } from "./writing";
import type { LanguageCommand, LanguageSource, LanguageView } from "../../generated/protocol";
import "./language.css";
import "./reading.css";

/**
 * The lab starts at max speed. A step is a parameter update here, of which a browser makes a few dozen a second at
 * most, so max speed is still slow enough to follow.
 */
export const pace = null;

export { default as recordedRuns } from "./goal-units.json";
export { story } from "./story";

/** The keys of the picture, for the list in the page's help: each with what it does. */
export const keys: [string, string][] = [
  ["← → Home End", "on a text: choose a token to inspect"],
  ["↑ ↓", "on the attention strips: choose a head"],
  ["← → ↑ ↓", "on the grid: choose a problem"],
];

export function open(run: Run, restart: (settings: Settings) => void): LabView<LanguageView> {
  const send = (command: LanguageCommand) => run.command(command);
  const unit = run.loaded?.about.unit ?? "unit";
  /** The visitor's text, which is sent again when a new run starts. */
  let ownText: LanguageCommand | null = null;
  const ownTextDialog = new OwnText((name, text) => {
    ownText = { type: "text", name, text };
    // Another source needs a new run, whose `begin` sends the text.
    if (!run.lab || sourceOf(run.settings) === "text") send(ownText);
    else restart(firstSettingsWith(run.lab, "source", "text"));
  });
  const choice = sourceChoice((source) => {
    if (source === "text") ownTextDialog.open();
    else if (run.lab) restart(firstSettingsWith(run.lab, "source", source));
  });
  const [grid, curve] = [new ProblemGrid((command) => run.read(command)), new LossCurve()];
  const [keyNumbers, inspector] = [new KeyNumbers(), new Inspector(send)];
  const writing = new Writing(send, (pieces, index, scroll) => inspector.inspect(pieces, index, scroll), unit);
  const element = el(
    "div",
    { class: "captions figures language-view" },
    grid.element,
    writing.element,
    keyNumbers.element,
    curve.element,
    inspector.element,
  );
  let latest: LanguageView | null = null;
  /** Shows the grid of problems for tasks, and hides it for other texts. */
  const showGrid = (task: boolean) => {
    grid.element.hidden = !task;
    element.classList.toggle("task", task);
  };
  const begin = () => {
    const source = sourceOf(run.settings);
    choice.show(source);
    showGrid(isTask(source));
    for (const part of [grid, writing, curve, inspector]) part.reset();
    latest = null;
    keyNumbers.peakOperations = run.gpu?.operationsPerSecond ?? 0;
    if (run.open && run.device === "cpu") run.measurePeak();
    if (ownText && source === "text" && run.progress.units === 0) send(ownText);
  };
  // Other work on the machine can only lower the measured peak, so the highest measurement counts.
  const unsubscribePeak = run.on(
    "peak",
    ({ operationsPerSecond }) => (keyNumbers.peakOperations = Math.max(keyNumbers.peakOperations, operationsPerSecond)),
  );
  const unsubscribeDevice = run.on("device", ({ gpu }) => (keyNumbers.peakOperations = gpu?.operationsPerSecond ?? 0));
  begin();
  return {
    element,
    choice: choice.element,
    draw(view, seconds) {
      latest = view;
      showGrid(Boolean(view.grid));
      if (view.grid) grid.draw(view.grid, seconds);
      writing.draw(view);
      keyNumbers.draw(view, run);
      curve.draw(view, run.series, seconds);
      inspector.draw(view, seconds);
    },
    opened: begin,
    aboutWords: (about) => aboutWords(about, sourceOf(run.settings), run.goal),
    get refused() {
      return grid.refused;
    },
    show: (text) => send({ type: "prompt", text }),
    estimates: "predictions",
    celebrate: () => grid.celebrate(),
    headline: (last) => headline(run.settings, last, latest ?? { gzip: null, floor: null }),
    describe: () => (latest ? describe(latest) : ""),
    destroy() {
      unsubscribePeak();
      unsubscribeDevice();
      ownTextDialog.destroy();
      for (const part of [grid, writing, curve, inspector]) part.destroy();
    },
  };
}

/** How much of a generated text is read to users of screen readers. */
const DESCRIBED_CHARACTERS = 80;

/** The state of the run in a few sentences, for screen readers. */
function describe({ source, tokensSeen, bits, floor, grid, sample }: LanguageView): string {
  const learned = `Trained on ${formatCompact(tokensSeen)} tokens of ${SOURCES[source].name.toLowerCase()}.`;
  if (grid) return `${learned} It answers ${formatShare(grid.share)} of held-out problems exactly.`;
  const bound = floor === null ? "" : ` The lower bound is ${formatNumber(floor, 3)}.`;
  const loss = bits === null ? "" : ` Its loss is ${formatNumber(bits, 3)} ${unitOfLoss(source)}.${bound}`;
  return `${learned}${loss} It writes: ${sample.text.replaceAll("\n", " ").slice(0, DESCRIBED_CHARACTERS)}`;
}

/** The choice of what the network learns from, as a row of buttons. */
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
    label: "Training data",
    choices,
    choose,
    // A visitor's own text can be exchanged for another.
    repeats: (source) => source === "text",
  });
}
