// The tour of the language lab: what it writes, how one sees what it has learned, a look inside, and what breaks it.
// For tasks that is a learning rate that is too high, which the grid of problems shows. Stories and texts have no such
// grid; there it is a high temperature.

import { formatNumber, sentenceStart } from "../../core/format";
import { measuredAfter, measuredText, type Measure } from "../../core/since-change";
import type { LanguageSample } from "../../generated/protocol";
import { breakCaptions, learningRateTexts } from "../../ui/tour-break";
import type { Caption, Captions, Waiting } from "../../ui/tour-caption";
import { isTask, sourceOf, unitOfLoss } from "./sources";
import { HIGH_TEMPERATURE, notchOf, TEMPERATURE_SLIDER, TEMPERATURES, USUAL_TEMPERATURE } from "./temperatures";

/** How much each metric of a task must get worse before the tour says that the learning rate broke learning. */
const BREAK_MEASURES: Measure[] = [
  {
    metric: "exact",
    words: "share of right answers",
    worse: "down",
    // A test has 512 problems by default, so chance alone changes the share by a few percent.
    fraction: 0.3,
    // Where a problem has few possible answers, some are right by chance, so a small percentage says little.
    counts: (from) => from >= 20,
  },
  // The training loss is a mean over the batches of an iteration. With the highest rate it rose by half at least, to
  // 0.5 or more, in the first iteration, so a rise by a quarter is enough. Once a task is learned, noise stays far
  // below 0.4.
  { metric: "loss", words: "training loss", worse: "up", fraction: 0.25, least: 0.4 },
];

/** So many tokens of a sample are enough to tell how probable they are. */
const WATCHED_TOKENS = 30;

/** A caption that waits for the next test of a metric, and tells it. */
const nextTest = (metric: string, text: string, told: string): Caption<"language"> => ({
  at: [".goal"],
  text,
  task: "Wait for the next test.",
  needsRun: true,
  done: ({ run, unitsBefore }) => measuredAfter(run.series, metric, unitsBefore).length > 0,
  outcome: ({ run: { series }, before, unitsBefore }) => {
    const earlier = Number.isFinite(before(metric)) ? `; before: ${measuredText(series, metric, unitsBefore)}` : "";
    return `${told}: ${measuredText(series, metric)}${earlier}.`;
  },
});

/** The mean probability of the tokens that the network has written, in percent. */
function meanProbability({ pieces, promptPieces }: LanguageSample): number {
  const written = pieces.slice(promptPieces);
  return (100 * written.reduce((sum, { probability }) => sum + probability, 0)) / written.length;
}

/** A sample that was written at a high temperature from its beginning; null if there is none yet. */
function writtenFreely({ view, commands, viewsSince }: Waiting<"language">): LanguageSample | null {
  const types = commands.map(({ type }) => type);
  const isAsked = types.lastIndexOf("again") > types.lastIndexOf("dials");
  // The first view after a command may have been asked for before it; the second was not.
  if (!view || !isAsked || viewsSince < 2 || view.temperature < HIGH_TEMPERATURE) return null;
  return view.sample.pieces.length - view.sample.promptPieces >= WATCHED_TOKENS ? view.sample : null;
}

const percent = (probability: number) => `${formatNumber(probability, 2)}%`;

function breakByTemperature(pieces: string): Caption<"language">[] {
  const last = TEMPERATURES.length - 1;
  return [
    {
      at: [".language-stage"],
      text: `Break it. Temperature is how freely it chooses: at 0 always the most probable, at ${TEMPERATURES[last]} often improbable ${pieces}.`,
      task: "Drag Temperature to the right end, press “Generate again”, and read.",
      done: (waiting) => writtenFreely(waiting) !== null,
      outcome: (waiting) => {
        const [now, earlier] = [writtenFreely(waiting), waiting.viewBefore];
        const before = earlier ? meanProbability(earlier.sample) : NaN;
        const first = Number.isFinite(before) ? `; before: ${percent(before)}` : "";
        return now ? `Mean probability of what it wrote: ${percent(meanProbability(now))}${first}.` : "";
      },
      show: () => [
        { slide: TEMPERATURE_SLIDER, to: last },
        { press: "Generate again", within: ".language-controls" },
      ],
    },
    {
      at: [".language-sampling"],
      text: "Temperature changes nothing in the network. It matters only while it writes.",
      task: "Drag Temperature back.",
      when: ({ view }) => (view?.temperature ?? 0) >= HIGH_TEMPERATURE,
      done: ({ view }) => view !== null && view.temperature < HIGH_TEMPERATURE,
      show: () => [{ slide: TEMPERATURE_SLIDER, to: notchOf(USUAL_TEMPERATURE) }],
    },
  ];
}

export const captions: Captions<"language"> = (run) => {
  const source = sourceOf(run.settings);
  const task = isTask(source);
  const [piece, pieces] = task ? ["character", "characters"] : ["piece of text", "pieces"];
  const writing: Caption<"language"> = {
    at: [".language-stage"],
    text: `The network writes one ${piece} at a time: it predicts what comes next, writes it, and looks again.`,
    task: "Press “Generate again”.",
    done: ({ commands }) => commands.some(({ type }) => type === "again"),
    show: () => [{ press: "Generate again", within: ".language-controls" }],
  };
  const reading: Caption<"language"> = {
    at: [".language-reading"],
    text: `A look inside: its attention heads decide which earlier ${pieces} matter for the next one.`,
    task: `Press one of the ${pieces}.`,
    done: ({ commands }) => commands.some(({ type }) => type === "token"),
    show: () => [{ click: ".language-reading .piece" }],
  };
  if (!task) {
    const unit = unitOfLoss(source);
    const unseen = source === "stories" ? "a new story" : "text it has not seen";
    const loss = `How much it has learned: its ${unit} for ${unseen}. Fewer is better; a plain file needs 8.`;
    return [writing, nextTest("bits", loss, sentenceStart(unit)), reading, ...breakByTemperature(pieces)];
  }
  return [
    {
      at: [".language-problems"],
      text: "Each square is a problem that the network never practised. Green: it gave the right answer.",
      task: "Point at a square to read its problem.",
      shown: ".language-problems.chosen",
      show: () => [{ key: "ArrowRight", on: ".language-grid-frame" }],
    },
    nextTest(
      "exact",
      "How much it has learned: the share of right answers to problems that it has never seen.",
      "Right answers",
    ),
    writing,
    reading,
    ...breakCaptions(run, {
      // With Muon this learning rate changes the matrices inside the blocks, not the embeddings.
      ...learningRateTexts(
        run.settings["optimiser"] === "muon" ? "most of the network" : "the network's weights, its numbers",
      ),
      at: [".language-problems"],
      measures: BREAK_MEASURES,
      updates: ({ updates }) => Number(updates),
    }),
  ];
};
