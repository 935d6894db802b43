// The tour of the logic lab: cells, soft and hard gates, the soft error, and what a weight decay that is too high
// does.

import { formatCount } from "../../core/format";
import type { Measure } from "../../core/since-change";
import { breakCaptions } from "../../ui/tour-break";
import type { Caption, Captions, Waiting } from "../../ui/tour-caption";
import { BREAKING } from "./breaking";

/** Iterations that the visitor waits for. */
const WATCHED_ITERATIONS = 2;
/** The soft error is small when it is below this. */
const LEARNED_ERROR = 0.01;

/** A mean squared error, which is no percentage. */
const errorText = (error: number) => (Number.isFinite(error) ? String(Number(error.toFixed(4))) : "–");

/**
 * What shows that a weight decay of 1 breaks what was learned: in all tasks that were measured, the error rises from
 * less than 0.002 to more than 0.03 within three iterations (docs/log/page.md). An error that has not fallen cannot
 * rise.
 */
const BREAK_MEASURES: Measure[] = [
  {
    metric: "softError",
    words: "soft error",
    worse: "up",
    fraction: 0.5,
    least: 0.03,
    counts: (from) => from < LEARNED_ERROR,
    format: errorText,
  },
];

/** Whether the task has a target that the view shows, which not every task has. */
const hasTarget = ({ view }: Waiting<"logic">) => view === null || view.target.length > 0;

const hasLearned = ({ run }: Waiting<"logic">) => run.series.last("softError") < LEARNED_ERROR;

/** After so many steps it is told what has become of the damage. */
const HEALING_STEPS = 20;

/** Follows what becomes of damage: how many cells are wrong with hard gates, which only a task with a target tells. */
function followDamage(noun: string): Pick<Caption<"logic">, "done" | "outcome"> {
  /** The stage right after the damage. */
  let hit: { wrong: number; step: number } | null = null;
  let end: { wrong: number; steps: number } | null = null;
  return {
    done: ({ view, commands, viewsSince }) => {
      const isHit = commands.some(({ type }) => type === "wound");
      if (!isHit) hit = end = null;
      // The second view after the command was asked for after it.
      if (!view || !isHit || (!hit && viewsSince < 2)) return false;
      const { wrongHard, step, playing } = view.stage;
      hit ??= { wrong: wrongHard, step };
      const steps = step - hit.step;
      // Grids that are paused do not go on, and those that have begun again tell nothing.
      if (steps > 0) end = { wrong: wrongHard, steps };
      return view.target.length === 0 || steps < 0 || !playing || steps >= HEALING_STEPS;
    },
    outcome: ({ view }) => {
      if (!view || view.target.length === 0 || !hit) return "";
      const were = hit.wrong === 1 ? "was" : "were";
      const later = end ? `; ${formatCount(end.steps, "step")} later ${end.wrong}` : "";
      return `With hard gates, ${formatCount(hit.wrong, noun)} ${were} wrong after it${later}.`;
    },
  };
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
    text: "In training, gates are soft: each is a mixture of all sixteen functions, whose weights change a little. The curve is the circuit's mean squared error: 0 is best.",
    task: "Wait for two iterations.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units >= unitsBefore + WATCHED_ITERATIONS,
    outcome: ({ run, before }) => {
      const from = before("softError");
      const first = Number.isFinite(from) ? `; before: ${errorText(from)}` : "";
      return `Soft error: ${errorText(run.series.last("softError"))}${first}.`;
    },
  },
  {
    at: [".logic-errors"],
    text: "Training goes on until the soft error is small. It may stay nearly the same for minutes before it falls.",
    task: `Wait until the soft error is below ${errorText(LEARNED_ERROR)}.`,
    when: (waiting) => hasTarget(waiting) && !hasLearned(waiting),
    needsRun: true,
    reading: ({ run }) => `Soft error: ${errorText(run.series.last("softError"))}.`,
    done: hasLearned,
    skipName: "Go on without waiting",
  },
  {
    at: [".logic-pane.hard"],
    text: "In the end, gates are hard: each computes only its most likely function. Then no cell may be wrong.",
    task: "Disturb them: press “Damage the middle”.",
    // As in the tests, each colour of the letter's cells counts.
    ...followDamage(run.settings["experiment"] === "letter" ? "colour value" : "cell"),
    show: () => [{ press: "Damage the middle", within: ".logic-controls" }],
  },
  ...breakCaptions(run, {
    text: (title) =>
      `Break it. The ${title} pulls every gate back towards an even mixture of all functions. Too much of it undoes learning.`,
    recovery: "With little weight decay it may learn again.",
    later: "The score is that of the last tests, so it follows later, with the next ones.",
    whenLow: "Little weight decay leaves what was learned as it is.",
    breaking: BREAKING,
    at: [".logic-errors", ".logic-gates"],
    measures: BREAK_MEASURES,
  }),
];
