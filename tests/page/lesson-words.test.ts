// What a lesson takes as an answer, and what it says of answers and of what was measured.

import { textOf } from "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Check } from "../../www/lessons/check";
import { isQuestion, partsOf } from "../../www/lessons/format";
import type { SeedsResult } from "../../www/lessons/measures";
import { Question } from "../../www/lessons/question";
import { answersText } from "../../www/lessons/sent";
import { allows, LessonState, readTyped } from "../../www/lessons/state";
import { comparisonWords, measureWords } from "../../www/lessons/values";
import { outcome, RESULT } from "./lesson-results";
import { file, INFOS, lesson, parse, SEEDS } from "./lesson-texts";

test("a number is shown as it was typed, and measured values with the digits that their margin of error bears", () => {
  const lab = INFOS.get("backgammon");
  const { lesson: read } = parse(file("labs/backgammon/lesson.txt"));
  assert.ok(lab && read);
  const state = new LessonState(read, lab, null);
  const question = partsOf(read)
    .filter(isQuestion)
    .find(({ name }) => name === "few-range");
  assert.ok(question);
  for (const wrong of ["abc", "9", "1,2,3", ""]) {
    state.setAnswer("few-range", wrong);
    assert.equal(state.answer(question), null, wrong);
    assert.equal(state.answerWords(question), null, wrong);
  }
  state.setAnswer("few-range", "0,8");
  assert.equal(state.answer(question), 0.8);
  const { metrics } = lab.about;
  const score = metrics[0]?.name ?? "";
  const runs = (margin: number | null, ...lasts: number[]): SeedsResult => ({
    kind: "seeds",
    metric: score,
    target: null,
    complete: true,
    settings: {},
    seeds: lasts.map((last, seed) => ({
      ...outcome(seed, null, last),
      metrics: { [score]: last, ...(margin !== null && { margin }) },
      curve: { units: [], values: [] },
    })),
  });
  state.setResult("few", runs(null, -2.5, -1, -1.25, -1.5));
  assert.equal(comparisonWords(state, question), "You predicted: 0,8. What happened: 1.5.");
  const many = { block: "many", what: "margin" };
  state.setResult("many", runs(0.0456, -1.5912, -1.2034));
  assert.equal(measureWords(state, many, state.measure(many)), "0.046");
  const range = { block: "many", what: "range" };
  assert.equal(measureWords(state, range, state.measure(range)), "0.388");
  assert.match(answersText(state), / {2}0,8\n {2}What happened: 1\.5\n/);
  // Answers of earlier visits were kept as numbers.
  const other = new LessonState(read, lab, null);
  other.kept.answers["few-range"] = 2;
  assert.equal(other.answerWords(question), "2");
});

test("of runs that have ended without the number that was asked for, just that is said", () => {
  const lab = INFOS.get("control");
  const { lesson: read } = parse(
    lesson("@number when", "  ask: When?", "  from: 1", "  to: 10", "  is: one.goal", "@run one", "  units: 10"),
  );
  const question = read && partsOf(read).find(isQuestion);
  assert.ok(lab && read && question);
  const state = new LessonState(read, lab, null);
  state.setAnswer("when", "7");
  const curve = { units: [], values: [] };
  state.setResult("one", { ...outcome(0, null, 9), units: 10, kind: "run", metric: "examReturn", settings: {}, curve });
  assert.equal(comparisonWords(state, question), "You predicted: 7. The run has ended without giving such a number.");
});

test("if too few runs of several seeds have reached the goal for a median, that is said", () => {
  const lab = INFOS.get("control");
  const { lesson: read } = parse(
    lesson("@number when", "  ask: When?", "  from: 1", "  to: 10", "  is: slow.units", ...SEEDS),
  );
  const question = read && partsOf(read).find(isQuestion);
  assert.ok(lab && read && question);
  const state = new LessonState(read, lab, null);
  state.setAnswer("when", "7");
  const words = (...reached: (number | null)[]) => {
    const seeds = reached.map((at, seed) => ({ ...outcome(seed, at, 9), curve: { units: [], values: [] } }));
    state.setResult("slow", { ...RESULT, seeds });
    return comparisonWords(state, question);
  };
  assert.equal(words(null, null), "You predicted: 7. None of 2 runs reached the goal, so there is no median.");
  assert.equal(
    words(3, null, 5, null),
    "You predicted: 7. Only 2 of 4 runs reached the goal; a median needs more than half of them.",
  );
  assert.equal(words(3, 4, 5, null), "You predicted: 7. What happened: 4.5.");
});

test("of a check and of a locked prediction it is said whether they are about one run or about several", () => {
  const lab = INFOS.get("control");
  const about = (block: string) => [
    ...[`@number ask-${block}`, "  ask: A?", "  from: 0", "  to: 10", `  is: ${block}.reached`],
    ...[`@check check-${block}`, "  text: A.", `  when: ${block}.reached >= 9`],
  ];
  const { lesson: read, problems } = parse(
    lesson(...about("slow"), ...about("one"), ...SEEDS, "@run one", "  units: 10"),
  );
  assert.deepEqual(problems, []);
  assert.ok(lab && read);
  const state = new LessonState(read, lab, null);
  const curve = { units: [], values: [] };
  const run = { ...outcome(0, null, 9), kind: "run" as const, metric: "examReturn", settings: {}, curve };
  for (const block of ["slow", "one"]) state.setAnswer(`ask-${block}`, "3");
  state.setResult("slow", RESULT);
  state.setResult("one", run);
  const parts = partsOf(read);
  const checks = parts.flatMap((part) => (part.kind === "check" ? [textOf(new Check(part, state).element)] : []));
  assert.deepEqual(checks, ["A.The runs have ended without it.", "A.The run has ended without it."]);
  const locked = parts.filter(isQuestion).map((part) => textOf(new Question(part, state).element, "lesson-note"));
  const words = (runs: string) => `Your prediction is kept. It cannot change now, because its ${runs} begun.`;
  assert.deepEqual(locked, [words("runs have"), words("run has")]);
});

test("a number of runs is typed whole; a percent sign is taken where a question asks in percent", () => {
  const lab = INFOS.get("logic");
  const { lesson: read } = parse(file("labs/logic/lesson.txt"));
  assert.ok(lab && read);
  const state = new LessonState(read, lab, null);
  const question = (name: string) => partsOf(read).find((part) => isQuestion(part) && part.name === name);
  const typedAnswer = (name: string, typed: string) => {
    const part = question(name);
    assert.ok(part?.kind === "number");
    const value = readTyped(part, typed);
    return allows(part, value) ? value : null;
  };
  for (const [typed, value] of [
    ["3", 3],
    ["3.0", 3],
    ["3.5", null],
    ["3,5", null],
    ["3%", null],
    ["11", null],
  ] as const)
    assert.equal(typedAnswer("whole", typed), value, typed);
  for (const [typed, value] of [
    ["70%", 70],
    ["70 %", 70],
    ["48,5%", 48.5],
    ["48.5", 48.5],
    ["%", null],
    ["7%0", null],
    ["101%", null],
  ] as const)
    assert.equal(typedAnswer("share", typed), value, typed);
  const whole = question("whole");
  assert.ok(whole && isQuestion(whole));
  for (const [kept, value] of [
    ["2.5", 2.5], // an earlier version of the page took it
    [2.5, 2.5],
    ["11", null],
    ["few", null],
  ] as const) {
    state.kept.answers["whole"] = kept;
    assert.equal(state.answer(whole), value, String(kept));
  }
});
