// The words of the logic lab: its stories, and what it explains.

import { story } from "../../www/labs/logic/story";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("logic", ["soft gate", "hard gate", "cellular automaton", "discretisation gap", "soft error"]);

checkStory("logic", story, { experiment: "checkerboard" }, [
  [{}, /blends, and nearly plain wires/],
  [{ softError: 0.2 }, /has not been tested\. Error of the blends: 0\.20/],
  [{ wrong: 4096 }, /of its cells, 4,096 were wrong in the latest test\.$/],
  [{ proof: 75, wrong: 12 }, /gets at least 75% of the cells right; 12 were wrong in the latest test/],
  [{ proof: 80, wrong: 0 }, /no mistake in the last test/],
  [{ proof: 100, wrong: 0 }, /^Solved.*see it heal\.$/, { solved: true }],
  [{ proof: 99.9, wrong: 3 }, /gets at least 99\.90% of the cells right; 3 were wrong/, { solved: true }],
]);
