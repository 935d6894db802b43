// The words of the logic lab: its stories, and what it explains.

import { story } from "../../www/labs/logic/story";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("logic", [
  ...["soft gate", "hard gate", "cellular automaton", "discretisation gap", "soft error"],
  ...["plain wire", "changed gates", "step"],
]);

/** Wrong cells of four tests, of which the last two are of the second attempt. */
const ATTEMPTS = (wrong: number[]) => ({
  attempt: { units: [1, 2, 3, 4], values: [1, 1, 2, 2] },
  wrong: { units: [1, 2, 3, 4], values: wrong },
});

checkStory("logic", story, { experiment: "checkerboard" }, [
  [{}, /nothing yet: nearly all of its gates are plain wires/],
  [{ softError: 0.2 }, /^Training has begun, and the circuit has not been tested yet\.$/],
  [{ wrong: 4096 }, /^In the latest test, 4,096 were wrong\.$/], // of an earlier version
  [{ wrong: 1, tested: 400 }, /, 1 of 400 cells was wrong\.$/],
  [{ wrong: 4096, tested: 8192 }, /^In the latest test, 4,096 of 8,192 cells were wrong\.$/],
  [
    { proof: 53.8549, wrong: 2443, tested: 10192 },
    /^In the worst part of its last tests, 53\.85% of the cells were correct\.$/,
  ],
  [
    { proof: 53.8549, wrong: 2443, tested: 10192, attempt: 2 },
    /^It has begun again with new gates \(attempt 2\)\. In the worst /,
    { lost: true, measured: ATTEMPTS([900, 0, 4096, 2443]) },
  ],
  [
    { proof: 53.8549, wrong: 2443, tested: 10192, attempt: 2 },
    /^It has become worse\. In the worst /,
    { lost: true, measured: ATTEMPTS([900, 4096, 0, 2443]) },
  ],
  [{ proof: 80, wrong: 0 }, /^With hard gates, no cell was wrong in the last test/],
  [{ proof: 100, wrong: 0 }, /^Solved: with hard gates, no cell is wrong\. .*see it heal\.$/, { solved: true }],
  [
    { proof: 99.9, wrong: 3 },
    / 99\.90% of the cells were correct\. In the latest test, 3 were wrong\.$/,
    { solved: true },
  ],
]);
