// The first test that shows the agent of the cube lab solving: any state of the 3x3x3, or more than half of all states
// of the 2x2x2.

import { firstTest, wasChanged, type Behaviour } from "../../core/story/behaviour";
import { formatNumber, withUnit } from "../../core/format";
import type { CubeView } from "../../generated/protocol";

/**
 * The largest distance of a state of the 2x2x2 from solved, in quarter turns. A test within it starts from all states.
 */
const MAX_DISTANCE = 14;

export const behaviour: Behaviour<CubeView> = {
  measured(record) {
    const { settings } = record;
    // These settings decide what a test asks, so tests before and after a change cannot be compared.
    if (wasChanged(record, "judge_within", "evaluate_scramble", "evaluate_beam")) return null;
    const percent = (value: number) => withUnit(formatNumber(value, 3, "%"), "%");
    if (settings["puzzle"] === "3x3x3") {
      const test = firstTest(record, "solved", (value) => value > 0);
      if (!test) return null;
      const turns = Number(settings["evaluate_scramble"]);
      const cubes = turns === 0 ? "cubes in random states" : `cubes scrambled by ${turns} turns`;
      const title = "A scrambled cube is solved";
      return {
        unit: test.unit,
        title,
        text: `For the first time it solved ${cubes}: ${percent(test.value)} of the test.`,
      };
    }
    if (Number(settings["judge_within"]) < MAX_DISTANCE) return null;
    const test = firstTest(record, "solved", (value) => value > 50);
    if (!test) return null;
    const text =
      `For the first time it solved more than half of all states: ${percent(test.value)}. ` +
      "So it solves a cube in a random state more often than not.";
    return { unit: test.unit, title: "More than half of all states are solved", text };
  },
};
