// The guided minute of the logic lab: cells, blended and real gates, the error, and what a learning rate that is too
// high does.

import { formatCount, formatNumber } from "../../core/format";
import type { Measure } from "../../core/since-change";
import { breakCaptions } from "../../ui/tour-break";
import type { Captions, Waiting } from "../../ui/tour-caption";

const WATCHED_ITERATIONS = 2;

const percent = (error: number) => `${formatNumber(100 * error, 3)}%`;

/** What shows that a learning rate of 1 breaks learning, and from which change on. */
const BREAK_MEASURES: Measure[] = [
  {
    metric: "softError",
    words: "error of the blends",
    worse: "up",
    // Not measured at this learning rate.
    fraction: 0.5,
    // At first the error is between 0.2 and 0.4 (golden runs). With less than this the blended gates make much of the
    // pattern, so that one sees a larger error.
    counts: (from) => from < 0.1,
    format: percent,
  },
  // An error that has not fallen cannot rise much, but gates change their kinds suddenly. At the usual learning rate no
  // gate does so in the first iterations, because its logit has to be reduced first (EXPERIMENTS.md of the lab); later
  // the number rises there too. Not measured at this learning rate.
  { metric: "changed", words: "number of gates that are not plain wires", worse: "up", fraction: 0.5 },
];

/** How many cells of the final circuit's grid are wrong, which only a task with a target tells. */
function wrongCells({ view, viewBefore }: Waiting<"logic">): string {
  if (!view || view.target.length === 0) return "";
  const { width, height, wrongHard } = view.stage;
  const before = viewBefore ? `; before: ${viewBefore.stage.wrongHard}` : "";
  return `Of the final circuit's ${formatCount(width * height, "cell")}, ${wrongHard} are wrong now${before}.`;
}

export const captions: Captions<"logic"> = (run) => [
  {
    at: [".logic-panes"],
    text: "Each square is a cell. All cells run the same small circuit and see only their neighbours.",
    task: "Wait for an iteration, a round of learning.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
  },
  {
    at: [".logic-strip", ".logic-errors"],
    text: "While it learns, each gate is a blend of all sixteen kinds, which changes a little at a time. Here is the blends' error.",
    task: "Wait for two iterations.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units >= unitsBefore + WATCHED_ITERATIONS,
    outcome: ({ run, before }) => {
      const from = before("softError");
      const first = Number.isFinite(from) ? `; before: ${percent(from)}` : "";
      return `Error of the blends: ${percent(run.series.last("softError"))}${first}.`;
    },
  },
  {
    at: [".logic-pane.hard"],
    text: "The final circuit keeps one kind per gate, a real gate. Its cells must not make a single mistake.",
    task: "Disturb them: press “Damage the middle”.",
    // The second view after the command was asked for after it.
    done: ({ commands, viewsSince }) => commands.some(({ type }) => type === "wound") && viewsSince >= 2,
    outcome: wrongCells,
    show: () => [{ press: "Damage the middle", within: ".logic-controls" }],
  },
  ...breakCaptions(run, {
    changed: "the blends",
    at: [".logic-strip", ".logic-gates"],
    measures: BREAK_MEASURES,
  }),
];
