// Lesson codes of a class without a server: written, read again, refused where they are damaged, edited or hostile; and
// how the teacher's page counts them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { answersTable } from "../../www/class/answers";
import { checksum, codesIn } from "../../www/class/code-text";
import { addedWords, readCollected } from "../../www/class/collected";
import { KnownLessons } from "../../www/class/known-lessons";
import type { ClassLessons, LessonTask } from "../../www/class/lesson";
import { readLessonCode, writeLessonCode, type LessonResult, type ReadLessonResult } from "../../www/class/lesson-code";
import { EDITED, lessonGroups, OTHER_VERSION, problemOfLesson } from "../../www/class/lesson-groups";
import type { BlockResult } from "../../www/class/measured";
import { MAX_QR_CHARACTERS } from "../../www/class/qr";
import { isPlainText, MAX_ANSWER, MAX_ANSWERS, MAX_NAME, MAX_QUESTION } from "../../www/class/text";
import { lessonId } from "../../www/lessons/answers";
import { sentQuestions } from "../../www/lessons/sent";
import { whichWords } from "../../www/class/collected";
import { measuredParts } from "../../www/lessons/sent-results";
import { file, INFOS, LAB_IDS, lesson, parse } from "./lesson-texts";

const BLOCK: BlockResult = {
  block: "own",
  metric: "examReturn",
  runs: 1,
  reached: 1,
  trained: 13,
  units: 13,
  value: 492.25,
  settings: { learning_rate: 0.03 },
};

const resultWith = (rest: Partial<LessonResult> = {}): LessonResult => ({
  name: "Ada",
  lesson: lessonId(TEXT, null),
  title: "L",
  time: 1_795_900_000,
  answers: [
    { question: "Which?", text: "Left" },
    { question: "Why?", text: "It falls over, then learns – slowly." },
  ],
  measured: { checks: ["fast"], blocks: [BLOCK] },
  ...rest,
});

/** A lesson of somebody's own. */
const TEXT = lesson(
  "@choice side",
  "  ask: Which?",
  "  option: Left",
  "  option: Right",
  "@number few",
  "  ask: How many?",
  "  from: 0",
  "  to: 9",
  "@sentence why",
  "  ask: Why?",
  "@run own",
  "  title: Your own run",
  "  units: 40",
  "  dials: learning_rate",
  "@check fast",
  "  text: It has trained.",
  "  when: own.units >= 2",
);

function taskOf(text: string, name: string | null = null): LessonTask {
  const { lesson: read, problems } = parse(text);
  assert.deepEqual(problems, []);
  const found = read ?? assert.fail("no lesson");
  const info = INFOS.get(found.lab) ?? assert.fail("no lab");
  return {
    id: lessonId(text, name),
    link: `lesson/${name ?? "own?data="}`,
    title: found.title,
    about: "",
    lab: info.about.title,
    minutes: 1,
    questions: sentQuestions(found),
    parts: measuredParts(found, info),
  };
}

const codeOf = async (result: LessonResult) => (await writeLessonCode(result)) ?? assert.fail("no code");
async function readWell(code: string): Promise<ReadLessonResult> {
  const result = await readLessonCode(code);
  assert.ok(!("problem" in result), JSON.stringify(result));
  return result;
}
const readOf = async (rest: Partial<LessonResult>) => readWell(await codeOf(resultWith(rest)));

/** A code with this JSON and a right checksum, as a forger writes it. */
function forged(value: unknown): string {
  const packed = deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  return `LL1.${checksum(packed)}.${packed}`;
}

test("codes that a mail program has broken into lines are found whole, whatever stands around them", async () => {
  const one = await codeOf(resultWith());
  const two = await codeOf(resultWith({ name: "Ben" }));
  const wrapped = (code: string, width: number, end: string) =>
    (code.match(new RegExp(`.{1,${width}}`, "g")) ?? []).join(end);
  for (const width of [5, 7, 13, 14, 40, 76])
    for (const end of ["\n", "\r\n", " ", "\n  "]) {
      const [a, b] = [wrapped(one, width, end), wrapped(two, width, end)];
      assert.deepEqual(codesIn(a), [one]);
      assert.deepEqual(codesIn(`Ada: ${a}\n${b}\nBye, Ben and Ada`), [one, two]);
      assert.deepEqual(codesIn(`${a} regards ${b} and more words`), [one, two]);
    }
  // What is damaged stays apart from the words after it, so that it is told as damaged.
  const damaged = one.slice(0, -1) + (one.endsWith("A") ? "B" : "A");
  assert.deepEqual(codesIn(`${damaged}\nregards\n${two}`), [damaged, two]);
  // Many beginnings of codes do not keep the page busy.
  const before = performance.now();
  assert.equal(codesIn("LC1.00000000.a b c ".repeat(50_000)).length, 1);
  assert.ok(performance.now() - before < 5_000);
});

test("of several codes the bad ones are named by their number and their beginning", () => {
  const codes = Array.from({ length: 9 }, (_, i) => `LL1.0000000${i}.AAAA`);
  assert.equal(whichWords(codes.slice(0, 1), [1]), "");
  assert.equal(whichWords(codes, [2]), "Code 2 (LL1.00000001…) of 9: ");
  assert.equal(whichWords(codes, [1, 3]), "Codes 1 (LL1.00000000…) and 3 (LL1.00000002…) of 9: ");
  assert.match(whichWords(codes, [1, 2, 3, 4, 5, 6, 7]), /, 5 \(LL1\.00000004…\) and 2 more of 9: $/);
});

test("lesson code is read as it was written, and that of an ordinary lesson fits a QR code", async () => {
  const cases: Partial<LessonResult>[] = [
    {},
    { name: "Zoë 李 🤖", title: "<b>Luck</b>", answers: [], measured: { checks: [], blocks: [] } },
    { lesson: "control-0a", measured: { checks: [], blocks: [{ ...BLOCK, units: null, value: null, settings: {} }] } },
    { measured: { checks: [], blocks: [0.3, 0.03].map((rate) => ({ ...BLOCK, settings: { learning_rate: rate } })) } },
    { answers: [{ question: "q", text: "ا".repeat(MAX_ANSWER) }], time: 0 },
  ];
  for (const each of cases) {
    const result = resultWith(each);
    const code = await codeOf(result);
    assert.match(code, /^LL1\.[0-9a-f]{8}\.[\w-]+$/);
    assert.deepEqual(codesIn(`Ada: ${code}\nhttps://example.org/#/class?result=${code}`), [code]);
    const builtIn = result.lesson === "control-0a" ? "control" : null;
    assert.deepEqual(await readWell(code), { ...result, code, builtIn });
  }
  for (const id of LAB_IDS) {
    const { questions, parts, title } = taskOf(file(`labs/${id}/lesson.txt`), id);
    const answers = questions.map(({ question, options }, i) => ({
      question,
      text:
        options[0] ?? `Because the agent of question ${i} has seen fewer of them than we thought, and then it fell.`,
    }));
    const blocks = parts.blocks.map(({ name, runs }) => ({ ...BLOCK, block: name, runs }));
    const measured = { checks: parts.checks.map(({ name }) => name), blocks };
    const code = await codeOf(resultWith({ title, answers, measured }));
    const { length } = `https://example.org/some/folder/#/class?result=${code}`;
    assert.ok(length <= MAX_QR_CHARACTERS, `${id}: ${length} characters`);
  }
});

test("answers that no code can hold have none, and no others fail", async () => {
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const noise = (length: number) =>
    Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(random() * 20_000))).join("");
  const answers = Array.from({ length: MAX_ANSWERS }, () => ({
    question: noise(MAX_QUESTION),
    text: noise(MAX_ANSWER),
  }));
  assert.equal(await writeLessonCode(resultWith({ answers })), null);
  const [first] = answers;
  assert.ok(first && (await readOf({ answers: [first] })));
});

test("damage of any character of a code is refused", async () => {
  const code = await codeOf(resultWith());
  for (let at = 0; at < code.length; at++)
    for (const other of ["A", "0", "_", ".", " ", "é", "\u202e", ""]) {
      const damaged = code.slice(0, at) + other + code.slice(at + 1);
      if (damaged === code) continue;
      const found = await readLessonCode(damaged);
      assert.ok("problem" in found, damaged);
      assert.match(found.problem, /^[A-Z][^\n]{10,150}\.$/);
    }
});

test("damage of any byte behind a right checksum is refused, or what is read can be shown and written", async () => {
  const code = await codeOf(resultWith());
  const packed = Buffer.from(code.split(".")[2] ?? "", "base64url");
  for (let at = 0; at < packed.length; at++)
    for (const mask of [1, 16, 128, 255]) {
      const bytes = Buffer.from(packed);
      bytes[at] = (bytes[at] ?? 0) ^ mask;
      const other = bytes.toString("base64url");
      const found = await readLessonCode(`LL1.${checksum(other)}.${other}`);
      if ("problem" in found) continue;
      assert.ok(isPlainText(found.name, MAX_NAME) && isPlainText(found.title, MAX_QUESTION));
      assert.ok(found.answers.every(({ text }) => isPlainText(text, MAX_ANSWER)));
      const again = await readOf(found);
      assert.deepEqual([again.name, again.answers, again.measured], [found.name, found.answers, found.measured]);
    }
});

test("hostile lesson codes are refused in one sentence", async () => {
  // A block: its name, metric, runs, runs that reached the goal, units trained, units to the goal, value, and settings
  // in pairs. A code: lesson, title, name, time, questions with their answers, checks, blocks.
  const block = ["own", "examReturn", 1, 1, 13, 13, 492, "gamma", 0.9];
  const good = ["own-0a", "L", "Ada", 7, ["Why?", "x"], ["fast"], [block]];
  await readWell(forged(good));
  const withPart = (at: number, value: unknown) => forged(good.map((each, i) => (i === at ? value : each)));
  const withBlock = (at: number, value: unknown) => withPart(6, [block.map((each, i) => (i === at ? value : each))]);
  const texts = ["", " ", "a\nb", "a\u0000", "\u202eadA", "a\u2066b", "\u200f", "\ud800", `e${"\u0301".repeat(9)}`, 5];
  const hostile = [
    "",
    "LL1",
    "LL1..",
    "LL2.00000000.AAAA",
    "LL1.00000000.AAAA",
    `LL1.${checksum("AAAA")}.AAAA`,
    `LL1.00000000.${"A".repeat(20_000)}`,
    (await codeOf(resultWith())).replace("LL1", "LC1"),
    forged("x".repeat(1_000_000)),
    forged(`${"[".repeat(16_000)}${"]".repeat(16_000)}`),
    forged("{"),
    forged("{}"),
    forged("null"),
    forged([]),
    forged(good.slice(0, 6)),
    forged([...good, 1]),
    // Lessons that are none.
    ...["", "own", "own-", "-0a", "../x-0a", "own-0A", "own-0\u202e", `${"a".repeat(40)}-0a`, 5].map((id) =>
      withPart(0, id),
    ),
    ...[...texts, "x".repeat(MAX_QUESTION + 1)].map((text) => withPart(1, text)),
    ...[...texts, "x".repeat(MAX_NAME + 1)].map((text) => withPart(2, text)),
    ...[-1, 0.5, 1e11, "7", null].map((time) => withPart(3, time)),
    ...texts.map((text) => withPart(4, ["Why?", text])),
    ...texts.map((text) => withPart(4, [text, "x"])),
    withPart(4, "Why?"),
    withPart(4, ["Why?"]),
    withPart(4, Array(2 * MAX_ANSWERS + 2).fill("x")),
    withPart(4, ["Why?", "x".repeat(MAX_ANSWER + 1)]),
    withPart(5, "fast"),
    withPart(5, ["fast", "fast"]),
    withPart(5, ["<b>"]),
    withPart(5, ["__proto__"]),
    withPart(
      5,
      Array.from({ length: 41 }, (_, i) => `c${i}`),
    ),
    withPart(6, {}),
    withPart(6, [null]),
    withPart(6, [block, block]),
    withPart(6, [[block]]),
    withPart(
      6,
      Array.from({ length: 31 }, (_, i) => [`b${i}`, ...block.slice(1)]),
    ),
    withBlock(0, "<b>"),
    withBlock(1, "a metric"),
    withBlock(2, -1),
    withBlock(3, 2),
    withBlock(4, 0.5),
    withBlock(5, "13"),
    withBlock(6, 1e13),
    withBlock(7, "\u202egamma"),
    withBlock(8, "0.9"),
    forged(JSON.stringify(good).replace("492", "1e999")),
    withPart(6, [block.slice(0, 8)]),
    withPart(6, [[...block, ...Array<unknown>(16).fill(["x", 1]).flat()]]),
  ];
  for (const [i, code] of hostile.entries()) {
    const found = await readLessonCode(code);
    assert.ok("problem" in found, `${i}: ${code.slice(0, 100)}`);
    assert.match(found.problem, /^[A-Z][^\n]{10,150}\.$/, code.slice(0, 100));
  }
});

test("a code that does not fit the lesson that it names is refused", async () => {
  const task = taskOf(TEXT);
  const problem = async (rest: Partial<LessonResult>) => problemOfLesson(await readOf(rest), task);
  assert.equal(await problem({}), null);
  assert.equal(await problem({ answers: [{ question: "How many?", text: "0.25" }] }), null);
  const edited: Partial<LessonResult>[] = [
    { answers: [{ question: "Which?", text: "Up" }] },
    { answers: [{ question: "How many?", text: "many" }] },
    { answers: [{ question: "Who?", text: "x" }] },
    { answers: ["a", "b"].map((text) => ({ question: "Why?", text })) },
    { measured: { checks: ["other"], blocks: [] } },
  ];
  for (const each of edited) {
    assert.match((await problem(each)) ?? "", /^This lesson code does not fit .*edited/, JSON.stringify(each));
    assert.equal(await problem({ ...each, lesson: "own-0a" }), null, "another version has other questions");
    const [group] = lessonGroups([await readOf(each)], [task]);
    assert.match(group?.pupils[0]?.state ?? "", new RegExp(`^${EDITED};`));
    assert.deepEqual([group?.pupils[0]?.answers.length, group?.pupils[0]?.measured.blocks.length], [0, 0]);
  }
});

test("results that do not fit the lesson are left out of a code, and the pupil's row says so", async () => {
  const task = taskOf(TEXT);
  const rowOf = async (...blocks: BlockResult[]) => {
    const result = await readOf({ measured: { checks: ["fast"], blocks } });
    assert.equal(problemOfLesson(result, task), null, "no answer is lost for them");
    return lessonGroups([result], [task])[0]?.pupils[0] ?? assert.fail("no pupil");
  };
  const unfit = [
    { ...BLOCK, block: "other" },
    { ...BLOCK, runs: 2 },
    { ...BLOCK, trained: 41 },
  ];
  for (const each of unfit) {
    const row = await rowOf(each);
    assert.match(row.state, /^1 result left out, because it does not fit this lesson; made /);
    assert.deepEqual([row.answers, row.measured], [resultWith().answers, { checks: ["fast"], blocks: [] }]);
  }
  const [other, ...rest] = unfit;
  assert.ok(other && rest.length === 2);
  const both = await rowOf(other, BLOCK);
  assert.deepEqual(both.measured.blocks, [BLOCK], "those that fit are kept");
  const two = await rowOf(other, { ...BLOCK, trained: 41 });
  assert.match(two.state, /^2 results left out, because they do not fit this lesson; /);
  assert.match((await rowOf({ ...BLOCK, trained: 40 })).state, /^made /);
});

test("codes are shown by lesson: other versions are told apart, and each pupil counts once, with the newest code", async () => {
  const task = taskOf(TEXT);
  const answer = (text: string) => [{ question: "Why?", text }];
  const results = await Promise.all([
    readOf({ name: "Ada", time: 200_000, answers: answer("new") }),
    readOf({ name: "Eve", lesson: "own-0a", answers: answer("other") }),
    readOf({ name: "ada", time: 100_000, answers: answer("old") }),
    readOf({ name: "Bob", lesson: "control-0a", title: "Something", answers: answer("B") }),
  ]);
  const [own, other, ...more] = lessonGroups(results, [task]);
  assert.ok(own && other && more.length === 0);
  assert.deepEqual([own.title, own.task?.id, other.title, other.task], ["L", task.id, "Something", null]);
  const [ada, eve] = own.pupils;
  assert.ok(ada && eve && own.pupils.length === 2);
  assert.deepEqual([ada.name, ada.answers, ada.measured.checks], ["Ada", answer("new"), ["fast"]]);
  assert.match(ada.state, /^2 codes with this name: the newest counts; made .+/);
  assert.deepEqual([eve.answers, eve.measured], [answer("other"), { checks: [], blocks: [] }]);
  assert.match(eve.state, new RegExp(`^${OTHER_VERSION}; made `));
  // Without the text of the lesson, the version of most pupils counts.
  const [unknown] = lessonGroups(results.slice(0, 3), []);
  assert.deepEqual(
    unknown?.pupils.map(({ state }) => state.includes(OTHER_VERSION)),
    [false, true],
  );
  // A lab's lesson stands under the title that it has now, whatever a code calls it.
  const builtIn = taskOf(TEXT, "control");
  assert.deepEqual(
    lessonGroups(results.slice(3), [builtIn]).map(({ title, pupils }) => [title, pupils.length]),
    [["L", 1]],
  );
  assert.equal(
    answersTable(own.pupils, task.parts),
    [
      "Name,Question,Answer",
      "Ada,Why?,new",
      "Ada,It has trained.,Ticked",
      "Ada,Your own run,Learning rate 0.03: goal reached at iteration 13; test score (fresh episodes) 492",
      "Eve,Why?,other",
      "",
    ].join("\n"),
  );
});

test("the teacher's page reads codes of both kinds, and compares those of a lab's lesson with its text", async () => {
  const task = taskOf(file("labs/control/lesson.txt"), "control");
  let isOffline = true;
  const lessons: ClassLessons = {
    list: () => Promise.resolve([]),
    read: (link) =>
      Promise.resolve(link === "lesson/control" ? task : { problem: `There is no lesson called ${link}.` }),
  };
  const known = new KnownLessons(() => (isOffline ? Promise.reject(new Error("chunk")) : Promise.resolve(lessons)));
  const nothing = { answers: [], measured: { checks: [], blocks: [] } };
  const mine = await codeOf(resultWith({ ...nothing, lesson: task.id }));
  await assert.rejects(readCollected(mine, known), "it can be read another time");
  isOffline = false;
  const read = await readCollected(mine, known);
  assert.ok("lesson" in read);
  assert.deepEqual(known.tasks, [task]);
  const wrong = await readCollected(await codeOf(resultWith({ lesson: task.id })), known);
  assert.match("problem" in wrong ? wrong.problem : "", /does not fit the lesson/);
  const unknown = await readCollected(await codeOf(resultWith({ ...nothing, lesson: "nosuch-0a" })), known);
  assert.ok("lesson" in unknown);
  assert.match(JSON.stringify(await readCollected("LC1.00000000.AA", known)), /damaged/);
  assert.equal(addedWords([read], false), "Added the lesson code of Ada.");
  assert.equal(addedWords([read], true), "Added 1 lesson code.");
  assert.equal(addedWords([read, unknown], false), "Added 2 lesson codes.");
  assert.equal(addedWords([], false), "Added 0 results.");
});
