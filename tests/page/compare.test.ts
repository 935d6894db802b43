// Tests of the pure parts of the tool "Compare": statistics over seeds, curves over one axis, the step in which runs
// train, and how they differ.

import assert from "node:assert/strict";
import { test } from "node:test";
import { differingSettings, distinction } from "../../www/core/compare/differences";
import { firstWords } from "../../www/core/compare/first-words";
import { mayAdvance } from "../../www/core/compare/pacing";
import { seedsFrom } from "../../www/core/compare/seed-sweep";
import { Series, unitsInAgreement } from "../../www/core/series";
import { alignCurves, bandOf, interpolated, quantile, summary } from "../../www/core/compare/statistics";
import { LAB as control } from "../../www/generated/labs/control";

test("quantiles interpolate between neighbours, as NumPy's", () => {
  // numpy.quantile([1, 2, 4, 8], [0, 0.25, 0.5, 0.75, 1]) is [1, 1.75, 3, 5, 8].
  const ascending = [1, 2, 4, 8];
  assert.deepEqual(
    [0, 0.25, 0.5, 0.75, 1].map((q) => quantile(ascending, q)),
    [1, 1.75, 3, 5, 8],
  );
  assert.equal(quantile([7], 0.25), 7);
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

test("summary leaves out what was not measured, and counts what never happens as infinite", () => {
  const { least, median, upperQuartile, most, count } = summary([30, NaN, 10, Infinity, 20]);
  assert.deepEqual([least, median, most, count], [10, 25, Infinity, 4]);
  assert.equal(upperQuartile, Infinity);
  assert.equal(summary([5, Infinity, Infinity]).median, Infinity, "not reached by half of the runs");
  assert.equal(summary([]).count, 0);
  assert.ok(Number.isNaN(summary([NaN]).median));
});

test("band holds the value that each run measured last", () => {
  const band = bandOf([
    { units: [1, 2, 3, 4], values: [10, NaN, 30, NaN], solved: false },
    { units: [1, 2, 3, 4], values: [NaN, 0, NaN, NaN], solved: false },
  ]);
  assert.deepEqual(
    band.map(({ unit, least, median, most, count }) => [unit, least, median, most, count]),
    [
      [1, 10, 10, 10, 1],
      [2, 0, 5, 10, 2],
      [3, 0, 15, 30, 2],
    ],
  );
});

test("band keeps a run that has reached the goal, and drops one that has ended without it", () => {
  const long = { units: [1, 2, 3], values: [1, 2, 3], solved: false };
  const short = { units: [1], values: [9] };
  const at = (solved: boolean) => bandOf([long, { ...short, solved }]).map(({ most, count }) => [most, count]);
  assert.deepEqual(at(true), [
    [9, 2],
    [9, 2],
    [9, 2],
  ]);
  assert.deepEqual(at(false), [
    [9, 2],
    [2, 1],
    [3, 1],
  ]);
});

test("curves are put over one axis, with gaps where one has no value", () => {
  const [axis, a, b] = alignCurves([
    { x: [1, 3], y: [10, 30] },
    { x: [2, 3], y: [0.2, null] },
  ]);
  assert.deepEqual(axis, [1, 2, 3]);
  assert.deepEqual(a, [10, null, 30]);
  assert.deepEqual(b, [null, 0.2, null]);
  assert.deepEqual(alignCurves([{ x: [], y: [] }]), [[], []]);
});

test("units lie at interpolated work and seconds", () => {
  const points = [
    { units: 10, work: 100, seconds: 0 },
    { units: 20, work: 300, seconds: 4 },
  ];
  assert.deepEqual(interpolated(points, [5, 10, 15, 20, 21], "work"), [50, 100, 200, 300, 300]);
  const [before, ...after] = interpolated(points, [5, 10, 15, 20], "seconds");
  assert.ok(Number.isNaN(before), "the seconds before a run was resumed were not measured");
  assert.deepEqual(after, [0, 2, 4]);
  assert.ok(Number.isNaN(interpolated([], [1], "work")[0]));
});

test("only the slowest runs may go on: in step by units", () => {
  const at = (units: number, work = 0) => ({ units, work });
  assert.deepEqual(mayAdvance("unit", [at(3), at(3), at(4)]), [true, true, false]);
  assert.deepEqual(mayAdvance("unit", [at(3)]), [true]);
  assert.deepEqual(mayAdvance("unit", []), []);
});

test("only the slowest runs may go on: in step by work", () => {
  // Two runs whose units are of different size: the one with less work makes more units.
  const runs = [
    { units: 0, work: 0, size: 100 },
    { units: 0, work: 0, size: 30 },
  ];
  for (let turn = 0; turn < 50; turn++) {
    const allowed = mayAdvance("work", runs);
    assert.ok(allowed.includes(true), "somebody goes on");
    runs.forEach((run, i) => {
      if (!allowed[i]) return;
      run.units++;
      run.work += run.size;
    });
    const [a, b] = runs as [(typeof runs)[0], (typeof runs)[0]];
    assert.ok(Math.abs(a.work - b.work) <= 100, "never more than a unit ahead");
  }
});

test("runs train freely by time, and the others wait for one that is being loaded", () => {
  const run = { units: 0, work: 0 };
  assert.deepEqual(mayAdvance("time", [{ units: 9, work: 9 }, run, null]), [true, true, false]);
  assert.deepEqual(mayAdvance("unit", [run, null]), [false, false]);
  assert.deepEqual(mayAdvance("work", [run, null]), [false, false]);
});

test("first to the goal is told with the measure by which it was", () => {
  const { about } = control;
  const reached = { units: 1240, work: 81_920, seconds: 12.34 };
  assert.equal(
    firstWords(about, "units", ["A"], reached),
    "A was first to the goal, by iterations: iteration 1,240.",
    "nothing about the time, in which another may have been first",
  );
  assert.equal(
    firstWords(about, "work", ["B"], reached),
    "B was first to the goal, by world steps: 81,920 world steps.",
  );
  assert.equal(
    firstWords(about, "seconds", ["A", "C"], reached),
    "A and C were first to the goal together, by training time: 12.3 seconds.",
  );
});

test("runs are told apart by the settings in which they differ", () => {
  const runs = [
    { settings: {}, seed: 1 },
    { settings: { learning_rate: 0.01, worlds: 128 }, seed: 1 }, // 128 is the default
    { settings: {}, seed: 2 },
  ] as const;
  assert.deepEqual(differingSettings(control, [...runs]), ["learning_rate", "seed"]);
  const titles = (...each: (typeof runs)[number][]) => each.map((run) => distinction(control, run, each));
  assert.deepEqual(
    titles(...runs),
    ["", "learning rate 0.01", "seed 2"],
    "what most of them have in common is left out",
  );
  assert.deepEqual(titles(runs[0], runs[1]), ["learning rate 0.001", "learning rate 0.01"]);
  assert.deepEqual(titles(runs[0], runs[0]), ["", ""]);
});

test("runs agree where all their values are equal to the bit", () => {
  const series = (rows: [number, number][]) => {
    const made = new Series(control.about.metrics.slice(0, 1));
    for (const [unit, value] of rows) made.append({ units: [unit], values: [[value]] });
    return made;
  };
  const run = series([
    [1, NaN],
    [2, 0.5],
  ]);
  assert.equal(unitsInAgreement(run, run), 2);
  assert.equal(unitsInAgreement(run, series([[2, 0.5]])), 1, "only units that both have");
  assert.equal(unitsInAgreement(series([[1, 0]]), series([[1, -0]])), null);
  assert.equal(unitsInAgreement(run, series([[2, 0.25]])), null);
});

test("seeds follow one another, the first after the last", () => {
  assert.deepEqual(seedsFrom(7, 3), [7, 8, 9]);
  assert.deepEqual(seedsFrom(0xffff_ffff, 2), [0xffff_ffff, 0]);
});
