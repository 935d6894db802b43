// The tour of the logic lab: cells, soft and hard gates, the soft error, and what a weight decay that is too high
// does.

import { formatCount, formatNumber } from "../../core/format";
import type { Measure } from "../../core/since-change";
import { breakCaptions } from "../../ui/tour-break";
import type { Captions, Waiting } from "../../ui/tour-caption";
import { BREAKING } from "./breaking";

const WATCHED_ITERATIONS = 2;
/** The soft gates make the pattern when their error is below this. */
const LEARNED_ERROR = 0.01;

const percent = (error: number) => `${formatNumber(100 * error, 3)}%`;

/**
 * What shows that a weight decay of 1 breaks what was learned: in all tasks that were measured, the error rises from less
 * than 0.002 to more than 0.03 within three iterations (docs/log/page.md). An error that has not fallen cannot rise.
 */
const BREAK_MEASURES: Measure[] = [
  {
    metric: "softError",
    words: "soft error",
    worse: "up",
    fraction: 0.5,
    least: 0.03,
    counts: (from) => from < LEARNED_ERROR,
    format: percent,
  },
];

/** Whether the task has a target that the view shows, which not every task has. */
const hasTarget = ({ view }: Waiting<"logic">) => view === null || view.target.length > 0;

const hasLearned = ({ run }: Waiting<"logic">) => run.series.last("softError") < LEARNED_ERROR;

/** How many cells are wrong with hard gates, which only a task with a target tells. */
function wrongCells({ view, viewBefore }: Waiting<"logic">): string {
  if (!view || view.target.length === 0) return "";
  const { wrongHard } = view.stage;
  const before = viewBefore ? `; before: ${viewBefore.stage.wrongHard}` : "";
  return `With hard gates, ${formatCount(wrongHard, "cell")} ${wrongHard === 1 ? "is" : "are"} wrong now${before}.`;
}

export const captions: Captions<"logic"> = (run) => [
  {
    at: [".logic-panes"],
    text: "Each square is a cell. All cells run the same small circuit and see only their neighbours.",
    task: "Wait for an iteration, a piece of training.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
  },
  {
    at: [".logic-errors"],
    text: "In training, gates are soft: each is a mixture of all sixteen functions, with weights that change a little at a time. This is their error.",
    task: "Wait for two iterations.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units >= unitsBefore + WATCHED_ITERATIONS,
    outcome: ({ run, before }) => {
      const from = before("softError");
      const first = Number.isFinite(from) ? `; before: ${percent(from)}` : "";
      return `Soft error: ${percent(run.series.last("softError"))}${first}.`;
    },
  },
  {
    at: [".logic-errors"],
    text: "Training goes on until the soft gates make the pattern.",
    task: `Wait until the soft error is below ${percent(LEARNED_ERROR)}.`,
    when: (waiting) => hasTarget(waiting) && !hasLearned(waiting),
    needsRun: true,
    reading: ({ run }) => `Soft error: ${percent(run.series.last("softError"))}.`,
    done: hasLearned,
  },
  {
    at: [".logic-pane.hard"],
    text: "In the end, gates are hard: each computes only its most likely function. Then no cell may be wrong.",
    task: "Disturb them: press “Damage the middle”.",
    // The second view after the command was asked for after it.
    done: ({ commands, viewsSince }) => commands.some(({ type }) => type === "wound") && viewsSince >= 2,
    outcome: wrongCells,
    show: () => [{ press: "Damage the middle", within: ".logic-controls" }],
  },
  ...breakCaptions(run, {
    text: (title) =>
      `Break it. The ${title} pulls every gate back towards an even mixture of all functions. Too much of it undoes learning.`,
    recovery: "With little weight decay it may learn again.",
    breaking: BREAKING,
    at: [".logic-errors", ".logic-gates"],
    measures: BREAK_MEASURES,
  }),
];
