// The guided minute of the bandit lab.

import type { Caption } from "../../ui/tour-caption";

export const captions = (): Caption[] => [
  {
    at: [".bandit-machines"],
    text: "Each bar is what the agent expects of a machine, each line what it truly pays.",
    task: "Watch the bars move.",
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore,
  },
  {
    at: [".bandit-machines"],
    text: "Bars begin too high, so that every machine is tried.",
    task: "Watch one being tried.",
    done: ({ run, unitsBefore }) => run.progress.units > unitsBefore + 1,
  },
  {
    at: [".goal"],
    text: "This is how many of the last hundred pulls have won.",
    task: "Wait until it has risen.",
    done: ({ run, before }) => run.series.last("winRate") >= before("winRate"),
  },
  {
    at: [".dial"],
    text: "Exploration is how often it tries a machine at random.",
    task: "Turn exploration up and watch.",
    actsOn: ".dial",
  },
];
