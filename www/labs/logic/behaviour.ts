// What the circuit of the logic lab does for the first time, by the wrong cells of its tests.

import { firstTest, wasChanged, type Behaviour } from "../../core/story/behaviour";
import { formatCount } from "../../core/format";
import type { LogicExperiment, LogicView } from "../../generated/protocol";

/** What a test without a wrong cell shows. Only the asynchronous checkerboard's test damages the pattern. */
const SHOWN: Record<LogicExperiment, string> = {
  life: "the circuit got every neighbourhood of the game of life right",
  checkerboard: "the pattern came out of new random cells without a mistake",
  async: "the pattern survived damage: it grew back after a square of 20 × 20 cells had been destroyed",
  figure: "the picture was grown without a mistake",
  letter: "the picture was grown without a mistake",
};

export const behaviour: Behaviour<LogicView> = {
  measured(record) {
    // A drawing of the visitor's own is another task, and is tested without damage.
    if (wasChanged(record)) return null;
    const test = firstTest(record, "wrong", (value) => value === 0);
    const shown = SHOWN[record.settings["experiment"] as LogicExperiment] as string | undefined;
    if (!test || shown === undefined) return null;
    const tested = record.series.last("tested", test.unit);
    const cells = Number.isFinite(tested) ? `0 of ${formatCount(tested, "cell")}` : "0 cells";
    return {
      unit: test.unit,
      title: "No cell is wrong",
      text: `For the first time ${shown}: ${cells} were wrong with hard gates.`,
    };
  },
};
