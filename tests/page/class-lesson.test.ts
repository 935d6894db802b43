// A class that does a lesson: which answers and results are sent, copied and refused, how the teacher's page groups
// them, and what a tab stores of its class.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answersByQuestion, answersTable, withoutRepeats } from "../../www/class/answers";
import { isLessonLink, lessonLinkIn } from "../../www/class/lesson";
import { keepNote, keptNote, news } from "../../www/class/note";
import { readMeasured, resultCount, resultWords, type BlockResult } from "../../www/class/measured";
import { measuredGroups } from "../../www/class/measured-groups";
import { readState, type Standing } from "../../www/class/server";
import { isPlainText, MAX_ANSWER, MAX_ANSWERS, MAX_QUESTION, shortened } from "../../www/class/text";
import type { Lesson } from "../../www/lessons/format";
import { answersText, prepared, sentLength, sentQuestions } from "../../www/lessons/sent";
import { measuredLines, measuredOf, measuredParts } from "../../www/lessons/sent-results";
import { LessonState } from "../../www/lessons/state";
import type { RunOutcome } from "../../www/lessons/measures";
import { replaceStorage } from "./fake-storage";
import { file, INFOS, LAB_IDS, lesson, parse } from "./lesson-texts";

const read = (text: string): Lesson => {
  const { lesson: found, problems } = parse(text);
  assert.deepEqual(problems, []);
  return found ?? assert.fail("no lesson");
};

function stateOf(text: string): LessonState {
  return new LessonState(read(text), INFOS.get("control") ?? assert.fail("no lab"), null);
}

test("the questions and options of every lab's lesson are sent within the limits of a class, and differ", () => {
  for (const id of LAB_IDS) {
    const asked = sentQuestions(read(file(`labs/${id}/lesson.txt`)));
    assert.ok(asked.length > 0 && asked.length <= MAX_ANSWERS, id);
    assert.equal(new Set(asked.map(({ question }) => question)).size, asked.length);
    for (const { question, options } of asked) {
      assert.ok(isPlainText(question, MAX_QUESTION), question);
      for (const option of options) assert.ok(isPlainText(option, MAX_ANSWER), option);
    }
  }
});

test("long questions and options are shortened, and a number tells equal ones apart", () => {
  const long = "Why ".repeat(50);
  const state = stateOf(
    lesson(
      "@sentence a",
      `  ask: ${long}A?`,
      "@sentence b",
      `  ask: ${long}B?`,
      "@choice c",
      "  ask: Which?",
      `  option: ${"x".repeat(300)}1`,
      `  option: ${"x".repeat(300)}2`,
    ),
  );
  const [a, b, c] = sentQuestions(state.lesson);
  assert.ok(a && b && c);
  assert.match(a.question, /^Why Why .*…$/);
  assert.match(b.question, /^Why Why .*… \(2\)$/);
  assert.ok([a, b].every(({ question }) => isPlainText(question, MAX_QUESTION)));
  assert.equal(new Set(c.options).size, 2);
  state.setAnswer("c", 1);
  assert.deepEqual(prepared(c, state), { answer: { question: "Which?", text: c.options[1] }, problem: null });
  assert.equal(shortened("a\u202eb", 9), "a\ufffdb");
  assert.equal([...shortened("🤖".repeat(30), 24)].length, 24);
});

test("an answer is sent on one line, and a long one is refused in a sentence", () => {
  const state = stateOf(
    lesson("@sentence why", "  ask: Why?", "@number few", "  ask: How many?", "  from: 0", "  to: 1"),
  );
  const [why, few] = sentQuestions(state.lesson);
  assert.ok(why && few);
  assert.equal(prepared(why, state), null);
  state.setAnswer("why", " It falls,\n\nthen  learns. ");
  state.setAnswer("few", 0.25);
  assert.deepEqual(prepared(why, state)?.answer, { question: "Why?", text: "It falls, then learns." });
  assert.deepEqual(prepared(few, state)?.answer, { question: "How many?", text: "0.25" });
  assert.equal(sentLength("a\n b"), 3);
  state.setAnswer("why", "x".repeat(MAX_ANSWER));
  assert.equal(prepared(why, state)?.problem, null);
  state.setAnswer("why", "x".repeat(MAX_ANSWER + 1));
  assert.equal(prepared(why, state)?.problem, "The answer has more than 280 characters.");
  state.setAnswer("why", "\u202eabc");
  assert.match(prepared(why, state)?.problem ?? "", /cannot be shown/);
});

test("the text to copy holds each question with its answer", () => {
  const state = stateOf(
    lesson(
      "@choice a",
      "  ask: Which?",
      "  option: Left",
      "  option: Right",
      "",
      "# Two",
      "",
      "@sentence why",
      "  ask: Why?",
    ),
  );
  state.setAnswer("a", 1);
  assert.equal(answersText(state), "L\n\n1. One\n\nWhich?\n  Right\n\n2. Two\n\nWhy?\n  (no answer)\n");
  state.setAnswer("why", "First line\nsecond");
  assert.match(answersText(state), /Why\?\n {2}First line\n {2}second\n$/);
});

const pupil = (name: string, ...pairs: [string, string][]) => ({
  name,
  answers: pairs.map(([question, text]) => ({ question, text })),
});

test("answers are grouped by question: choices and numbers are counted, sentences listed", () => {
  const known = [
    { question: "Which?", options: ["A", "B", "C"], isNumber: false },
    { question: "How many?", options: [], isNumber: true },
    { question: "Why?", options: [], isNumber: false },
    { question: "Unanswered?", options: ["A"], isNumber: false },
  ];
  const class_ = [
    pupil("Ada", ["Why?", "Luck."], ["Which?", "B"], ["How many?", "10"]),
    pupil("Bob", ["Why?", "Luck."], ["Which?", "B"], ["How many?", "9"]),
    pupil("Eve", ["Which?", "<b>D</b>"], ["Own?", "Yes"]),
  ];
  const groups = answersByQuestion(class_, known);
  assert.deepEqual(
    groups.map(({ question, count, isCounted }) => [question, count, isCounted]),
    [
      ["Which?", 3, true],
      ["How many?", 2, true],
      ["Why?", 2, false],
      ["Own?", 1, false],
    ],
  );
  assert.deepEqual(
    groups[0]?.answers.map(({ text, names }) => [text, names.join()]),
    [
      ["A", ""],
      ["B", "Ada,Bob"],
      ["C", ""],
      ["<b>D</b>", "Eve"],
    ],
  );
  assert.deepEqual(
    groups[1]?.answers.map(({ text }) => text),
    ["9", "10"],
  );
  assert.deepEqual(
    groups[2]?.answers.map(({ names }) => names),
    [["Ada"], ["Bob"]],
  );
  // Without the lesson, equal short answers are counted.
  const [which, , why] = answersByQuestion([
    pupil("Ada", ["Which?", "B"], ["How many?", "9"], ["Why?", "x".repeat(70)]),
    pupil("Bob", ["Which?", "B"], ["Why?", "x".repeat(70)]),
  ]);
  assert.deepEqual([which?.isCounted, why?.isCounted], [true, false]);
  assert.deepEqual(answersByQuestion([pupil("Ada")], known), []);
  const [before] = answersByQuestion(class_, known, "Own?");
  assert.equal(before?.question, "Own?", "the class's question comes first");
});

test("a pupil who hands in twice: equal answers count once, different ones stay", () => {
  const soon: [string, string] = ["When?", "Soon"];
  const [first, again, other, changed] = withoutRepeats([
    pupil("Ada", soon, ["Why?", "Luck."]),
    pupil("ada", soon, ["Why?", "Skill."]),
    pupil("Bob", soon),
    pupil("Ada", ["When?", "Never"]),
  ]);
  const texts = [first, again, other, changed].map((each) => each?.answers.map(({ text }) => text));
  assert.deepEqual(texts, [["Soon", "Luck."], ["Skill."], ["Soon"], ["Never"]]);
});

test("the CSV of answers is safe from formula injection: such cells begin with an apostrophe, numbers stay", () => {
  const table = answersTable([
    pupil("Ada", ["Why?", '=HYPERLINK("x")'], ["How many?", "-3"], ["A, b", "+1+1"]),
    pupil("@Bob", ["Why?", 'He said "no"']),
  ]);
  assert.equal(
    table,
    [
      "Name,Question,Answer",
      `Ada,Why?,"'=HYPERLINK(""x"")"`,
      "Ada,How many?,-3",
      `Ada,"A, b",'+1+1`,
      `'@Bob,Why?,"He said ""no"""`,
      "",
    ].join("\n"),
  );
});

test("links of lessons are told from those of runs", () => {
  assert.ok(isLessonLink("lesson/cube") && !isLessonLink("control?worlds=8") && !isLessonLink("lessons"));
  assert.equal(lessonLinkIn("https://example.org/a/#/lesson/own?data=AB-_"), "lesson/own?data=AB-_");
  assert.equal(lessonLinkIn(" #/lesson/cube "), "lesson/cube");
  assert.equal(lessonLinkIn("lesson/cube"), "lesson/cube");
  assert.equal(lessonLinkIn("#/control?seed=1"), null);
});

test("the state of a class holds the answer to its own question and as many answers of a lesson as are allowed", () => {
  const answer = (question: string) => ({ question, text: "x" });
  const most = Array.from({ length: MAX_ANSWERS }, (_, i) => answer(`${i}?`));
  const { pupils } = readState({
    code: "K7QM",
    pupils: [
      {
        seat: 1,
        seed: 1,
        name: "Ada",
        state: "here",
        answers: [answer("Why?")],
        lesson: [...most, answer("one too many?")],
      },
    ],
  });
  assert.deepEqual(
    pupils[0]?.answers.map(({ question }) => question),
    ["Why?", ...most.map(({ question }) => question)],
  );
});

/** A lesson that measures one run, which pupils may change, and three seeds. */
const MEASURING = lesson(
  "@run own",
  "  title: Your own run",
  "  units: 40",
  "  dials: learning_rate, gamma",
  "@seeds many",
  "  title: Three runs",
  "  seeds: 3",
  "  units: 40",
  "@check fast",
  "  text: Two of three reach the goal.",
  "  when: many.reached >= 2",
  "@check slow",
  "  text: The run has taken all its time.",
  "  when: own.units >= 40",
);

/**
 * The outcome of a run that trained for so many units; `reached` is the unit in which it reached the goal, or null. In a
 * `BlockResult` these two are `trained` and `units`. `first` and `least` are not sent.
 */
const outcome = (seed: number, units: number, reached: number | null, last: number): RunOutcome => ({
  seed,
  units,
  reached,
  first: 9,
  last,
  least: 9,
  most: last,
  metrics: {},
});

test("what a lesson has measured is sent as names and numbers, and shown in the words of the lesson", () => {
  const state = stateOf(MEASURING);
  const parts = measuredParts(state.lesson, state.lab);
  assert.equal(resultCount(measuredOf(state)), 0);
  const settings = { learning_rate: 0.03, gamma: 0.99, worlds: 128 };
  state.setResult("own", {
    kind: "run",
    metric: "examReturn",
    ...outcome(5, 13, 13, 492.25),
    settings,
    curve: { units: [], values: [] },
  });
  const seeds = [outcome(0, 12, 12, 495), outcome(1, 40, null, 30), outcome(2, 20, 20, 491)].map((each) => ({
    ...each,
    curve: { units: [], values: [] },
  }));
  state.setResult("many", { kind: "seeds", metric: "examReturn", target: 490, complete: false, settings: {}, seeds });
  assert.equal(resultCount(measuredOf(state)), 1, "seeds that have not ended count for nothing");
  state.setResult("many", { kind: "seeds", metric: "examReturn", target: 490, complete: true, settings: {}, seeds });
  const measured = measuredOf(state);
  assert.deepEqual(measured, {
    checks: ["fast"],
    blocks: [
      {
        block: "own",
        metric: "examReturn",
        runs: 1,
        reached: 1,
        trained: 13,
        units: 13,
        value: 492.25,
        settings: { learning_rate: 0.03, gamma: 0.99 },
      },
      { block: "many", metric: "examReturn", runs: 3, reached: 2, trained: 40, units: 20, value: 491, settings: {} },
    ],
  });
  assert.deepEqual(readMeasured(JSON.parse(JSON.stringify(measured))), measured);
  assert.deepEqual(measuredLines(measured, parts), [
    "Ticked: Two of three reach the goal.",
    "Your own run: Learning rate 0.03, discount factor 0.99: goal reached at iteration 13; test score (fresh episodes) 492",
    "Three runs: 2 of 3 runs reached the goal (median iteration 20); median test score (fresh episodes) 491",
  ]);
  assert.match(
    answersText(state),
    /\nMeasured\n {2}Ticked: Two of three .*\n {2}Your own run: .*\n {2}Three runs: .*\n$/,
  );
});

test("a run that has trained longer than the lesson lets it is not sent", () => {
  const state = stateOf(MEASURING);
  const run = (units: number) => ({
    ...{ kind: "run" as const, metric: "examReturn", settings: {}, curve: { units: [], values: [] } },
    ...outcome(5, units, null, 492),
  });
  state.setResult("own", run(41));
  assert.deepEqual(measuredOf(state).blocks, []);
  state.setResult("own", run(40));
  assert.deepEqual(
    measuredOf(state).blocks.map(({ trained }) => trained),
    [40],
  );
});

test("the teacher sees for which pupils each check is ticked, and pupils with equal results together", () => {
  const parts = measuredParts(read(MEASURING), INFOS.get("control") ?? assert.fail("no lab"));
  const own: BlockResult = {
    block: "own",
    metric: "examReturn",
    runs: 1,
    reached: 0,
    trained: 40,
    units: null,
    value: null,
    settings: {},
  };
  const groups = measuredGroups(
    [
      { name: "Ada", measured: { checks: ["slow"], blocks: [own] } },
      {
        name: "Bob",
        measured: { checks: ["slow", "unknown-check"], blocks: [own, { ...own, block: "unknown-block" }] },
      },
      {
        name: "Eve",
        measured: {
          checks: ["fast"],
          blocks: [
            { ...own, trained: 41 },
            { ...own, block: "many" },
          ],
        },
      },
      // He has sent nothing, so he is not counted.
      { name: "Dan", measured: { checks: [], blocks: [] } },
    ],
    parts,
  );
  assert.deepEqual(
    groups.map(({ question, count, answers }) => [question, count, answers.map(({ text, names }) => [text, ...names])]),
    [
      [
        "Two of three reach the goal.",
        3,
        [
          ["Ticked", "Eve"],
          ["Not ticked", "Ada", "Bob"],
        ],
      ],
      [
        "The run has taken all its time.",
        3,
        [
          ["Ticked", "Ada", "Bob"],
          ["Not ticked", "Eve"],
        ],
      ],
      ["Your own run", 2, [["Goal not reached in 40 iterations", "Ada", "Bob"]]],
    ],
    "results that do not fit the lesson are left out",
  );
});

test("a pupil with results of several settings counts once, and each of the results is shown and saved", () => {
  const parts = measuredParts(read(MEASURING), INFOS.get("control") ?? assert.fail("no lab"));
  const own = (gamma: number, reached: number): BlockResult => ({
    ...{ block: "own", metric: "examReturn", runs: 1, reached, trained: 40, units: null, value: null },
    settings: { gamma },
  });
  const ada = { name: "Ada", answers: [], measured: { checks: [], blocks: [own(0.5, 0), own(0.9, 1)] } };
  const bob = { name: "Bob", answers: [], measured: { checks: [], blocks: [own(0.9, 1)] } };
  const group = measuredGroups([ada, bob], parts).find(({ question }) => question === "Your own run");
  assert.equal(group?.count, 2);
  const [half, most] = ["Discount factor 0.5: goal not reached in 40 iterations", "Discount factor 0.9: goal reached"];
  assert.deepEqual(
    group.answers.map(({ text, names }) => [text, ...names]),
    [
      [most, "Ada", "Bob"],
      [half, "Ada"],
    ],
  );
  const rows = [`Ada,Your own run,${half}`, `Ada,Your own run,${most}`, `Bob,Your own run,${most}`];
  assert.ok(answersTable([ada, bob], parts).trimEnd().endsWith(rows.join("\n")), answersTable([ada, bob], parts));
});

test("malformed or hostile results are left out or bounded, and no text of theirs is shown", () => {
  assert.deepEqual(readMeasured(null), { checks: [], blocks: [] });
  assert.deepEqual(readMeasured({ checks: "x", blocks: 7 }), { checks: [], blocks: [] });
  const hostile = {
    block: "own",
    metric: "<b>metric</b>",
    runs: 1,
    reached: 9,
    trained: 40,
    units: "1",
    value: Infinity,
    settings: { learning_rate: "<i>", "\u202e": 1, gamma: 0.9, constructor: 1 },
  };
  const { checks, blocks } = readMeasured({
    checks: ["fast", "fast", "<b>", 7, "x".repeat(25)],
    blocks: [hostile, { ...hostile, block: "<b>" }, { ...hostile, runs: -1 }, { ...hostile, trained: 0.5 }, null],
  });
  assert.deepEqual(checks, ["fast"]);
  assert.equal(blocks.length, 1);
  const parts = measuredParts(read(MEASURING), INFOS.get("control") ?? assert.fail("no lab"));
  const [block] = parts.blocks;
  assert.ok(block && blocks[0]);
  assert.equal(resultWords(blocks[0], block, parts), "Discount factor 0.9: goal reached");
  const names = Array.from({ length: 60 }, (_, i) => `a${i}`);
  const many = readMeasured({ checks: names, blocks: names.map((name) => ({ ...hostile, block: name })) });
  assert.deepEqual([many.checks.length, many.blocks.length], [40, 30]);
  const [last] = readMeasured({ checks: [], blocks: [hostile, { ...hostile, trained: 7 }] }).blocks;
  assert.equal(last?.trained, 7, "of results with the same settings the last one counts");
});

test("a tab tells the page's other parts when it joins, hears of its class and leaves", (t) => {
  t.after(() => keepNote(null));
  const fake = replaceStorage(t, "sessionStorage");
  const note = { name: "Ada", seed: 1, code: "K7QM", question: "", answer: "", task: "lesson/cube", token: "t" };
  const said: string[] = [];
  news.on("changed", () => said.push("changed"));
  news.on("heard", ({ answers }) => said.push(`heard ${answers}`));
  keepNote(note);
  assert.deepEqual(keptNote(), note);
  const standing: Standing = { task: null, pupils: 1, units: null, value: null, told: true, answers: 2, measured: 0 };
  news.heard(standing);
  assert.equal(news.last?.answers, 2);
  keepNote(null);
  assert.deepEqual([keptNote(), news.last], [null, null]);
  assert.deepEqual(said, ["changed", "heard 2", "changed"]);
  fake.isFull = true;
  keepNote(note);
  assert.deepEqual(keptNote(), note, "what cannot be stored lasts until the page is loaded again");
});
