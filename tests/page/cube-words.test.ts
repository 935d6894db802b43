// The texts of the cube lab: its sentences about a run (stories), the introduction of the network that ships with the
// page, and the terms that it explains.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readHeader } from "../../www/core/checkpoint";
import { Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import type { LabInfo } from "../../www/generated/protocol";
import { introduceTrained, isTrained, STRENGTH, TRAINED_BY, type TrainedRun } from "../../www/labs/cube/trained-words";
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

const lab = (await LABS.find(({ id }) => id === "cube")?.load()) as LabInfo;

/** What the header of the network that ships with the page says of its training. */
function shippedHeader() {
  const bytes = readFileSync(new URL("../../models/cube3.safetensors", import.meta.url));
  const header = readHeader(new Uint8Array(bytes));
  assert.ok(header);
  return header;
}

/** A run that continues the shipped network, at this unit and without metrics yet. */
function runFromShipped(changes: Partial<TrainedRun> = {}, units = TRAINED_BY.units): TrainedRun {
  const { config, seed } = shippedHeader();
  const settings = { ...Object.fromEntries(lab.fields.map((field) => [field.name, field.default])), ...config };
  const series = new Series(lab.about.metrics);
  const progress = { units } as TrainedRun["progress"];
  return { lab, settings, seed, networkSince: TRAINED_BY.units, progress, series, ...changes };
}

test("trained network of the 3x3x3 is introduced with what was measured", () => {
  assert.deepEqual([shippedHeader().units, shippedHeader().seed], [TRAINED_BY.units, TRAINED_BY.seed]);
  const results = readFileSync(new URL("../../docs/results.md", import.meta.url), "utf8");
  const { states, solved, turns: meanTurns, margin, beamWidth, shortest: meanShortest, minutes } = STRENGTH;
  const grouped = (n: number) => n.toLocaleString("en-US");
  const testLine = results.split("\n").find((line) => line.includes(`--states ${states} --width ${beamWidth}\``));
  assert.ok(
    testLine?.includes(`${grouped(solved)} of ${grouped(states)}: **${meanTurns} ± ${margin} quarter turns**`),
    testLine,
  );
  const trainingLine = results.split("\n").find((line) => line.startsWith("| **the shipped network**: the same"));
  assert.ok(trainingLine?.includes(`${minutes} minutes, two`), trainingLine);
  assert.match(results, new RegExp(`mean of the shortest solutions is about ${meanShortest} quarter turns`));

  const run = runFromShipped();
  assert.ok(isTrained(run));
  const introduction = introduceTrained(run);
  assert.match(introduction?.story ?? "", /solved all of 1,000 random states, in 22\.2 quarter turns on average/);
  assert.deepEqual([introduction?.headline.value, introduction?.headline.unit], ["100", "%"]);
  assert.match(introduction?.headline.comparison ?? "", /beam width of 32,768: 22\.16 ± 0\.08 quarter turns/);
});

test("only the shipped network is introduced; one that has learned on is untested until its next evaluation", () => {
  assert.equal(introduceTrained(runFromShipped({ networkSince: null })), null);
  assert.equal(introduceTrained(runFromShipped({ seed: 2 })), null);
  assert.equal(introduceTrained(runFromShipped({ settings: { ...runFromShipped().settings, distil: 6500 } })), null);
  assert.equal(introduceTrained(runFromShipped({ lab: null })), null);
  const later = runFromShipped({}, TRAINED_BY.units + 3);
  assert.equal(isTrained(later), false);
  assert.match(
    introduceTrained(later)?.story ?? "",
    /^It began as the trained network, which solved all of 1,000 random states\. It has learned on since then and has not been tested\.$/,
  );
  later.series.append({ units: [500], values: lab.about.metrics.map(({ name }) => [name === "solved" ? 93 : NaN]) });
  assert.equal(introduceTrained(later), null);
});
