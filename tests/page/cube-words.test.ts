// The words of the cube lab: its stories, and what it explains.

import { story } from "../../www/labs/cube/story";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("cube", ["epsilon", "discount factor", "greedy", "value iteration", "deep Q-learning"]);

checkStory("cube", story, {}, [
  [{ solved: 0.0002 }, /it solves less than 0\.01% of the tested states, those next to the solved cube/],
  [{ solved: 43.4 }, /^It solves 43\.40% of the tested states\.$/],
  [{ solved: 100 }, /^Solved: it solves every tested state/, { solved: true }],
]);
checkStory("cube", story, { puzzle: "3x3x3" }, [
  [{ solved: 0 }, /^It knows nothing: it solves none of the tested states\.$/],
  [{ solved: 43.4 }, /^It solves 43\.40% of the tested states\.$/],
]);
