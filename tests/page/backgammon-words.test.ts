// The words of the backgammon lab: its stories, and what it explains.

import { story } from "../../www/labs/backgammon/story";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("backgammon", ["equity", "pip count", "afterstate", "gammon", "self-play", "temperature"]);

checkStory("backgammon", story, {}, [
  [{}, null],
  [{ points: -2.3, margin: 0.1 }, /almost at random: it loses 2\.3 points a game/],
  [{ points: -0.5, margin: 0.1 }, /^It loses 0\.50 points a game to pubeval/],
  [{ points: 0.05, margin: 0.1 }, /as strong as pubeval/],
  [{ points: 0.3, margin: 0.1 }, /^It wins 0\.30 points/],
  [{ points: 0.55, margin: 0.1 }, /^Solved: it wins 0\.55 points.*Play against it\.$/, { solved: true }],
]);
