// The story of a run (www/core/story): its moments are found in recorded runs, and every caption is borne out by what
// they have measured.

import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults } from "../../www/core/draft";
import { formatMeasured, minus } from "../../www/core/format";
import { presetSettings } from "../../www/core/presets";
import { marginName, Series } from "../../www/core/series";
import type { Behaviour } from "../../www/core/story/behaviour";
import { largestChange } from "../../www/core/story/change-point";
import { MIN_TESTS, whyNoStory } from "../../www/core/story/enough";
import { findMoments, MAX_MOMENTS, testCurve, type StoryRun } from "../../www/core/story/moments";
import {
  lengthOf,
  planScenes,
  positionAt,
  sceneAt,
  STORY_SECONDS,
  timeScenes,
  unitAt,
} from "../../www/core/story/plan";
import { captionOf, measuredAt, tellScenes, type Recorded } from "../../www/core/story/telling";
import type { Change } from "../../www/generated/protocol";
import { allCurves, type RecordedCurves } from "./recorded-curves";
import { labs } from "./run-states";

/** The recorded runs of a file as the page has them. */
function runsOf({ lab: id, preset, goal, metrics, runs }: RecordedCurves): { name: string; run: StoryRun }[] {
  const lab = labs.find(({ about }) => about.id === id);
  assert.ok(lab, id);
  const chosen = lab.about.presets.find(({ name }) => name === preset);
  assert.ok(chosen, preset);
  const settings = { ...defaults(lab), ...presetSettings(chosen) };
  return runs.map(({ seed, reached, end, units, values }) => {
    const series = new Series(lab.about.metrics);
    const column = (name: string) => values[metrics.indexOf(name)] ?? [];
    const all = lab.about.metrics.map(({ name }) => units.map((_, row) => column(name)[row] ?? NaN));
    series.append({ units, values: all });
    const progress = { units: end, solvedAt: reached };
    const name = series.spec(goal.metric)?.label ?? "";
    const run = { series, settings, changes: [], goal: { ...goal, words: "" }, progress };
    return { name: `${id}, seed ${seed}`, run: { ...run, unit: lab.about.unit, metric: goal.metric, name } };
  });
}

const behaviourOf = async (id: string) =>
  ((await import(`../../www/labs/${id}/behaviour.ts`)) as { behaviour: Behaviour }).behaviour;

/** A picture of a unit whose replay agreed with the run, and which shows no behaviour. */
const shotAt = (unit: number): Recorded => ({ unit, same: true, shown: null });

test("there are curves to tell of", () => assert.ok(allCurves.length > 0));

for (const curves of allCurves) {
  test(`moments of recorded runs are borne out by their tests: ${curves.lab} ${curves.preset}`, async () => {
    const behaviour = await behaviourOf(curves.lab);
    let told = 0;
    for (const { name, run } of runsOf(curves)) {
      const { series, metric, goal } = run;
      const { units, values } = series.measured(metric);
      assert.equal(whyNoStory(series, metric) === "", units.length >= MIN_TESTS, name);
      const moments = findMoments(run, behaviour);
      told += moments.length;
      assert.ok(moments.length <= MAX_MOMENTS, name);
      assert.deepEqual(
        moments.map(({ unit }) => unit),
        [...new Set(moments.map(({ unit }) => unit))].sort((a, b) => a - b),
        `${name}: in order, each unit once`,
      );
      for (const { unit, kinds, text } of moments) {
        const where = `${name}, unit ${unit}: ${text}`;
        const row = units.indexOf(unit);
        assert.ok(row >= 0, `${where} is about a unit without a test`);
        const spec = series.spec(metric);
        const margin = series.last(marginName(series.specs, metric) ?? "", unit);
        const written = (value: number) => formatMeasured(value, margin, 3, spec?.unit);
        if (kinds.includes("better") || kinds.includes("worse")) {
          // A change is told only if the three tests from it on all lie beyond the three before it.
          const median = (list: number[]) => {
            const sorted = list.toSorted((a, b) => a - b);
            return ((sorted[(sorted.length - 1) >> 1] as number) + (sorted[sorted.length >> 1] as number)) / 2;
          };
          const before = values.slice(Math.max(0, row - 3), row);
          const after = values.slice(row, row + 3);
          assert.ok(text.includes(written(median(before))), where);
          assert.ok(text.includes(written(median(after))), where);
          const isUp = median(after) > median(before);
          assert.ok(isUp ? Math.min(...after) > Math.max(...before) : Math.max(...after) < Math.min(...before), where);
          assert.equal(kinds.includes("better"), isUp === (spec?.better === "higher"), where);
        }
        if (kinds.includes("goal")) {
          assert.ok(goal && run.progress.solvedAt !== null && unit >= run.progress.solvedAt, where);
          assert.ok((values[row] as number) >= goal.target, where);
          assert.ok(text.includes(minus(String(goal.target))), where);
        }
        if (kinds.includes("behaviour")) assertFirst(curves.lab, run, unit, where);
        // A caption without a moment is titled by its unit alone.
        const toldScene = { scene: { kind: "moment" as const, unit, moment: null }, shot: shotAt(unit) };
        assert.ok(captionOf(run, toldScene).title.endsWith(` ${unit}`), where);
      }
    }
    assert.ok(told > 0, "at least one moment is found in the recorded runs");
  });
}

/**
 * Checks that no test before a unit shows a behaviour, and that the one at the unit does. It repeats the thresholds of
 * www/labs/LAB/behaviour.ts on purpose. Behaviour of the language lab is seen in pictures and in no metric.
 */
function assertFirst(lab: string, { series }: StoryRun, unit: number, where: string): void {
  const at = (metric: string, row: number) => series.column(metric)[row] ?? NaN;
  const shows: Record<string, (row: number) => boolean> = {
    control: (row) => at("examReturn", row) >= 100,
    cube: (row) => at("solved", row) > 50,
    backgammon: (row) => at("points", row) - at("margin", row) > 0,
    logic: (row) => at("wrong", row) === 0,
  };
  const rows = series.units.flatMap((each, row) => (each <= unit && shows[lab]?.(row) ? [each] : []));
  assert.deepEqual(rows, [unit], where);
}

/** A run of 24 tests of CartPole, whose scores are given by the test. */
function cartpole(score: (test: number) => number, changes: Change[] = []): StoryRun {
  const lab = labs.find(({ about }) => about.id === "control");
  assert.ok(lab);
  const series = new Series(lab.about.metrics);
  const units = Array.from({ length: 24 }, (_, i) => i + 1);
  series.append({
    units,
    values: lab.about.metrics.map(({ name }) => units.map((unit) => (name === "examReturn" ? score(unit) : NaN))),
  });
  const goal = { metric: "examReturn", target: 490, words: "", exact: false };
  const solvedAt = units.find((unit) => score(unit) >= 490) ?? null;
  const progress = { units: 24, solvedAt };
  const named = { unit: "iteration", metric: "examReturn", name: "test score", titleOf: () => "learning rate" };
  return { series, settings: defaults(lab), changes, goal, progress, ...named };
}

test("a setback after a change names the change, and chance otherwise", () => {
  const score = (unit: number) => (unit <= 12 ? 480 + (unit % 3) : 9);
  const change: Change = { unit: 12, before: { learning_rate: 0.001 }, after: { learning_rate: 0.1 } };
  const setback = (run: StoryRun) => findMoments(run, null).find(({ kinds }) => kinds.includes("worse"))?.text ?? "";
  assert.match(
    setback(cartpole(score, [change])),
    /Between these tests, learning rate was set to 0\.1 after iteration 12\.$/,
  );
  assert.match(setback(cartpole(score, [{ ...change, unit: 5 }])), /hardly ever this much\.$/);
});

test("the goal's moment says which earlier test reached it by less than its margin", () => {
  // The tests before 8 scatter by tens, so the one that is first at 490 may have been luck.
  const score = (unit: number) => (unit < 8 ? 440 + 40 * (unit % 2) : unit === 8 ? 492 : 500);
  const goal = findMoments(cartpole(score), null).find(({ kinds }) => kinds.includes("goal"));
  assert.ok(goal && goal.unit > 8, JSON.stringify(goal));
  assert.match(goal.text, /estimated from the scatter of earlier tests\)/);
  assert.match(goal.text, /The test of iteration 8 reached it, but by less than its margin of error\.$/);
});

test("a behaviour is not claimed where tests are not alike, or show none", async () => {
  const curves = allCurves.find(({ lab }) => lab === "cube");
  assert.ok(curves);
  const [{ run } = { run: null }] = runsOf(curves);
  assert.ok(run);
  const behaviour = await behaviourOf("cube");
  assert.ok(behaviour.measured?.(run));
  assert.equal(behaviour.measured?.({ ...run, settings: { ...run.settings, judge_within: 5 } }), null);
  const change: Change = { unit: 3, before: { judge_within: 5 }, after: { judge_within: 14 } };
  assert.equal(behaviour.measured?.({ ...run, changes: [change] }), null);
  const control = await behaviourOf("control");
  assert.equal(control.measured?.({ ...run, settings: { world: "pendulum" } }), null);
});

test("an addition with a carry is recognised by its digits", async () => {
  const { carries } = (await import("../../www/labs/language/behaviour")) as { carries: (text: string) => boolean };
  for (const question of ["47+85=", "5+5=", "99+1=", "1+99=", "191+9="]) assert.ok(carries(question), question);
  for (const question of ["12+34=", "50+40=", "1+8=", "", "8+7", "lkaq>"]) assert.ok(!carries(question), question);
  const language = await behaviourOf("language");
  const shown = (view: never, settings = {}) => language.shown?.(view, settings) ?? null;
  const problem = (given: string) => ({ question: "47+85=", answer: "132", given });
  const view = (given: string) => ({ source: "addition", grid: { problems: [problem(given)] } }) as never;
  assert.equal(shown(view("132")), "an addition with a carry is right: 47+85=132");
  assert.equal(shown(view("122")), null);
  assert.equal(shown(view("")), null);
  assert.match(shown(view("132"), { backwards: true }) ?? "", /from its last digit on$/);
});

const moment = (unit: number) => ({ unit, kinds: ["goal" as const], title: "The goal", text: "It was reached." });

test("a story takes half a minute at most, and is slow at the moments", () => {
  const kept = Array.from({ length: 30 }, (_, i) => 10 * i);
  for (const units of [[], [40], [40, 55], [5, 150, 290], [50, 150, 250]]) {
    const timed = timeScenes(planScenes({ first: 0, last: 300, moments: units.map(moment), kept }));
    assert.ok(lengthOf(timed) <= STORY_SECONDS, `${units.length} moments: ${lengthOf(timed)} seconds`);
    assert.deepEqual(
      timed.flatMap(({ scene }) => (scene.moment ? [scene.unit] : [])),
      units,
    );
    const all = timed.map(({ scene }) => scene.unit);
    assert.deepEqual(
      all,
      all.toSorted((a, b) => a - b),
    );
    for (const [i, { scene, begin, seconds, speed }] of timed.entries()) {
      assert.equal(speed > 1, scene.kind === "between");
      assert.equal(sceneAt(timed, begin), i);
      assert.equal(unitAt(timed, begin + seconds - 0.01), scene.unit);
    }
  }
});

test("a run whose last unit is a moment has no scene for its end", () => {
  const scenes = planScenes({ first: 0, last: 40, moments: [moment(40)], kept: [] });
  assert.deepEqual(
    scenes.map(({ kind }) => kind),
    ["start", "moment"],
  );
});

test("moments before the first unit that can be shown are left out, so scenes are in the order of the run", () => {
  const scenes = planScenes({ first: 30, last: 80, moments: [10, 40, 90].map(moment), kept: [30, 35, 60] });
  assert.deepEqual(
    scenes.map(({ kind, unit }) => `${kind} ${unit}`),
    ["start 30", "between 35", "moment 40", "between 60", "end 80"],
  );
});

test("the last scene shows the end of its frames, all others the beginning", () => {
  const timed = timeScenes(planScenes({ first: 0, last: 40, moments: [moment(20)], kept: [10] }));
  const [rate, frames] = [2, 13];
  for (const each of timed) {
    const [from, to] = [0, each.seconds].map((seconds) => positionAt(each, each.begin + seconds, rate, frames));
    assert.equal((to as number) - (from as number), each.seconds * each.speed * rate);
    if (each.scene.kind === "end") assert.equal(to, frames - 1);
    else assert.equal(from, 0);
  }
  const end = timed.at(-1);
  assert.ok(end?.scene.kind === "end");
  assert.equal(positionAt(end, end.begin, rate, 3), 0, "a short film begins with its beginning");
});

test("captions say which picture they have, and the first picture that shows a behaviour is a moment", () => {
  const [curves] = allCurves.filter(({ lab }) => lab === "language");
  assert.ok(curves);
  const [{ run } = { run: null }] = runsOf(curves);
  assert.ok(run);
  const scenes = planScenes({ first: 0, last: 90, moments: [moment(60)], kept: [7, 20, 70] });
  assert.deepEqual(
    scenes.map(({ unit }) => unit),
    [0, 7, 20, 60, 70, 90],
  );
  const shots = [0, 7, 20, 62, 70, 90].map((unit) => ({ ...shotAt(unit), shown: unit >= 20 ? "7+8=15" : null }));
  const told = tellScenes(scenes, shots, "iteration", "A sum is right");
  const captions = told.map((each) => captionOf(run, each));
  assert.deepEqual(
    captions.map(({ title }) => title),
    [
      "Iteration 0",
      "Iteration 7",
      "Iteration 20: a sum is right, first seen in this story",
      "Iteration 60: the goal",
      "Iteration 70",
      "Iteration 90",
    ],
  );
  assert.match(captions[2]?.text ?? "", /7\+8=15\. With the agent before, of iteration 7, none was seen\.$/);
  assert.equal(captions[3]?.note, "The picture shows the agent of iteration 62.");
  // The test of iteration 5 in the first recorded run: its value and margin.
  assert.equal(
    measuredAt(run, 7),
    `${run.name}: ${formatMeasured(4.296875, 1.79, 3, "%")}%, in the test of iteration 5`,
  );
  // A picture that is that of its neighbour is left out.
  const twice = tellScenes(scenes, [0, 7, 7, 60, 70, 90].map(shotAt), "iteration");
  assert.deepEqual(
    twice.map(({ scene }) => scene.unit),
    [0, 7, 60, 70, 90],
  );
});

test("the largest change of a recorded run is told with the curve that the page has", () => {
  for (const curves of allCurves) {
    for (const { run, name } of runsOf(curves)) {
      const curve = testCurve(run);
      const change = largestChange(curve, "up") ?? largestChange(curve, "down");
      const isTold = findMoments(run, null).some(({ kinds }) => kinds.includes("better") || kinds.includes("worse"));
      assert.equal(isTold, change !== null, name);
    }
  }
});
