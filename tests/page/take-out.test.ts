// The texts in which curves leave the page, and the captions of pictures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Series } from "../../www/core/series";
import { curvesCsv, curvesSvg } from "../../www/ui/take-out/curves-text";
import { headlineOf, type HeadlineView, type LastValue } from "../../www/ui/headline";
import { captionLines, captionOf, introducedCaption } from "../../www/ui/take-out/caption";
import type { Goal, LabInfo, MetricSpec } from "../../www/generated/protocol";
import { LAB as backgammon } from "../../www/generated/labs/backgammon";
import { LAB as logic } from "../../www/generated/labs/logic";

const spec = (name: string, label: string, unit = ""): MetricSpec =>
  ({ name, label, unit, better: "higher", help: "" }) as unknown as MetricSpec;

/** Three units; the second metric is measured once. */
function sample(): Series {
  const series = new Series([spec("score", "test score", "%"), spec("loss", "loss <nats> & more")]);
  series.append({
    units: [1, 2, 3],
    values: [
      [0.5, -1e-7, 2],
      [NaN, 4, Infinity],
    ],
  });
  return series;
}

const COLOURS = { paper: "#fff", ink: "#000", quiet: "#777", line: "#ccc", curve: "#080" };

test("CSV has a row for each unit, and nothing where nothing was measured", () => {
  assert.equal(
    curvesCsv(sample(), "iteration"),
    "iteration,test score (%),loss <nats> & more\n1,0.5,\n2,-1e-7,4\n3,2,\n",
    "headed as the charts are",
  );
  assert.equal(curvesCsv(new Series([]), 'a "unit", odd'), '"a ""unit"", odd"\n');
});

test("SVG draws each metric with its finite values, and the goal", () => {
  const curves = { charts: ["score", "loss", "missing"], unit: "iteration", title: "A & B", subtitle: "seed=1" };
  const goal = { metric: "score", target: 3, words: "", exact: false };
  const svg = curvesSvg({ series: sample(), goal, ...curves }, COLOURS);
  const lines = [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, points]) => points?.split(" ").length);
  assert.deepEqual(lines, [3, 1]);
  assert.match(svg, /A &amp; B/);
  assert.match(svg, /loss &lt;nats&gt; &amp; more/);
  assert.equal([...svg.matchAll(/stroke-dasharray/g)].length, 1, "the goal of one metric");
  assert.doesNotMatch(svg, /NaN|Infinity|undefined/);
});

test("SVG of a run without values, of constant values and of very many is drawn too", () => {
  const empty = { charts: ["score"], goal: null, unit: "epoch", title: "", subtitle: "" };
  assert.doesNotMatch(curvesSvg({ series: new Series([spec("score", "score")]), ...empty }, COLOURS), /NaN|Infinity/);
  const constant = new Series([spec("score", "score")]);
  const units = Array.from({ length: 4000 }, (_, i) => i + 1);
  constant.append({ units, values: [units.map(() => 7)] });
  const svg = curvesSvg({ series: constant, ...empty }, COLOURS);
  assert.doesNotMatch(svg, /NaN|Infinity/);
  assert.ok(svg.length < 20_000, `${svg.length} characters`);
});

/** The run of a caption whose headline is the goal's metric, unless `view` says it in other words. */
const captioned = (lab: LabInfo, series: Series, goal: Goal | null, view: HeadlineView | null = null) => ({
  lab,
  series,
  headline: (last: LastValue) => headlineOf({ lab, series, goal }, view, last),
  seed: 7,
  settings: {},
});

test("caption names the lab, the unit, the score with its goal, the seed and what differs from the defaults", () => {
  const series = new Series(logic.about.metrics);
  const rows = [
    [1, NaN],
    [2, 50],
    [3, 53.8549],
  ] as const;
  for (const [unit, proof] of rows)
    series.append({ units: [unit], values: logic.about.metrics.map(({ name }) => [name === "proof" ? proof : NaN]) });
  const goal = { metric: "proof", target: 100, words: "", exact: false };
  const run = { ...captioned(logic, series, goal), settings: { experiment: "async" } };
  assert.deepEqual(captionOf(run, 3), {
    title: "Learnery: Logic",
    parts: ["Iteration 3", "correct cells 53.85%, goal 100%", "seed=7", "experiment=async"],
  });
  assert.equal(captionOf(run, 2).parts[1], "correct cells 50%, goal 100%", "an earlier moment has its own score");
  assert.equal(captionOf(run, 1).parts[1], "correct cells not measured yet, goal 100%");
  // A lab may say its headline in other words, by what was measured until then.
  const view = { headline: (last: LastValue) => ({ name: "right", unit: "of 100", target: last("proof") + 1 }) };
  assert.equal(captionOf(captioned(logic, series, goal, view), 2).parts[1], "right 50 of 100, goal 51 of 100");
});

test("caption of a run without a goal has the first metric, with its margin of error as the page rounds by it", () => {
  const { metrics } = backgammon.about;
  const series = new Series(metrics);
  const values: Record<string, number> = { points: 0.0325, margin: 0.13 };
  series.append({ units: [9], values: metrics.map(({ name }) => [values[name] ?? NaN]) });
  const { parts } = captionOf(captioned(backgammon, series, null), 9);
  assert.deepEqual(parts, ["Round 9", "score against pubeval 0.03 points", "seed=7"]);
});

test("caption of a trained network that the run has not trained has its measured strength, and nothing of the run", () => {
  const headline = { name: "random states solved", value: "100", unit: "%", comparison: "Measured before." };
  assert.deepEqual(introducedCaption(logic, { story: "", headline, note: "" }), {
    title: "Learnery: Logic",
    parts: ["Trained network", "random states solved 100%"],
  });
});

test("caption is laid out in lines between its parts", () => {
  const widthOf = (text: string) => text.length;
  assert.deepEqual(captionLines(["Iteration 3", "seed=7", "worlds=64"], 21, widthOf), [
    "Iteration 3 · seed=7",
    "worlds=64",
  ]);
  assert.deepEqual(captionLines(["one", "far too long for a line", "two"], 10, widthOf), [
    "one",
    "far too long for a line",
    "two",
  ]);
  assert.deepEqual(captionLines([], 10, widthOf), []);
});
