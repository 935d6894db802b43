// The words of the logic lab: its stories, and what it explains.

import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutWords } from "../../www/labs/logic/about-words";
import { attemptNews, attemptsTaken, attemptTold, attemptWords } from "../../www/labs/logic/attempts";
import { Series } from "../../www/core/series";
import { EXPERIMENTS } from "../../www/labs/logic/experiments";
import { learningPhase, guidance } from "../../www/labs/logic/progress";
import { allCurves } from "./recorded-curves";
import { story, USUAL_FALL } from "../../www/labs/logic/story";
import { captions } from "../../www/labs/logic/tour";
import { emptyShare } from "../../www/labs/logic/target-share";
import type { LogicView, Progress } from "../../www/generated/protocol";
import type { Waiting } from "../../www/ui/tour-caption";
import { FakeRun, labs } from "./run-states";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("logic", [
  ...["soft gate", "hard gate", "cellular automaton", "discretisation gap", "soft error"],
  ...["plain wire", "changed gates", "step", "next state"],
]);

/** Wrong cells of four tests, of which the last two are of the second attempt. */
const ATTEMPTS = (wrong: number[]) => ({
  attempt: { units: [1, 2, 3, 4], values: [1, 1, 2, 2] },
  wrong: { units: [1, 2, 3, 4], values: wrong },
});

checkStory("logic", story, { experiment: "checkerboard", goal: 3 }, [
  [{}, /nothing yet: each gate still passes one of its inputs on/],
  [{ softError: 0.2 }, /^Training has begun, and the circuit has not been tested yet\.$/],
  [{ wrong: 4096 }, /^In the latest test, 4,096 were wrong\.$/], // of an earlier version
  [{ wrong: 1, tested: 400 }, /, 1 of 400 cells was wrong\.$/],
  [
    { wrong: 4096, tested: 8192 },
    /^In the latest test, 50% of the cells were correct\. The score is the worst of 3 tests, so it comes later\.$/,
  ],
  [{ proof: 53.8549, wrong: 2443, tested: 10192 }, /^In its last tests, at worst 53\.85% of the cells were correct\.$/],
  [
    { proof: 53.8549, wrong: 2443, tested: 10192, attempt: 2 },
    /^Training began again with new gates at iteration 3, because no progress was made \(attempt 2\)\. In the last 3 tests \(only 2 of them with the new gates\), at worst /,
    { lost: true, measured: ATTEMPTS([900, 0, 4096, 2443]) },
  ],
  [
    { proof: 53.8549, wrong: 2443, tested: 10192, attempt: 2 },
    /^It has become worse\. In its last tests, at worst /,
    { lost: true, measured: ATTEMPTS([900, 4096, 0, 2443]) },
  ],
  [
    { proof: 53.8549, wrong: 2443, tested: 10192, attempt: 2 },
    /^It has just begun again with new gates \(attempt 3\), which have not been tested yet\. The tests so far were of the gates before\. In its last tests, at worst /,
    { measured: ATTEMPTS([900, 0, 4096, 2443]), news: attemptNews(3, 2) },
  ],
  [{ proof: 80, wrong: 0 }, /^With hard gates, no cell was wrong in the last test/],
  [
    { proof: 100, wrong: 0 },
    /^Solved: with hard gates, no cell was wrong in its last tests\. .*see it heal\.$/,
    { solved: true },
  ],
  [
    { proof: 100, wrong: 0, attempt: 2 },
    /^Solved in attempt 2: with hard gates, no cell was wrong in its last tests\. /,
    { solved: true },
  ],
  [
    { proof: 99.9, wrong: 3 },
    / 99\.90% of the cells were correct\. In the latest test, 3 were wrong\.$/,
    { solved: true },
  ],
]);
checkStory("logic", story, { experiment: "letter" }, [
  // Each of the colours of a cell is tested.
  [
    { proof: 86.97, wrong: 100, tested: 768 },
    /^In its last tests, at worst 86\.97% of the colour values were correct\.$/,
  ],
]);

test("an attempt is told from its first iteration on, and counted at the goal", () => {
  assert.equal(attemptNews(1, NaN), "", "the first attempt is no news");
  assert.equal(attemptNews(2, 2), "", "the metrics tell it");
  assert.equal(attemptWords(3, 2, 31), "It began again with new gates in this iteration: attempt 3");
  assert.equal(attemptWords(3, 3, 61), "It began again with new gates in iteration 61: attempt 3");
  assert.equal(attemptWords(3, 3, undefined), "It began again with new gates: attempt 3");
  const told = (units: number) => {
    const series = new Series([{ name: "attempt", label: "attempt", help: "", unit: "", better: "neither" }], 2);
    for (let unit = 1; unit <= 5; unit++) series.append({ units: [unit], values: [[2]] });
    return attemptTold({ series, progress: { units } as Progress });
  };
  assert.equal(told(4), 2);
  assert.equal(told(5), NaN, "a long history has no row of this iteration");
  assert.deepEqual([NaN, 1, 2].map(attemptsTaken), [[], [], ["2 attempts"]]);
});

test("no sentence says that gates do the task which the picture may not show: it names its measure", () => {
  const said = (error: number, wrong: number) =>
    guidance("life", learningPhase({ firstError: 0.25, error, wrong }), "Draw.");
  assert.equal(said(0.2, NaN), "The soft gates' error has not halved yet.");
  assert.equal(said(0.1, 400), "The soft gates' error has more than halved.");
  assert.equal(said(0.01, 1), "The soft gates' error is small; the hard gates erred in the last test.");
  assert.equal(said(0.01, NaN), "The soft gates' error has more than halved.", "the hard gates have not been tested");
  assert.equal(said(0.01, 0), "Draw.");
  for (const { experiment } of Object.values(EXPERIMENTS))
    for (const phase of ["far", "forming", "mixtures"] as const)
      assert.doesNotMatch(guidance(experiment, phase, ""), /gates (make|follow)/);
});

test("an empty grid is what a score is compared with", () => {
  assert.equal(emptyShare(Uint8Array.of(1, 0, 1, 0)), 0.5);
  // All 512 neighbourhoods of the game of life, in which a cell lives on with two or three neighbours.
  const dead = Array.from({ length: 512 }, (_, cells) => {
    const isAlive = (cells & 1) === 1;
    const neighbours = [...(cells >> 1).toString(2)].filter((bit) => bit === "1").length;
    return neighbours === 3 || (isAlive && neighbours === 2) ? 0 : 1;
  });
  const count = dead.filter((each) => each === 1).length;
  assert.equal(emptyShare(new Uint8Array()), count / 512);
});

test("damage is told by what was wrong right after it and what became of it", () => {
  const lab = labs.find(({ about }) => about.id === "logic");
  assert.ok(lab);
  const { run } = new FakeRun("logic", lab, { experiment: "checkerboard", weight_decay: 0.01 }, []);
  const caption = captions(run).find(({ task }) => typeof task === "string" && task.includes("Damage the middle"));
  assert.ok(caption);
  const at = (wrongHard: number, step: number, playing = true): Waiting<"logic"> => ({
    ...({ run, commands: [{ type: "wound" }], viewsSince: 2 } as unknown as Waiting<"logic">),
    view: { target: new Uint8Array(256), stage: { wrongHard, step, playing } } as LogicView,
  });
  assert.equal(caption.done?.({ ...at(0, 3), commands: [] }), false);
  assert.equal(caption.done?.({ ...at(69, 5), viewsSince: 1 }), false, "this view may be older than the damage");
  assert.equal(caption.done?.(at(69, 5)), false);
  assert.equal(caption.done?.(at(12, 15)), false, "it is being repaired");
  assert.equal(caption.done?.(at(0, 25)), true);
  assert.equal(caption.outcome?.(at(0, 25)), "With hard gates, 69 cells were wrong after it; 20 steps later 0.");
});

test("a fall below the first score is usual in the recorded runs of the checkerboard", () => {
  const curves = allCurves.find(({ lab, preset }) => lab === "logic" && preset === "checkerboard");
  assert.ok(curves);
  const fell = curves.runs.filter(({ values }) => {
    const scores = (values[curves.metrics.indexOf("proof")] ?? []).filter((each) => each !== null);
    return scores.some((score) => score < (scores[0] as number));
  });
  assert.ok(fell.length > curves.runs.length / 2, `${fell.length} of ${curves.runs.length}`);
  const told = (experiment: string) =>
    story({
      settings: { experiment, goal: 3 },
      last: (metric) => ({ proof: 42.35, wrong: 4700, tested: 8192 })[metric] ?? NaN,
      measured: (metric) => ({ units: [3, 4], values: metric === "proof" ? [50, 42.35] : [] }),
      ...{ solved: false, lost: false, news: "" },
    });
  assert.equal(told("checkerboard"), `In its last tests, at worst 42.35% of the cells were correct. ${USUAL_FALL}`);
  assert.equal(told("life"), "In its last tests, at worst 42.35% of the cells were correct.");
});

test("a score that stays where it began is told with what the soft error has done, also after a restart", () => {
  const curves = allCurves.find(({ lab, preset }) => lab === "logic" && preset === "checkerboard");
  const run = curves?.runs.find(({ seed }) => seed === 9);
  assert.ok(curves && run);
  // Iteration 31 is the first with new gates: the soft error is that of the start again.
  const column = (metric: string) => run.values[curves.metrics.indexOf(metric)] ?? [];
  assert.ok((column("softError")[29] ?? 1) < 0.14 && (column("softError")[30] ?? 0) > 0.249);
  const told = (unit: number) => {
    const measured = (metric: string) => {
      const values = metric === "attempt" ? run.units.map((each) => (each < 31 ? 1 : 2)) : column(metric);
      const rows = run.units.map((_, row) => row).filter((row) => row < unit && (values[row] ?? null) !== null);
      return { units: rows.map((row) => run.units[row] as number), values: rows.map((row) => values[row] as number) };
    };
    const last = (metric: string) => measured(metric).values.at(-1) ?? NaN;
    return story({
      ...{ settings: { experiment: "checkerboard", goal: 3 }, last, measured },
      ...{ solved: false, lost: false, news: "" },
    });
  };
  assert.equal(told(3), "In its last tests, at worst 50% of the cells were correct.");
  assert.match(
    told(5) ?? "",
    / no better than at first\. The soft gates' error has hardly changed yet: it is 0\.249\d?\.$/,
  );
  assert.match(
    told(13) ?? "",
    / hardly better than at first\. Meanwhile the soft gates' error fell from 0\.250? to 0\.225\d? \(0 is perfect\)\.$/,
  );
  assert.match(
    told(31) ?? "",
    /^Training began again with new gates at iteration 31, because no progress was made \(attempt 2\)\. In the last 3 tests \(only 1 of them with the new gates\), at worst 50% of the cells were correct\.$/,
  );
  assert.match(
    told(50) ?? "",
    /^Training began again with new gates at iteration 31, .* than when it began again\. Meanwhile the/,
  );
});

test("the goal is told of the run's own experiment alone", () => {
  const words = { life: /game of life/, checkerboard: /checkerboard/, figure: /figure/, letter: /letter/ };
  for (const experiment of ["life", "checkerboard", "async", "figure", "letter"] as const) {
    const { goal, picture } = aboutWords(experiment, 3);
    const named = experiment === "async" ? "checkerboard" : experiment;
    for (const [of, word] of Object.entries(words)) assert.equal(word.test(goal), of === named, goal);
    assert.match(goal, / in 3 tests in a row\./);
    assert.equal(/target/.test(picture), experiment !== "life", picture);
  }
});
