// The texts of the cube lab: its sentences about a run (stories), the introduction of the network that ships with the
// page, and the terms that it explains.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readHeader } from "../../www/core/checkpoint";
import { Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import type { LabInfo } from "../../www/generated/protocol";
import {
  introduceTrained,
  isTrained,
  LARGE_STRENGTH,
  SMALL_STRENGTH,
  TRAINED_BY,
  type TrainedRun,
} from "../../www/labs/cube/trained-words";
import { aboutWords } from "../../www/labs/cube/about-words";
import { LAB } from "../../www/generated/labs/cube";
import { emptyWords } from "../../www/labs/cube/distance-words";
import { expectedTime } from "../../www/labs/cube/large/wording";
import { story } from "../../www/labs/cube/story";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("cube", [
  "states",
  "epsilon",
  "discount factor",
  "greedy",
  "value iteration",
  "deep Q-learning",
  "turns made",
]);

checkStory("cube", story, { judge_within: 5 }, [
  [{ solved: 0.0002 }, /^It solves less than 0\.01% of the states within 5 turns of solved\.$/],
  [{ solved: 43.4 }, /^It solves 43\.40% of the states within 5 turns of solved\.$/],
  [{ solved: 100 }, /^Goal reached: it solves 100% of the states within 5 turns of solved\. Scr/, { solved: true }],
]);
checkStory("cube", story, { judge_within: 14 }, [
  [{ solved: 43.4 }, /^It solves 43\.40% of all states\.$/],
  [{ solved: 0.0002 }, /^It has become worse: it solves less than 0\.01% of all states\.$/, { lost: true }],
  [
    { solved: 12 },
    /^It is recovering: it solves 12% of all states\.$/,
    { lost: true, measured: { solved: { units: [1, 2, 3], values: [92, 2, 12] } } },
  ],
  [
    { solved: 84.16 },
    /^It solves 84\.16% of all states\. An earlier test was better: 88\.17%\.$/,
    { measured: { solved: { units: [1, 2, 3], values: [40, 88.17, 84.16] } } },
  ],
  [
    { solved: 87.9 },
    /^It solves 87\.90% of all states\.$/,
    { measured: { solved: { units: [1, 2, 3], values: [40, 88.17, 87.9] } } },
  ],
  [{ solved: 93 }, /^Goal reached: it solves 93% of all states\./, { solved: true }],
]);
checkStory("cube", story, { puzzle: "3x3x3", evaluate_scramble: 0 }, [
  [{ solved: 0 }, /^It solves none of the tested random cubes so far\.$/],
  [{ solved: 43.4 }, /^It solves 43\.40% of the tested random cubes\.$/],
]);
checkStory("cube", story, { puzzle: "3x3x3", evaluate_scramble: 8 }, [
  [
    { solved: 100 },
    /it solves 100% of the tested cubes, scrambled by 8 turns\. Scramble the cube for it, by at most 8 turns\.$/,
    { solved: true },
  ],
]);

const lab = (await LABS.find(({ id }) => id === "cube")?.load()) as LabInfo;

const FILES = { "2x2x2": "cube.safetensors", "3x3x3": "cube3.safetensors" };
type Puzzle = keyof typeof FILES;

/** What the header of a network that ships with the page says of its training. */
function shippedHeader(puzzle: Puzzle) {
  const bytes = readFileSync(new URL(`../../models/${FILES[puzzle]}`, import.meta.url));
  const header = readHeader(new Uint8Array(bytes));
  assert.ok(header);
  return header;
}

/** A run that continues a shipped network, at this unit and without metrics yet. */
function runFromShipped(
  puzzle: Puzzle,
  changes: Partial<TrainedRun> = {},
  units = TRAINED_BY[puzzle].units,
): TrainedRun {
  const { config, seed } = shippedHeader(puzzle);
  const settings = { ...Object.fromEntries(lab.fields.map((field) => [field.name, field.default])), ...config };
  const series = new Series(lab.about.metrics);
  const progress = { units } as TrainedRun["progress"];
  return { lab, settings, seed, networkSince: TRAINED_BY[puzzle].units, progress, series, ...changes };
}

const results = readFileSync(new URL("../../docs/results.md", import.meta.url), "utf8");
const grouped = (n: number) => n.toLocaleString("en-US");

test("trained network of the 3x3x3 is introduced with what was measured", () => {
  const { units, seed } = shippedHeader("3x3x3");
  assert.deepEqual([units, seed], [TRAINED_BY["3x3x3"].units, TRAINED_BY["3x3x3"].seed]);
  const { states, solved, turns: meanTurns, margin, beamWidth, shortest: meanShortest, minutes } = LARGE_STRENGTH;
  const testLine = results.split("\n").find((line) => line.includes(`--states ${states} --width ${beamWidth}\``));
  assert.ok(
    testLine?.includes(`${grouped(solved)} of ${grouped(states)}: **${meanTurns} ± ${margin} quarter turns**`),
    testLine,
  );
  const trainingLine = results.split("\n").find((line) => line.startsWith("| **the shipped network**: the same"));
  assert.ok(trainingLine?.includes(`${minutes} minutes, two`), trainingLine);
  assert.match(results, new RegExp(`mean of the shortest solutions is about ${meanShortest} quarter turns`));

  const run = runFromShipped("3x3x3");
  assert.ok(isTrained(run));
  const introduction = introduceTrained(run);
  assert.match(introduction?.story ?? "", /solved all of 1,000 random states, in 22\.2 quarter turns on average/);
  assert.deepEqual([introduction?.headline.value, introduction?.headline.unit], ["100", "%"]);
  assert.match(introduction?.headline.comparison ?? "", /beam width of 32,768: 22\.16 ± 0\.08 quarter turns/);
});

test("trained network of the 2x2x2 is introduced with what was measured", () => {
  const { units, seed } = shippedHeader("2x2x2");
  assert.deepEqual([units, seed], [TRAINED_BY["2x2x2"].units, TRAINED_BY["2x2x2"].seed]);
  // The row has the seeds 0, 1 and 2, and the network is that of seed 0.
  const line = results.split("\n").find((each) => each.includes("`learnery train cube --preset large --threads 1"));
  const { states, solved, excess, seconds } = SMALL_STRENGTH;
  assert.ok(line?.includes(`| 0, 1, 2 | ${seconds}, 29, 45 s CPU, 6.1, 4.1, 6.1 million samples |`), line);
  assert.ok(line?.includes(`3 of 3 solve ${grouped(solved)} of ${grouped(states)} states`), line);
  assert.ok(line?.includes(`excess ${excess.toFixed(1)}, 0.12, 0.001`), line);

  const run = runFromShipped("2x2x2");
  assert.ok(isTrained(run));
  const introduction = introduceTrained(run);
  assert.equal(
    introduction?.story,
    "This network was trained before, for 48 seconds on one core. It solved all of the 3,674,160 states, " +
      "in solutions that are on average as short as possible. Scramble the cube for it.",
  );
  assert.deepEqual([introduction.headline.value, introduction.headline.unit], ["100", "%"]);
  // As soon as it is tested itself, its own test is shown.
  run.series.append({ units: [13], values: lab.about.metrics.map(({ name }) => [name === "solved" ? 100 : NaN]) });
  assert.equal(introduceTrained(run), null);
});

test("only a shipped network is introduced; one that has learned on is untested until its next evaluation", () => {
  for (const puzzle of ["2x2x2", "3x3x3"] as const) {
    const { settings } = runFromShipped(puzzle);
    assert.equal(introduceTrained(runFromShipped(puzzle, { networkSince: null })), null);
    assert.equal(introduceTrained(runFromShipped(puzzle, { seed: 2 })), null);
    assert.equal(introduceTrained(runFromShipped(puzzle, { settings: { ...settings, hidden_1: 65 } })), null);
    assert.equal(introduceTrained(runFromShipped(puzzle, { lab: null })), null);
  }
  const { settings } = runFromShipped("3x3x3");
  assert.equal(introduceTrained(runFromShipped("3x3x3", { settings: { ...settings, distil: 6500 } })), null);
  const later = runFromShipped("3x3x3", {}, TRAINED_BY["3x3x3"].units + 3);
  assert.equal(isTrained(later), false);
  assert.match(
    introduceTrained(later)?.story ?? "",
    /^It began as the trained network, which solved all of 1,000 random states\. It has learned on since then and has not been tested\.$/,
  );
  later.series.append({ units: [500], values: lab.about.metrics.map(({ name }) => [name === "solved" ? 93 : NaN]) });
  assert.equal(introduceTrained(later), null);
});

test("the 3x3x3 says what to expect in time, from measured runs where there are some", () => {
  const results = readFileSync(new URL("../../docs/results.md", import.meta.url), "utf8");
  for (const measured of ["28 minutes", "100 of 100", "12 s", "32 of 32 scrambles of 8 turns"])
    assert.ok(results.includes(measured), measured);
  assert.match(expectedTime("cube3"), /28 minutes .* two cores.* 100 of 100 random cubes/);
  assert.match(expectedTime("cube3-small"), /12 seconds .* 32 of 32 scrambles of 8 turns/);
  for (const preset of [null, "standard"]) assert.match(expectedTime(preset), /hours.*trained network can be loaded/);
});

test("empty chart of a run that was opened again tells what its last test solved, as the sentence does", () => {
  assert.equal(emptyWords(NaN), "Not tested yet");
  assert.match(emptyWords(93.47), /^The last test solved 93\.47%\. .* the next test fills the columns\.$/);
});

test("agent, goal and picture are told of the run's own puzzle and learner alone", () => {
  const words = "90% of all states solved";
  for (const isLarge of [false, true]) {
    const { agent = "", goal, picture } = aboutWords(LAB.about, isLarge, "davi", { words });
    for (const text of [agent, goal, picture]) assert.doesNotMatch(text, /\dx\dx\d|Q-learning|default/);
    assert.match(agent, /^One small neural network\. It estimates how many turns a state is from solved: 0 /);
    assert.match(
      goal,
      isLarge
        ? /^Solve random states by beam search, which .*\. The goal: 90% of all states solved\.$/
        : /^Solve the cube greedily: .*, without search\. The goal: 90% of all states solved\.$/,
    );
    assert.match(aboutWords(LAB.about, isLarge, "dqn", null).goal, / It is not tested .*no goal\.$/);
    assert.match(picture, isLarge ? /solving it\. A chart shows the beam: / : /solving it\. Bars show the percentage /);
  }
});
