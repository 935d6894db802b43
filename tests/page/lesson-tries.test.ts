// Settings that the reader of a lesson may change: what runs with each of them came to is listed; and what is said of runs
// with several seeds while they train.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { SeedSweep } from "../../www/core/compare/seed-sweep";
import { isTraining, partsOf } from "../../www/lessons/format";
import type { RunResult, SeedsResult } from "../../www/lessons/measures";
import { answersText } from "../../www/lessons/sent";
import { measuredOf, triesOf } from "../../www/lessons/sent-results";
import { LessonState } from "../../www/lessons/state";
import { detailWords, secondsLeft } from "../../www/lessons/sweep-words";
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
