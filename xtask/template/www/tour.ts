// The tour of the bandit lab.

import { measuredAfter } from "../../core/since-change";
import type { Captions } from "../../ui/tour-caption";

/** At this exploration, half of the pulls choose a machine at random. */
const MUCH = 0.5;

export const captions: Captions<"bandit"> = () => [
  {
    at: [".bandit-machines"],
    text: "Each bar is what the agent expects of a machine, each line what it truly pays.",
    task: "Wait for an iteration, a round of learning.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
  },
  {
    at: [".bandit-machines"],
    text: "Bars begin too high, so that every machine is tried.",
    task: "Watch two more.",
    needsRun: true,
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore + 1,
  },
  {
    at: [".goal"],
    text: "This is how many of the last hundred pulls have won.",
    task: "Wait for the next number.",
    needsRun: true,
    done: ({ run, unitsBefore }) => measuredAfter(run.series, "winRate", unitsBefore).length > 0,
    outcome: ({ run }) => `It is ${run.series.last("winRate").toFixed(2)} now.`,
  },
  {
    at: [".dial"],
    text: "Exploration is how often it tries a machine at random.",
    task: `Turn exploration up to ${MUCH}.`,
    needsRun: true,
    done: ({ run }) => Number(run.settings["exploration"]) >= MUCH,
    show: () => [{ set: { exploration: MUCH } }],
  },
];
