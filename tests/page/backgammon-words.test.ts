// The words of the backgammon lab: its stories, what it says of the expert, and what it explains.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { introduceExpert, STRENGTH } from "../../www/labs/backgammon/expert-words";
import { describeMoved, describePlace } from "../../www/labs/backgammon/place-words";
import { BAR, copyPosition, NORTH, OFF, SOUTH, START_POSITION } from "../../www/labs/backgammon/position";
import { describeLastPlay, describeNow, describeVerdict } from "../../www/labs/backgammon/status-text";
import { story } from "../../www/labs/backgammon/story";
import { describeLead, winParts } from "../../www/labs/backgammon/wording";
import type { BackgammonStage } from "../../www/generated/protocol";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("backgammon", [
  ...["equity", "pip count", "afterstate", "gammon", "backgammon", "self-play", "temperature"],
  ...["play notation", "round"],
]);

checkStory("backgammon", story, {}, [
  [{}, null],
  [{ points: -2.3, margin: 0.1 }, /almost at random: it loses 2\.30 points a game/],
  [{ points: -2.59, margin: 0.2 }, /no better than at random/],
  [{ points: -1.94, margin: 0.18 }, /^It loses 1\.94 points a game to a simple program\.$/],
  [
    { points: -1.16, margin: 0.15 },
    /^It loses 1\.16 points a game to a simple program\. An earlier test was better: it lost only 0\.60\.$/,
    { measured: { points: { units: [1, 2, 3], values: [-2, -0.6, -1.16] } } },
  ],
  // That may be chance.
  [
    { points: -0.8, margin: 0.15 },
    /^It loses 0\.80 points a game to a simple program\.$/,
    { measured: { points: { units: [1, 2, 3], values: [-2, -0.6, -0.8] } } },
  ],
  [{ points: -0.5, margin: 0.1 }, /^It loses 0\.50 points a game to a simple program\.$/],
  [{ points: 0.05, margin: 0.1 }, /^It is about as strong as a simple program: the test cannot tell them apart\.$/],
  [{ points: 0.3, margin: 0.1 }, /^It wins 0\.30 points/],
  [{ points: 0.55, margin: 0.1 }, /^Solved: it wins 0\.55 points.*Play it\.$/, { solved: true }],
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
  assert.match(story, /^You play the expert, .* wins 0\.64 points a game against pubeval, a program from 1993/);
  assert.match(story, /as strong as GNU Backgammon without lookahead/);
  assert.deepEqual([headline.value, headline.unit], ["0.64", "points a game"]);
  assert.match(headline.comparison, /in 100,000 games without the doubling cube: 0\.639 ± 0\.008, 71\.2% won\.$/);
});

test("first turn of a visitor says how to move, and the assessment whose it is", () => {
  const stage = { players: "learner", side: SOUTH, dice: [5, 3], candidates: [{}], result: 0, awaits: true, turn: 0 };
  const now = (changed = {}) => describeNow({ ...stage, ...changed } as unknown as BackgammonStage, null);
  assert.match(now(), /^You rolled 5 and 3\. You are light: move from point 24 down to 1\. /);
  assert.equal(now({ turn: 4 }), "You rolled 5 and 3.");
  assert.equal(now({ side: NORTH, awaits: false }), "The agent rolled 5 and 3.");
  const review = { played: "13/10 13/8", best: "8/3 6/3", cost: 0.1, rank: 4, of: 17 };
  assert.equal(
    describeVerdict(review, "learner"),
    "The agent thinks your 13/10 13/8 cost 0.10 points a game on average. It would have played 8/3 6/3.",
  );
  assert.equal(
    describeVerdict({ ...review, rank: 1, cost: 0 }, "expert"),
    "The expert thinks your 13/10 13/8 was the best of 17 legal plays.",
  );
});

test("parts of the wins add up to them", () => {
  assert.deepEqual(winParts(0.49, 0.33, 0.28), [16, 5, 28]);
  assert.deepEqual(winParts(0.706, 0.204, 0.004), [51, 20, 0]);
  assert.deepEqual(winParts(0.1, 0.3, 0.2), [0, 0, 10], "a network may predict more gammons than wins");
  assert.deepEqual(winParts(0, 0, 0), [0, 0, 0]);
});

test("place is described by its checkers and their owners", () => {
  const place = (place: number) => describePlace("learner", START_POSITION, place);
  assert.equal(place(13), "point 13, five of yours");
  assert.equal(place(1), "point 1, two of the agent's", "north's point 24");
  assert.equal(place(4), "point 4, empty");
  assert.deepEqual([place(BAR), place(OFF)], ["bar, empty", "borne off, none"]);
  assert.equal(describePlace("expert", START_POSITION, 12), "point 12, five of the expert's");
  assert.equal(describePlace("watch", START_POSITION, 6), "point 6, five light");

  const position = copyPosition(START_POSITION);
  [position[SOUTH][BAR], position[NORTH][BAR], position[NORTH][OFF]] = [1, 2, 15];
  assert.equal(describePlace("learner", position, BAR), "bar, one of yours, two of the agent's");
  assert.equal(describePlace("learner", position, OFF), "borne off, fifteen of the agent's");
});

test("what a visitor has done with a checker is described", () => {
  const move = (from: number, to: number, hit = false) => ({ from, to, hit });
  assert.equal(describeMoved([move(13, 8)]), "Moved from point 13 to point 8.");
  assert.equal(describeMoved([move(BAR, 20, true), move(20, 16)]), "Moved from the bar to point 16. Hit on point 20.");
  assert.equal(describeMoved([move(3, OFF)]), "Bore off from point 3.");
});

test("last play of either side is described, except in a watched game", () => {
  const stage = (players: BackgammonStage["players"]) => ({ players }) as BackgammonStage;
  const turn = (side: typeof SOUTH | typeof NORTH, notation: string) => ({
    side,
    notation,
    dice: [3, 1] as [number, number],
  });
  assert.equal(describeLastPlay(stage("learner"), []), "");
  assert.equal(describeLastPlay(stage("learner"), [turn(SOUTH, "8/5 6/5")]), "You played 8/5 6/5.");
  assert.equal(describeLastPlay(stage("expert"), [turn(NORTH, "(no play)")]), "The expert could not move.");
  assert.equal(describeLastPlay(stage("watch"), [turn(NORTH, "8/5 6/5")]), "");
});

test("nobody leads where the equity is rounded to nothing", () => {
  assert.deepEqual(describeLead("watch", 0.42), ["Light leads by", "0.42"]);
  assert.deepEqual(describeLead("watch", -0.42), ["Dark leads by", "0.42"]);
  assert.deepEqual(describeLead("watch", -0.004), ["Both are level at", "0.00"]);
});
