// The words of the backgammon lab: its stories, what it says of the expert, and what it explains.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { introduceExpert, STRENGTH } from "../../www/labs/backgammon/expert-words";
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

test("expert is introduced with the strength that was measured", () => {
  const results = readFileSync(new URL("../../docs/results.md", import.meta.url), "utf8");
  const { pointsPerGame, margin, percentWon, games } = STRENGTH;
  const figure =
    `\`learnery eval models/backgammon.safetensors --games ${games}\`: ` +
    `+${pointsPerGame} ± ${margin}, ${percentWon} % won`;
  assert.ok(results.includes(figure), `docs/results.md does not have: ${figure}`);
  assert.match(results, /without lookahead it is as strong as GNU Backgammon without lookahead/);
  const { story, headline } = introduceExpert();
  assert.match(story, /^You play the expert, .* wins 0\.64 points a game against pubeval/);
  assert.match(story, /as strong as GNU Backgammon without lookahead/);
  assert.deepEqual([headline.value, headline.unit], ["0.64", "points a game"]);
  assert.match(headline.comparison, /in 100,000 games without the doubling cube: 0\.639 ± 0\.008, 71\.2% won\.$/);
});
