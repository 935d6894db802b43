// The tour of the backgammon lab: self-play, the prediction, how it chooses a play, the score, and what a
// learning rate that is too high does.

import { measuredAfter, measuredText, type Measure } from "../../core/since-change";
import { breakCaptions, learningRateTexts } from "../../ui/tour-break";
import type { Captions, Waiting } from "../../ui/tour-caption";

/** Rounds (units of training) that the visitor waits for. */
const WATCHED_ROUNDS = 2;

/** What shows that a learning rate of 0.1 breaks learning, and from which change on. */
const BREAK_MEASURES: Measure[] = [
  // Points are tested seldom; the loss is measured in every round that learns, as a mean over its minibatches. Measured
  // with three seeds, after 5 to 100 rounds (docs/log/page.md): in the first round it rose by a third at least.
  { metric: "loss", words: "error of its predictions (loss)", worse: "up", fraction: 0.15 },
];

/** Whether the agent plays both sides on the board, so that the buttons of a watched game are there. */
const isWatched = ({ view }: Waiting<"backgammon">) =>
  view === null || (view.stage.players === "watch" && !view.stage.matchPlay);

export const captions: Captions<"backgammon"> = (run) => [
  {
    at: [".board"],
    text: "The agent learns by playing against itself. Its network began with random numbers, and nobody shows it good moves.",
    task: "Wait for two rounds, which are pieces of training.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units >= unitsBefore + WATCHED_ROUNDS,
  },
  {
    at: [".outlook"],
    text: "The network predicts who wins. Equity is what the leader gains on average, in points a game.",
    task: "Press “Next turn” and watch the bar.",
    when: isWatched,
    done: ({ commands }) => commands.some(({ type }) => type === "next"),
    show: () => [{ press: "Next turn", within: ".game-controls" }],
  },
  {
    at: [".candidates-figure"],
    text:
      run.settings["learner"] === "alphazero"
        ? "How it plays: a small tree search tries plays and the replies to them. The best play is on top."
        : "How it plays: it judges the position after every legal play, and takes the best, on top.",
    task: "Point at another play to see it on the board.",
    when: isWatched,
    shown: "li.candidate:not(:first-child):not(.none):is(:hover, :focus)",
    show: () => [{ focus: "li.candidate:nth-child(2):not(.none)" }],
  },
  {
    at: [".goal"],
    text: "How much it has learned: its points per game against pubeval, a program from 1993. Random play loses 2.4.",
    // While the visitor plays the expert, the panel shows the expert's strength.
    when: ({ view }) => view?.stage.players !== "expert",
    task: "Wait for the next test.",
    needsRun: true,
    done: ({ run, unitsBefore }) => measuredAfter(run.series, "points", unitsBefore).length > 0,
    outcome: ({ run: { series }, before, unitsBefore }) => {
      const first = Number.isFinite(before("points")) ? `; before: ${measuredText(series, "points", unitsBefore)}` : "";
      return `Its points per game: ${measuredText(series, "points")}${first}.`;
    },
  },
  ...breakCaptions(run, {
    ...learningRateTexts("the network's weights, its numbers"),
    at: [".outlook"],
    measures: BREAK_MEASURES,
  }),
];
