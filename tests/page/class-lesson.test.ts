// A class that does a lesson: what of its answers is sent and copied, and how the teacher's page counts them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answersByQuestion, answersTable } from "../../www/class/answers";
import { isLessonLink, lessonLinkIn } from "../../www/class/lesson";
import { keepNote, keptNote, news } from "../../www/class/note";
import { readState, type Standing } from "../../www/class/server";
import { isPlainText, MAX_ANSWER, MAX_ANSWERS, MAX_QUESTION, shortened } from "../../www/class/text";
import type { Lesson } from "../../www/lessons/format";
import { answersText, prepared, sentLength, sentQuestions } from "../../www/lessons/sent";
import { LessonState } from "../../www/lessons/state";
import { file, INFOS, LAB_IDS, lesson, parse } from "./lesson-texts";

const read = (text: string): Lesson => {
  const { lesson: found, problems } = parse(text);
  assert.deepEqual(problems, []);
  return found ?? assert.fail("no lesson");
};

function stateOf(text: string): LessonState {
  return new LessonState(read(text), INFOS.get("control") ?? assert.fail("no lab"), null);
}

test("the class takes the questions of all labs' lessons as they stand, and they are told apart", () => {
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

test("the table of answers has no formulas", () => {
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

test("the state of a class holds the answers of a lesson beside those to the class's question", () => {
  const answer = (question: string) => ({ question, text: "x" });
  const eight = Array.from({ length: 8 }, (_, i) => answer(`${i}?`));
  const { pupils } = readState({
    code: "K7QM",
    pupils: [
      { seat: 1, seed: 1, name: "Ada", state: "here", answers: [answer("Why?")], lesson: [...eight, answer("9?")] },
    ],
  });
  assert.deepEqual(
    pupils[0]?.answers.map(({ question }) => question),
    ["Why?", ...eight.map(({ question }) => question)],
  );
});

test("a tab tells the page's other parts when it joins, hears of its class and leaves", (t) => {
  const items = new Map<string, string>();
  const before = Object.getOwnPropertyDescriptor(globalThis, "sessionStorage");
  let isFull = false;
  Object.defineProperty(globalThis, "sessionStorage", {
    configurable: true,
    value: {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, text: string) => {
        if (isFull) throw new Error("QuotaExceededError");
        items.set(key, text);
      },
      removeItem: (key: string) => items.delete(key),
    },
  });
  t.after(() => {
    keepNote(null);
    if (before) Object.defineProperty(globalThis, "sessionStorage", before);
    else Reflect.deleteProperty(globalThis, "sessionStorage");
  });
  const note = { name: "Ada", seed: 1, code: "K7QM", question: "", answer: "", task: "lesson/cube", token: "t" };
  const said: string[] = [];
  news.on("changed", () => said.push("changed"));
  news.on("heard", ({ answers }) => said.push(`heard ${answers}`));
  keepNote(note);
  assert.deepEqual(keptNote(), note);
  const standing: Standing = { task: null, pupils: 1, units: null, value: null, told: true, answers: 2 };
  news.heard(standing);
  assert.equal(news.last?.answers, 2);
  keepNote(null);
  assert.deepEqual([keptNote(), news.last], [null, null]);
  assert.deepEqual(said, ["changed", "heard 2", "changed"]);
  isFull = true;
  keepNote(note);
  assert.deepEqual(keptNote(), note, "what cannot be stored lasts until the page is loaded again");
});
