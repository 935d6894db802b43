// Settings that the reader of a lesson may change: what runs with each of them came to is listed; which runs of
// several seeds are kept when they are stopped; and what is said of them while they train and then.

import "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BundleChoice } from "../../www/core/bundle";
import type { SeedSweep } from "../../www/core/compare/seed-sweep";
import { chosenWords, MAX_RESULTS, readMeasured } from "../../www/class/measured";
import { isTraining, partsOf } from "../../www/lessons/format";
import type { RunResult, SeedsResult } from "../../www/lessons/measures";
import { isOfSettings, isWorthKeeping, joined, partlyDone } from "../../www/lessons/outcome";
import { SeedsBlock } from "../../www/lessons/seeds-block";
import { answersText } from "../../www/lessons/sent";
import { SentList } from "../../www/lessons/sent-list";
import { measuredOf, triesOf } from "../../www/lessons/sent-results";
import { LessonState } from "../../www/lessons/state";
import { detailWords, secondsLeft, stoppedWords } from "../../www/lessons/sweep-words";
import { INFOS, lesson, parse } from "./lesson-texts";

const lab = INFOS.get("control");
const curve = { units: [], values: [] };
const outcome = (seed: number, units: number, reached: number | null, last: number) => ({
  ...{ seed, units, reached, first: 0, last, least: 0, most: last },
  metrics: {},
});

test("runs of several seeds with settings of the reader's own are listed by their settings, each once", () => {
  const { lesson: read, problems } = parse(
    lesson(
      "@seeds task",
      "  title: Own runs",
      "  units: 40",
      "  seeds: 2",
      "  dials: learning_rate",
      "@check fast",
      "  text: Fast.",
      "  when: task.reached >= 2 and task.learning_rate >= 0.03",
    ),
  );
  assert.deepEqual(problems, []);
  assert.ok(read && lab);
  const [task] = partsOf(read).filter(isTraining);
  const check = partsOf(read).find((part) => part.kind === "check");
  assert.ok(task && check);
  const state = new LessonState(read, lab, null);
  const result = (rate: number, reached: (number | null)[], complete = true): SeedsResult => ({
    ...{ kind: "seeds", metric: "examReturn", target: 490, complete },
    settings: { learning_rate: rate, gamma: 0.99 },
    seeds: reached.map((at, seed) => ({ ...outcome(seed, at ?? 40, at, at === null ? 9 : 495), curve })),
  });
  assert.deepEqual(triesOf(state, task), []);
  state.setResult("task", result(0.02, [12, 14]));
  assert.ok(!state.isTicked(check));
  state.setResult("task", result(0.1, [null, 20], false)); // not all have ended: no try
  assert.equal(state.result("task"), state.kept.results["task"]);
  assert.deepEqual(state.result("task"), result(0.02, [12, 14]), "runs that have not ended replace those that have");
  state.setResult("task", result(0.1, [null, 20]));
  state.setResult("task", result(0.02, [12, 14]));
  const words = [
    "Learning rate 0.1: 1 of 2 runs reached the goal; median test score (fresh episodes) 252",
    "Learning rate 0.02: 2 of 2 runs reached the goal (median iteration 13); median test score (fresh episodes) 495",
  ];
  assert.deepEqual(triesOf(state, task), words);
  assert.ok(answersText(state).endsWith(`\nSettings tried: Own runs\n  ${words.join("\n  ")}\n`));
  assert.deepEqual(measuredOf(state).blocks[0]?.settings, { learning_rate: 0.02 });
  state.setResult("task", result(0.03, [12, 14]));
  assert.ok(state.isTicked(check));
  for (let i = 0; i < 40; i++) state.setResult("task", result(0.2 + i, [null, null]));
  assert.equal(triesOf(state, task).length, 30);
});

test("a class gets a result for each choice of settings, and the pupil can leave the earlier ones out", () => {
  const { lesson: read } = parse(
    lesson(
      "@run own",
      "  title: Own",
      "  units: 40",
      "  dials: learning_rate",
      "@run more",
      "  units: 40",
      "  dials: gamma",
    ),
  );
  assert.ok(read && lab);
  const state = new LessonState(read, lab, null);
  const train = (block: string, settings: Record<string, number>) =>
    state.setResult(block, {
      ...{ kind: "run", metric: "examReturn", settings, curve },
      ...outcome(5, 15, 15, 495),
    });
  train("own", { learning_rate: 0.1 });
  const list = new SentList(state, () => {});
  const sent = () => list.chosen().measured.blocks.map(({ block, settings }) => [block, ...Object.values(settings)]);
  const [last, earlier] = [...list.element.children] as [HTMLElement, HTMLElement];
  const boxOf = (line: HTMLElement) => line.children[0]?.children[0] as HTMLInputElement;
  for (const line of [last, earlier]) boxOf(line).checked = true; // as in a browser, by the attribute
  assert.ok(earlier.hidden, "there is one result only");
  for (const rate of [0.2, 0.3, 0.1]) train("own", { learning_rate: rate });
  list.draw();
  assert.ok(!earlier.hidden);
  assert.match(
    earlier.textContent ?? "",
    /^Your earlier results with other settings.*Learning rate 0\.2: .*rate 0\.3: /,
  );
  assert.doesNotMatch(earlier.textContent ?? "", /rate 0\.1: /, "that is the latest result");
  assert.deepEqual(sent(), [
    ["own", 0.2],
    ["own", 0.3],
    ["own", 0.1],
  ]);
  // All of it is read again as it was sent.
  const { measured } = list.chosen();
  assert.deepEqual(readMeasured(JSON.parse(JSON.stringify(measured))), measured);
  boxOf(earlier).checked = false;
  assert.deepEqual(sent(), [["own", 0.1]]);
  boxOf(earlier).checked = true;
  // Of each block equally many, the latest ones, and all together as many as a class takes.
  for (let i = 0; i < 40; i++) train("own", { learning_rate: i });
  for (let i = 0; i < 40; i++) train("more", { gamma: i / 100 });
  const last14 = (from: number, by: number) => Array.from({ length: 14 }, (_, i) => (from + i) / by);
  assert.deepEqual(sent(), [
    ...last14(25, 1).map((rate) => ["own", rate]),
    ...last14(25, 100).map((gamma) => ["more", gamma]),
    ["own", 39],
    ["more", 0.39],
  ]);
  assert.equal(sent().length, MAX_RESULTS);
});

test("a run counts as a try once it has ended, and not if its settings were changed meanwhile", () => {
  const { lesson: read } = parse(lesson("@run own", "  title: Own", "  units: 40", "  dials: learning_rate"));
  assert.ok(read && lab);
  const [own] = partsOf(read).filter(isTraining);
  assert.ok(own);
  const state = new LessonState(read, lab, null);
  const result = (units: number, reached: number | null, settings: Record<string, number>): RunResult => ({
    ...{ kind: "run", metric: "examReturn", settings, curve },
    ...outcome(5, units, reached, 495),
  });
  state.setResult("own", result(3, null, { learning_rate: 0.02 }));
  state.setResult("own", result(40, null, {}));
  assert.deepEqual(triesOf(state, own), []);
  for (let i = 0; i < 2; i++) state.setResult("own", result(15, 15, { learning_rate: 0.02 }));
  assert.deepEqual(triesOf(state, own), [
    "Learning rate 0.02: goal reached at iteration 15; test score (fresh episodes) 495",
  ]);
  state.clear();
  assert.deepEqual(triesOf(state, own), []);
});

test("runs are not listed by settings of which one is no number: they could not be told apart", () => {
  const { lesson: read, problems } = parse(
    lesson("@run own", "  units: 40", "  dials: world, learning_rate", "@run rate", "  units: 40", "  dials: gamma"),
  );
  assert.deepEqual(problems, []);
  assert.ok(read && lab);
  const [own, rate] = partsOf(read).filter(isTraining);
  assert.ok(own && rate);
  const state = new LessonState(read, lab, null);
  const settings = { learning_rate: 0.02, gamma: 0.9 };
  for (const name of ["own", "rate"])
    state.setResult(name, { ...{ kind: "run", metric: "examReturn", settings, curve }, ...outcome(5, 40, null, 495) });
  assert.deepEqual([triesOf(state, own).length, triesOf(state, rate).length], [0, 1]);
});

test("settings that the reader may change are called as the page calls them, where they are known", () => {
  assert.ok(lab);
  const dials = ["learning_rate", "gamma", "toString"];
  assert.equal(chosenWords(lab, dials, { gamma: 0.9, worlds: 8 }), "discount factor 0.9");
  assert.equal(chosenWords(lab, dials, { gamma: 0.9, learning_rate: 0.02 }), "learning rate 0.02, discount factor 0.9");
  assert.equal(chosenWords(lab, dials, {}), "");
});

/** A run of a sweep: how far it is, whether it has ended, and how many seconds it has trained. */
const swept = (units: number | null, ending: "goal" | null = null, seconds = 0) => ({
  run: units === null ? null : { position: { units, work: 0 }, ending, seconds },
});

test("while runs with several seeds train it is said in which iteration they are, and the time once one is done", () => {
  const words = (...seeds: ReturnType<typeof swept>[]) =>
    detailWords({ seeds, setup: { lab, atATime: 2 } } as unknown as SeedSweep, { units: 40 });
  assert.equal(words(swept(null), swept(null)), "");
  assert.equal(words(swept(3), swept(null)), "One run is training, in iteration 3 of at most 40.");
  assert.equal(words(swept(3), swept(5)), "2 runs are training, in iterations 3 to 5 of at most 40.");
  assert.equal(words(swept(4), swept(4)), "2 runs are training, in iteration 4 of at most 40.");
  const done = swept(20, "goal", 30);
  assert.equal(
    words(done, swept(5), swept(10), swept(null), swept(null)),
    "2 runs are training, in iterations 5 to 10 of at most 40. All runs together need about 50 seconds more.",
  );
});

test("time that is left: runs take as long as those that are done, and longer ones go on to their end", () => {
  const done = swept(20, "goal", 40); // two seconds for each iteration
  assert.equal(secondsLeft([swept(5), swept(null)], 2, 60), null);
  assert.equal(secondsLeft([done, swept(null)], 2, 60), 40);
  assert.equal(secondsLeft([done, swept(15)], 2, 60), 10);
  assert.equal(secondsLeft([done, swept(25)], 2, 60), 70);
  assert.equal(secondsLeft([done, swept(null), swept(null), swept(null)], 2, 60), 60);
  assert.equal(secondsLeft([done, done], 2, 60), 0);
});

/** A block of ten runs whose reader may change the learning rate; and runs with one, as many of which are done. */
function tenRuns() {
  const { lesson: read } = parse(
    lesson("@seeds task", "  title: Own runs", "  units: 40", "  dials: learning_rate", "@seeds other", "  units: 4"),
  );
  const task = read && partsOf(read).find((part) => part.kind === "seeds");
  assert.ok(read && lab && task);
  const state = new LessonState(read, lab, null);
  const runs = (rate: number, done: number, began = Math.min(10, done + 2)): SeedsResult => ({
    ...{ kind: "seeds", metric: "examReturn", target: 490, complete: done === 10 },
    settings: { learning_rate: rate, gamma: 0.99 },
    seeds: Array.from({ length: began }, (_, seed) => ({ ...outcome(seed, seed < done ? 40 : 7, null, 9), curve })),
  });
  /** What a sweep does with what it has measured (sweep.ts). */
  const measure = (result: SeedsResult) => {
    const isKept = isWorthKeeping(task, result, state.result("task"));
    if (isKept) state.setResult("task", result);
    return isKept;
  };
  /** How many runs need not be trained again if those with this rate are. */
  const left = (rate: number, inTab?: SeedsResult) =>
    partlyDone(task, { learning_rate: rate }, [inTab, state.result("task")])?.seeds.length ?? 0;
  return { task, state, runs, measure, left };
}

test("done runs of several seeds take the place of kept ones with other settings, and can be gone on with", () => {
  const { state, runs, measure, left } = tenRuns();
  assert.ok(measure(runs(0.02, 0)), "the first curves are not kept");
  assert.equal(left(0.02), 0);
  assert.ok(measure(runs(0.02, 6)));
  assert.ok(!measure(runs(0.02, 6)), "nothing new is kept again");
  assert.ok(!measure(runs(0.03, 0)), "runs of which none is done replace some that are");
  assert.deepEqual([left(0.02, runs(0.03, 0)), left(0.03, runs(0.03, 0))], [6, 0]);
  assert.ok(measure(runs(0.03, 3)));
  assert.deepEqual(state.result("task"), runs(0.03, 3));
  assert.deepEqual([left(0.03), left(0.02)], [3, 0]);
  assert.ok(measure(runs(0.04, 3)), "as many with other settings are not kept");
  assert.equal(left(0.04), 3);
});

test("done runs of several seeds that are stopped beside a result of all seeds can be gone on with", () => {
  for (const rate of [0.02, 0.03]) {
    const { state, runs, measure, left } = tenRuns();
    assert.ok(measure(runs(0.02, 10)));
    assert.ok(!measure(runs(rate, 9)), "runs that have not all ended replace those that have");
    assert.deepEqual(state.result("task"), runs(0.02, 10));
    assert.equal(left(rate), 0, "the lesson was left");
    assert.equal(left(rate, runs(rate, 9)), 9);
    assert.equal(left(0.05, runs(rate, 9)), 0);
    assert.ok(measure(runs(rate, 10)));
    assert.equal(left(rate, runs(rate, 10)), 0);
  }
});

test("runs that go on have the settings of those that were done, also before the first of them is open", () => {
  const { task, runs } = tenRuns();
  const earlier = partlyDone(task, { learning_rate: 0.02 }, [runs(0.02, 4)]);
  assert.ok(earlier);
  const now = joined(earlier, { ...runs(0.02, 0, 0), settings: {} }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual([now.settings, now.seeds.length], [{ learning_rate: 0.02, gamma: 0.99 }, 4]);
  assert.ok(isOfSettings(task, { learning_rate: 0.02 }, now));
});

test("of runs that were stopped it is said how long they are kept", () => {
  const { task, runs } = tenRuns();
  const stopped = { failures: "", stoppedFor: null };
  const kept = { isKept: true, isChosen: true };
  const words = (done: number, why = stopped, place = kept) => stoppedWords(task, runs(0.02, done), why, place);
  const counts = "The results count when all are done.";
  assert.equal(words(0), "Stopped. No run was done, so nothing counts yet.");
  assert.equal(words(1), `Stopped. 1 of 10 runs is done and kept. ${counts}`);
  assert.equal(
    words(6, stopped, { isKept: true, isChosen: false }),
    `Stopped. 6 of 10 runs are done, and kept until a run with the newly chosen settings is done. ${counts}`,
  );
  const here = { isKept: false, isChosen: true };
  const untilLeft = "9 of 10 runs are done, and kept only until you leave this lesson";
  assert.equal(words(9, stopped, here), `Stopped. ${untilLeft} or train with other settings. ${counts}`);
  assert.equal(stoppedWords({ ...task, dials: [] }, runs(0.02, 9), stopped, here), `Stopped. ${untilLeft}. ${counts}`);
  assert.equal(
    words(6, { failures: "No memory.", stoppedFor: null }),
    `No memory. 6 of 10 runs are done and kept. ${counts} If it fails again, close other tabs, load this page again, and train the rest then.`,
  );
});

test("the block of several seeds offers the rest of runs that were stopped beside a result of all seeds", () => {
  const { task, state, runs } = tenRuns();
  const begun = {
    ...{ part: task, training: false, progress: "", detail: "", failures: "", stoppedFor: "Other runs" },
    stop: () => {},
  };
  state.setResult("task", runs(0.02, 10));
  state.setDials("task", { learning_rate: 0.03 });
  const { element } = new SeedsBlock(task, state, {} as BundleChoice, null);
  const has = (text: string) => assert.ok(element.textContent?.includes(text), `${text}: ${element.textContent}`);
  has("Train 10 runs");
  state.sweeps.set("task", { ...begun, result: runs(0.03, 9) });
  state.sweepWentOn();
  has("Train the last run");
  has("Stopped, because “Other runs” began. 9 of 10 runs are done, and kept only until you leave this lesson");
  has("At the end, test score"); // what all seeds have measured stays
  state.setDials("task", { learning_rate: 0.02 });
  state.sweepWentOn();
  has("Train again");
});
