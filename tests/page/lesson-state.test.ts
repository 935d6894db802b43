// A lesson that is being done: which blocks wait for which predictions, what is measured, which conditions hold, and
// what is kept of the answers.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Run } from "../../www/core/run";
import { Series } from "../../www/core/series";
import { lessonId, readKept } from "../../www/lessons/answers";
import { readConditions } from "../../www/lessons/conditions";
import { isQuestion, isTraining, partsOf, questionNamed, type RunPart, type SeedsPart } from "../../www/lessons/format";
import { waitsFor } from "../../www/lessons/gate";
import { allHold, measured, type RunResult, type SeedsResult } from "../../www/lessons/measures";
import { doneRuns, joined, resultOfRun, seriesOf } from "../../www/lessons/outcome";
import { LessonState } from "../../www/lessons/state";
import { comparisonWords } from "../../www/lessons/values";
import { outcome, RESULT } from "./lesson-results";
import { INFOS, LAB_IDS, file, SEEDS, lesson, parse } from "./lesson-texts";

test("a block waits for the predictions of its own step and of earlier ones, and locks only those", () => {
  const text = lesson(
    "@number a",
    "  ask: A?",
    "  is: slow.reached",
    ...SEEDS,
    "# Two",
    "@seeds fast",
    "  units: 10",
    "@choice b",
    "  ask: B?",
    "  option: Yes",
    "  when: fast.units < slow.units",
    "  option: No",
  );
  const { lesson: read, problems } = parse(text);
  assert.deepEqual(problems, []);
  const lab = INFOS.get("control");
  assert.ok(read && lab);
  const state = new LessonState(read, lab, null);
  const [a, b] = partsOf(read).filter(isQuestion);
  assert.ok(a && b);
  assert.equal(waitsFor(state, "slow"), "First write down your prediction above.");
  assert.equal(waitsFor(state, "fast"), "First write down your prediction in the step “Two”.");
  state.setAnswer("a", 3);
  assert.equal(waitsFor(state, "slow"), "", "it waits for the question of a later step");
  state.setResult("slow", RESULT);
  state.setStep(1);
  assert.equal(waitsFor(state, "fast"), "First write down your prediction below.");
  state.setAnswer("b", 0);
  assert.equal(waitsFor(state, "fast"), "");
  assert.ok(state.isLocked(a));
  assert.ok(!state.isLocked(b), "the result of an earlier step locks it");
  state.setResult("fast", RESULT);
  assert.ok(state.isLocked(b));
});

test("a prediction is locked with its answer from the moment its runs begin, until everything is cleared", () => {
  const { lesson: read } = parse(lesson("@number a", "  ask: A?", "  is: slow.reached", ...SEEDS));
  const lab = INFOS.get("control");
  assert.ok(read && lab);
  const state = new LessonState(read, lab, null);
  const [a] = partsOf(read).filter(isQuestion);
  assert.ok(a);
  state.setAnswer("a", 3);
  state.setAnswer("a", null);
  assert.notEqual(waitsFor(state, "slow"), "", "a prediction that was taken back does not open the block");
  state.setAnswer("a", 4);
  let changes = 0;
  state.on("changed", () => changes++);
  state.beginTraining("slow", () => {});
  assert.equal(changes, 1);
  assert.ok(state.isLocked(a));
  for (const answer of [null, 5]) state.setAnswer("a", answer);
  assert.equal(state.answer(a), 4);
  assert.equal(waitsFor(state, "slow"), "");
  state.clear();
  assert.equal(state.answer(a), null);
  state.setAnswer("a", 6);
  assert.ok(!state.isLocked(a));
});

test("a run leaves the runs of several seeds training; another block of the same kind stops them, and they know why", () => {
  const { lesson: read } = parse(
    lesson(...SEEDS, "@seeds fast", "  title: Fast ones", "  units: 10", "@run one", "  units: 10"),
  );
  const lab = INFOS.get("control");
  assert.ok(read && lab);
  const state = new LessonState(read, lab, null);
  const stopped: [string, string | undefined][] = [];
  const stop = (name: string) => (by?: string) => void stopped.push([name, by]);
  state.beginTraining("slow", stop("slow"));
  state.beginTraining("one", stop("one"));
  assert.equal(stopped.length, 0);
  state.beginTraining("fast", stop("fast"));
  assert.deepEqual(stopped, [["slow", "Fast ones"]]);
  state.close();
  assert.deepEqual(
    stopped
      .slice(1)
      .map(([name]) => name)
      .sort(),
    ["fast", "one"],
  );
});

test("before several seeds begin to train it is known whose runs stop for them", () => {
  const { lesson: read } = parse(lesson(...SEEDS, "@seeds fast", "  title: Fast ones", "  units: 10"));
  const lab = INFOS.get("control");
  const part = read?.steps[0]?.parts.find((each) => each.kind === "seeds" && each.name === "fast");
  assert.ok(read && lab && part?.kind === "seeds");
  const state = new LessonState(read, lab, null);
  assert.equal(state.stopsFor("slow"), null);
  const begun = {
    part,
    result: RESULT,
    training: true,
    progress: "",
    detail: "",
    failures: "",
    stoppedFor: null,
    stop: () => {},
  };
  state.sweeps.set("fast", begun);
  assert.deepEqual([state.stopsFor("slow"), state.stopsFor("fast")], ["Fast ones", null]);
  state.sweeps.set("fast", { ...begun, training: false });
  assert.equal(state.stopsFor("slow"), null);
});

test("a step with a comparison is done once its runs have told what happened", () => {
  const { lesson: read } = parse(
    lesson("@number a", "  ask: A?", "  is: slow.reached", ...SEEDS, "# Two", "Text.", "@compare a"),
  );
  const lab = INFOS.get("control");
  assert.ok(read && lab);
  const state = new LessonState(read, lab, null);
  const second = read.steps.at(-1);
  assert.ok(second);
  state.setAnswer("a", 3);
  assert.ok(!state.isDone(second), "nothing has been measured");
  state.setResult("slow", { ...RESULT, complete: false });
  assert.ok(!state.isDone(second), "not all runs are done");
  state.setResult("slow", RESULT);
  assert.ok(state.isDone(second));
});

for (const id of LAB_IDS)
  test(`every block of the lab's lesson can train when the questions up to its step are answered: ${id}`, () => {
    const { lesson: read } = parse(file(`labs/${id}/lesson.txt`));
    const lab = INFOS.get(id);
    assert.ok(read && lab);
    const state = new LessonState(read, lab, null);
    for (const { parts } of read.steps) {
      for (const part of parts.filter(isQuestion))
        state.setAnswer(part.name, part.kind === "sentence" ? "x" : part.kind === "number" ? part.from : 0);
      for (const part of parts.filter(isTraining)) assert.equal(waitsFor(state, part.name), "", part.name);
    }
  });

test("a run whose settings were changed after its begin counts with none of them", () => {
  const run = (changes: { unit: number; before: object; after: object }[]) =>
    ({
      series: new Series([]),
      seed: 0,
      progress: { units: 9, solvedAt: 8 },
      settings: { learning_rate: 0.05 },
      changes,
    }) as unknown as Run;
  const rate = (changes: Parameters<typeof run>[0]) =>
    measured({ block: "a", what: "learning_rate" }, resultOfRun(run(changes), "examReturn"));
  const change = { before: { learning_rate: 0.001 }, after: { learning_rate: 0.05 } };
  assert.equal(rate([]), 0.05);
  assert.equal(rate([{ unit: 0, ...change }]), 0.05);
  assert.ok(Number.isNaN(rate([{ unit: 7, ...change }])));
});

type Seed = SeedsResult["seeds"][number];

test("measures of seeds are counts and medians; nothing is measured before all have ended", () => {
  const value = (what: string, result = RESULT) => measured({ block: "a", what }, result);
  assert.equal(value("reached"), 3);
  assert.equal(value("units"), 17);
  assert.equal(value("median"), 493.5);
  assert.equal(value("least"), 100);
  assert.equal(value("most"), 500);
  assert.equal(value("range"), 400);
  assert.equal(value("rose"), 1);
  assert.equal(value("entropy"), 1.5);
  assert.ok(Number.isNaN(value("constructor")));
  assert.ok(Number.isNaN(value("reached", { ...RESULT, complete: false })));
  assert.ok(Number.isNaN(measured({ block: "a", what: "reached" }, undefined)));
});

test("runs that were done when the others were stopped are joined with those, in the order of the seeds", () => {
  const part = { kind: "seeds", units: 40, goal: true } as SeedsPart;
  const [a, b, c, d] = RESULT.seeds as [Seed, Seed, Seed, Seed];
  // Two have ended, one at its goal before the last unit, and one was stopped.
  const stopped = { ...RESULT, complete: false, seeds: [{ ...a, units: 12 }, b, { ...c, units: 7, reached: null }] };
  const done = doneRuns(part, stopped);
  assert.deepEqual(
    done.map(({ seed }) => seed),
    [0, 1],
  );
  assert.equal(doneRuns({ ...part, goal: false }, stopped).length, 1, "the goal ends no run here");
  const earlier = { ...stopped, seeds: [b, a] };
  const all = joined(earlier, { ...RESULT, metric: "loss", target: null, seeds: [d, c] }, [0, 1, 2, 3]);
  assert.deepEqual(all, RESULT);
  assert.ok(!joined(earlier, { ...RESULT, complete: false, seeds: [] }, [0, 1, 2, 3]).complete);
  assert.equal(joined(null, RESULT, [0, 1, 2, 3]), RESULT);
});

test("conditions hold by what was measured, and are undecided before", () => {
  const conditions = (text: string) => {
    const read = readConditions(text);
    assert.ok("value" in read, text);
    return read.value;
  };
  const value = ({ block, what }: { block: string; what: string }) =>
    block === "a" ? measured({ block, what }, RESULT) : NaN;
  assert.equal(allHold(conditions("a.reached >= 3"), value), true);
  assert.equal(allHold(conditions("a.reached > 3"), value), false);
  assert.equal(allHold(conditions("a.least < 0.5 * a.median and a.most = 500"), value), true);
  assert.equal(allHold(conditions("a.most > a.median"), value), true);
  assert.equal(allHold(conditions("a.reached >= 3 and b.reached >= 3"), value), null);
  assert.equal(allHold([], value), null);
  for (const text of [
    "a.b",
    "a.b >= ",
    "a.b >= 1 2",
    "a.b >= 2 * 3",
    "a.b => 1",
    "1 >= a.b",
    "a.b >= c.d * 2",
    "a.b >= 0x1",
  ])
    assert.ok("problem" in readConditions(text), text);
});

test("the settings that a reader has chosen are kept, but only values that the run takes", () => {
  const lab = INFOS.get("backgammon");
  const { lesson: read } = parse(file("labs/backgammon/lesson.txt"));
  assert.ok(lab && read);
  const state = new LessonState(read, lab, null);
  const run = partsOf(read).find((part): part is RunPart => part.kind === "run" && part.name === "task");
  assert.ok(run);
  assert.deepEqual(state.dials(run), {});
  state.setDials("task", { eval_games: 1500, seed: 3 });
  assert.deepEqual(state.dials(run), { eval_games: 1500 });
  for (const wrong of [-1, "many", true, 1e12]) {
    state.setDials("task", { eval_games: wrong });
    assert.deepEqual(state.dials(run), {}, String(wrong));
  }
});

test("the curve of an earlier run is shown with the margin of error of its last value", () => {
  const specs = INFOS.get("backgammon")?.about.metrics ?? [];
  const metric = specs[0]?.name ?? "";
  const result: RunResult = {
    ...outcome(0, null, -1.7),
    kind: "run",
    metric,
    metrics: { [metric]: -1.7, margin: 0.05 },
    settings: {},
    curve: { units: [1, 20], values: [-2, -1.7] },
  };
  const series = seriesOf(result, specs);
  assert.deepEqual(series.measured(metric), result.curve);
  assert.deepEqual(series.measured("margin"), { units: [20], values: [0.05] });
});

/** What a run with a setting of the reader's own came to. */
const TRY = {
  block: "one",
  metric: "examReturn",
  runs: 1,
  reached: 1,
  trained: 12,
  units: 12,
  value: 495,
  settings: { learning_rate: 0.02 },
};

test("what is kept is read again; what is damaged is left out", () => {
  const kept = {
    answers: { few: 3, why: "because" },
    results: { a: RESULT },
    dials: { one: { learning_rate: 0.1 } },
    checks: ["done"],
    step: 2,
    tries: { one: [TRY] },
  };
  assert.deepEqual(readKept(JSON.parse(JSON.stringify(kept))), kept);
  const empty = { answers: {}, results: {}, dials: {}, checks: [], step: 0, tries: {} };
  const damagedParts = { answers: [], results: 7, checks: {}, step: "x", tries: [{}] };
  for (const damaged of [null, 3, "x", [], {}, damagedParts, { tries: { one: [3, {}, { ...TRY, block: "<b>" }] } }])
    assert.deepEqual({ ...readKept(damaged), tries: {} }, empty);
  assert.deepEqual(readKept({ tries: { one: [3, TRY, {}] } }).tries, { one: [TRY] });
  const partly = readKept({
    answers: { few: NaN, why: { html: "<b>" }, long: "x".repeat(10_000) },
    results: { a: { kind: "seeds", metric: "x", seeds: [{ seed: "0" }], complete: true }, b: { kind: "run" } },
    checks: [1, "done"],
  });
  assert.deepEqual(Object.keys(partly.answers), ["long"]);
  assert.equal(String(partly.answers["long"]).length, 2_000);
  assert.ok(partly.results["a"]?.kind === "seeds" && !partly.results["a"].complete, "a damaged result is not complete");
  assert.deepEqual(Object.keys(partly.results), ["a"]);
  assert.deepEqual(partly.checks, ["done"]);
});

test("lessons of one's own are kept apart by their texts", () => {
  assert.match(lessonId("a", "cube"), /^cube-\w+$/);
  assert.notEqual(lessonId("a", "cube"), lessonId("b", "cube")); // a new text does not take over old answers
  assert.match(lessonId("a", null), /^own-\w+$/);
  assert.notEqual(lessonId("a", null), lessonId("b", null));
});

test("nothing has happened before a run has ended, and an unfinished run takes no finished result away", () => {
  const lab = INFOS.get("control");
  const { lesson: read } = parse(file("labs/control/lesson.txt"));
  const question = read && partsOf(read).find((part) => isQuestion(part) && part.name === "once");
  assert.ok(lab && read && question && isQuestion(question));
  const state = new LessonState(read, lab, null);
  const compareStep = read.steps.find(({ parts }) => parts.some(({ kind }) => kind === "compare"));
  assert.ok(compareStep);
  const run = (units: number, reached: number | null): RunResult => ({
    ...outcome(0, reached, 9),
    units,
    kind: "run",
    metric: "examReturn",
    settings: {},
    curve: { units: [], values: [] },
  });
  state.setAnswer("once", 0);
  state.setAnswer("believe", 0);
  const waiting = "You predicted: It reaches the goal. What happened has not been measured yet.";
  assert.equal(comparisonWords(state, question), waiting);
  for (const units of [2, 39]) {
    state.setResult("once-large", run(units, null)); // the run goes on, was paused or left
    assert.equal(comparisonWords(state, question), waiting);
    assert.equal(state.happened(question), null);
    assert.ok(!state.isDone(compareStep));
  }
  state.setResult("once-large", run(15, 15));
  const happened = "You predicted: It reaches the goal. That is what happened.";
  assert.equal(comparisonWords(state, question), happened);
  assert.ok(state.isDone(compareStep));
  state.setResult("once-large", run(2, null)); // a second run
  assert.equal(comparisonWords(state, question), happened);
  const other = "You predicted: It reaches the goal. What happened: It does not reach the goal.";
  state.setResult("once-large", run(40, null)); // once it has ended too, it counts
  assert.equal(comparisonWords(state, question), other);
});

test("a run that a finished result outlives ticks checks all the same", () => {
  const lab = INFOS.get("control");
  const { lesson: read } = parse(
    lesson("@run one", "  units: 10", "@check early", "  text: A.", "  when: one.units >= 3 and one.last > 5"),
  );
  const check = read && partsOf(read).find((part) => part.kind === "check");
  assert.ok(lab && read && check);
  const state = new LessonState(read, lab, null);
  const run = (units: number, last: number): RunResult => ({
    ...outcome(0, null, last),
    units,
    kind: "run",
    metric: "examReturn",
    settings: {},
    curve: { units: [], values: [] },
  });
  state.setResult("one", run(10, 1));
  assert.ok(!state.isTicked(check));
  state.setResult("one", run(4, 9));
  assert.ok(state.isTicked(check));
  assert.deepEqual(state.result("one"), run(10, 1));
});

test("the question of a comparison is found by its name, and what its runs have measured once all have ended", () => {
  const lab = INFOS.get("control");
  const { lesson: read } = parse(lesson("@number a", "  ask: A?", "  is: slow.reached", ...SEEDS, "@compare a"));
  const slow = read && partsOf(read).find((part) => part.kind === "seeds");
  assert.ok(lab && read && slow);
  assert.equal(questionNamed(read, "a"), partsOf(read)[0]);
  assert.equal(questionNamed(read, "slow"), undefined);
  const state = new LessonState(read, lab, null);
  assert.equal(state.completeSeeds(slow), null);
  state.setResult("slow", { ...RESULT, complete: false });
  assert.equal(state.completeSeeds(slow), null);
  state.setResult("slow", RESULT);
  assert.equal(state.completeSeeds(slow), RESULT);
});
