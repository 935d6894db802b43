// The texts in which curves leave the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Series } from "../../www/core/series";
import { curvesCsv, curvesSvg } from "../../www/ui/take-out/curves-text";
import type { MetricSpec } from "../../www/generated/protocol";

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
  const goal = { metric: "score", target: 3, words: "" };
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
