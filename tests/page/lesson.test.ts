// The parser of lessons: what it reads, every problem with its place, thousands of damaged texts, hostile sizes. Every
// lab's own lesson is read too.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isQuestion, isTraining, LIMITS, minutesOf, partsOf, predicts } from "../../www/lessons/format";
import { roundTicks } from "../../www/lessons/ticks";
import { EXAMPLE, INFOS, LAB_IDS, file, SEEDS, lesson, parse } from "./lesson-texts";

test("lesson with every kind of block is read", () => {
  const text = [
    "lesson: Overfitting",
    "lab: language",
    "about: What is learned by heart.",
    "level: ages 15 and older",
    "terms: loss, overfitting",
    "> For the teacher.",
    "",
    "# Read",
    "minutes: 7",
    "// a remark",
    "The first line",
    "goes on here.",
    "",
    "Another paragraph: with a colon.",
    "- one",
    "- two",
    "> Seven minutes are enough.",
    "",
    "@text tale",
    "  Once upon a time: there was a line.",
    "",
    "  And another.",
    "",
    "@choice rise",
    "  ask: What happens?",
    "  option: It rises | not",
    "  when: short.rose >= 8 and short.median > 0.5 * one.last",
    "  option: It falls",
    "@number many",
    "  ask: How many?",
    "  from: 0",
    "  to: 10",
    "  is: short.rose",
    "",
    "# Run",
    "@run one",
    "  title: One run",
    "  preset: text",
    "  settings: width=64, learning rate=0.01",
    "  learns: tale",
    "  units: 20",
    "  seed: 3",
    "  dials: width, learning_rate",
    "  speed: max",
    "  goal: no",
    "@seeds short",
    "  settings: source=text",
    "  learns: tale",
    "  metric: bits",
    "  units: 30",
    "  seeds: 5",
    "  from: 7",
    "@compare rise",
    "  runs: short",
    "@check done",
    "  text: Done.",
    "  when: one.units >= 20",
    "@sentence why",
    "  ask: Why?",
    "  lines: 5",
  ].join("\n");
  const { lesson: read, problems } = parse(text);
  assert.deepEqual(problems, []);
  assert.ok(read);
  assert.equal(minutesOf(read), 12);
  assert.deepEqual(read.terms, ["loss", "overfitting"]);
  assert.deepEqual(read.notes, ["For the teacher."]);
  assert.deepEqual(read.steps[0]?.notes, ["Seven minutes are enough."]);
  assert.equal(read.texts.get("tale"), "Once upon a time: there was a line.\n\nAnd another.");
  const parts = partsOf(read);
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ["text", "text", "list", "choice", "number", "run", "seeds", "compare", "check", "sentence"],
  );
  assert.deepEqual(parts[0], { kind: "text", text: "The first line goes on here." });
  assert.deepEqual(parts[2], { kind: "list", items: ["one", "two"] });
  const run = parts.find(isTraining);
  assert.ok(run?.kind === "run");
  assert.deepEqual(run.dials, ["width", "learning_rate"]);
  assert.equal(run.settings["learning_rate"], 0.01);
  assert.equal(run.settings["source"], "text");
  assert.equal(run.pace, null);
  assert.equal(run.goal, false);
  const [choice] = parts.filter(isQuestion);
  assert.ok(choice);
  assert.deepEqual(
    predicts(choice).map(({ block, what }) => `${block}.${what}`),
    ["short.rose", "short.median", "one.last"],
  );
});

/** What is wrong with a text, as `line:column problem`. */
const problemsOf = (text: string) => parse(text).problems.map(({ line, column, text }) => `${line}:${column} ${text}`);

const WRONG: [name: string, text: string, at: string, says: RegExp][] = [
  ["no title", "lab: control\n# One\nText", "1:1", /no title.*lesson: /],
  ["no lab", "lesson: L\n# One\nText", "1:1", /names no lab.*control, backgammon/],
  ["unknown lab", "lesson: L\nlab: chess\n# One\nText", "2:6", /no lab called “chess”.*control/],
  ["no steps", "lesson: L\nlab: control", "1:1", /no steps.*# Predict/],
  ["text before the first step", "lesson: L\nlab: control\nHello\n# One\nText", "3:1", /before the first step/],
  [
    "block before the first step",
    "lesson: L\nlab: control\n@seeds a\n  units: 3\n# One\nT",
    "3:1",
    /before the first step/,
  ],
  ["header twice", "lesson: L\nlesson: M\nlab: control\n# One\nText", "2:1", /stands twice/],
  ["step without a title", lesson("#", "Text"), "6:1", /no title/],
  ["minutes", lesson("minutes: long"), "6:10", /“long” is not allowed for minutes.*1 to 120/],
  ["minutes twice", lesson("minutes: 3", "minutes: 4"), "7:1", /stands twice/],
  ["minutes before a step", "lesson: L\nlab: control\nminutes: 3\n# One\nText", "3:1", /belongs to a step/],
  ["unknown block", lesson("@video clip"), "6:1", /no block “@video”.*@run, @seeds/],
  ["block without a name", lesson("@seeds", "  units: 3"), "6:7", /no name.*@seeds first/],
  ["wrong name", lesson("@seeds Slow Run", "  units: 3"), "6:8", /“Slow Run” is no name/],
  ["name twice", lesson(...SEEDS, ...SEEDS), "8:8", /two blocks called “slow”/],
  ["indented text", lesson("  Text"), "6:1", /indented.*Remove the spaces/],
  ["line without a key", lesson("@seeds slow", "  units: 3", "  fast"), "8:3", /“fast” has no key/],
  ["unknown key", lesson("@seeds slow", "  units: 3", "  speed: 3"), "8:3", /knows no “speed:”.*title:, preset:/],
  ["key twice", lesson("@seeds slow", "  units: 3", "  units: 4"), "8:3", /stands twice/],
  ["no units", lesson("@seeds slow"), "6:1", /needs a line “units:”/],
  ["too many units", lesson("@seeds slow", "  units: 999999"), "7:10", /“999999” is not allowed for units.*1 to 5000/],
  ["part of a unit", lesson("@seeds slow", "  units: 1.5"), "7:10", /whole number/],
  ["unknown preset", lesson(...SEEDS, "  preset: huge"), "8:11", /no preset called “huge”.*standard/],
  ["unknown setting", lesson(...SEEDS, "  settings: gamma=0.5, rate=3"), "8:24", /no setting called “rate”/],
  ["wrong value", lesson(...SEEDS, "  settings: gamma=7"), "8:13", /“7” is not allowed for gamma.*from 0 to 1/],
  ["setting without a value", lesson(...SEEDS, "  settings: gamma"), "8:13", /sets nothing/],
  ["unknown dial", lesson("@run a", "  units: 3", "  dials: gamma, speed"), "8:17", /no setting called “speed”/],
  ["dial of seeds that is no number", lesson(...SEEDS, "  dials: gamma, world"), "8:17", /“world” is no number.*@run/],
  ["unknown metric", lesson(...SEEDS, "  metric: fun"), "8:11", /no metric called “fun”.*examReturn/],
  ["wrong word", lesson(...SEEDS, "  goal: maybe"), "8:9", /Write one of: yes, no/],
  ["no text to learn", lesson(...SEEDS, "  learns: tale"), "8:11", /learn no text/],
  ["unknown text", lesson(...SEEDS, "  learns: tale").replace("control", "language"), "8:11", /no @text called “tale”/],
  ["empty text", lesson("@text tale"), "6:1", /text is empty/],
  ["text twice", lesson("@text t", "  a", "@text t", "  b"), "8:7", /two texts/],
  ["question without words", lesson("@sentence why"), "6:1", /needs a line “ask:”/],
  ["choice of one", lesson("@choice a", "  ask: What?", "  option: This"), "6:1", /at least two options/],
  ["empty option", lesson("@choice a", "  ask: W?", "  option:", "  option: B"), "8:10", /option is empty/],
  [
    "when before an option",
    lesson("@choice a", "  ask: W?", "  when: b.c > 1", "  option: A", "  option: B"),
    "8:3",
    /option first/,
  ],
  [
    "when twice",
    lesson(
      ...SEEDS,
      "@choice a",
      "  ask: W?",
      "  option: A",
      "  when: slow.units > 1",
      "  when: slow.units > 2",
      "  option: B",
    ),
    "12:3",
    /already/,
  ],
  [
    "no condition",
    lesson(...SEEDS, "@check a", "  text: T", "  when: slow.units"),
    "10:9",
    /no condition.*slow.reached >= 8/,
  ],
  [
    "second condition",
    lesson(...SEEDS, "@check a", "  text: T", "  when: slow.units > 3 and often"),
    "10:28",
    /“often” is no condition/,
  ],
  [
    "unknown block in a condition",
    lesson(...SEEDS, "@check a", "  text: T", "  when: fast.units > 3"),
    "10:9",
    /called “fast”.*slow/,
  ],
  [
    "unknown measure",
    lesson(...SEEDS, "@check a", "  text: T", "  when: slow.fun > 3"),
    "10:9",
    /does not measure “fun”.*reached/,
  ],
  ["check without when", lesson("@check a", "  text: T"), "6:1", /needs a line “when:”/],
  ["no measure", lesson(...SEEDS, "@number a", "  ask: W?", "  is: many"), "10:7", /not what a block measures/],
  ["number without room", lesson("@number a", "  ask: W?", "  from: 5", "  to: 5"), "6:1", /lies between/],
  ["no number", lesson("@number a", "  ask: W?", "  from: few"), "8:9", /no number/],
  ["compare without a question", lesson(...SEEDS, "@compare slow"), "8:10", /no question that is compared/],
  ["compare with a sentence", lesson("@sentence a", "  ask: W?", "@compare a"), "8:10", /no question that is compared/],
  [
    "compare with unknown runs",
    lesson(...SEEDS, "@number a", "  ask: W?", "  is: slow.reached", "@compare a", "  runs: fast"),
    "12:9",
    /No @seeds is called “fast”/,
  ],
  [
    "prediction after its run",
    lesson(...SEEDS, "# Two", "@number a", "  ask: W?", "  is: slow.reached"),
    "11:7",
    /stand in an earlier step.*Move the question/,
  ],
  ["unknown metric beside", lesson("@run a", "  units: 3", "  beside: fun"), "8:11", /no metric called “fun”/],
  ["character that cannot be shown", lesson("a\u202eb"), "6:2", /cannot be shown/],
  ["long line", lesson("a".repeat(LIMITS.line + 1)), "6:1", /Divide it/],
];

for (const [name, text, at, says] of WRONG)
  test(`problem is told with its place and what to write instead: ${name}`, () => {
    const { lesson: read, problems } = parse(text);
    assert.equal(read, null);
    const all = problemsOf(text);
    const found = all.find((each) => each.startsWith(`${at} `));
    assert.ok(found, `nothing is told at ${at}: ${all.join(" | ")}`);
    assert.match(found, says);
    assert.ok(problems.every((each) => /[.?]$/.test(each.text)));
  });

test("texts beyond the limits are refused", () => {
  const many = (count: number, line: (i: number) => string) =>
    lesson(...Array.from({ length: count }, (_, i) => line(i)));
  assert.match(problemsOf("a".repeat(LIMITS.characters + 1)).join(), /may have 60000/);
  assert.match(problemsOf(many(LIMITS.steps, (i) => `# Step ${i}\nText`)).join(), /at most 20 steps/);
  assert.match(problemsOf(many(LIMITS.parts + 1, (i) => `Text ${i}\n`)).join(), /at most 200 paragraphs/);
  assert.match(problemsOf(many(LIMITS.runs + 1, (i) => `@seeds s${i}\n  units: 1`)).join(), /13 blocks that train/);
  const options = Array.from({ length: LIMITS.options + 1 }, () => "  option: A").join("\n");
  assert.match(problemsOf(lesson("@choice a", "  ask: W?", options)).join(), /at most 8 options/);
  const conditions = Array.from({ length: LIMITS.conditions + 1 }, () => "slow.units > 1").join(" and ");
  assert.match(
    problemsOf(lesson(...SEEDS, "@check a", "  text: T", `  when: ${conditions}`)).join(),
    /At most 6 conditions/,
  );
  assert.equal(parse(many(1_000, (i) => `@video v${i}`)).problems.length, LIMITS.problems);
});

// Texts on which a slow regular expression takes very long, and names that every object of JavaScript has.
test("hostile texts are read in a time that grows with their length", () => {
  const size = LIMITS.characters - 200;
  const lines = (line: string) => lesson(...Array.from({ length: Math.floor(size / (line.length + 1)) }, () => line));
  const hostile = [
    "#".repeat(size),
    "@".repeat(size),
    "\n".repeat(size),
    ":".repeat(size),
    lines("a ".repeat(900)),
    lines(`${" ".repeat(1_900)}x`),
    lines(`  a${" ".repeat(1_900)}:`),
    lesson(...SEEDS, "@check a", "  text: T", `  when: ${"a and ".repeat(300)}`),
    lines("@run __proto__\n  constructor: 1\n  units: 3"),
    lines("@constructor a"),
    lesson("@seeds toString", "  units: 3", "@number a", "  ask: W?", "  is: constructor.toString"),
    "lab: control\r".repeat(4_000),
    "lab: __proto__\nlesson: L\n# One\nT",
  ];
  for (const text of hostile) {
    const { lesson: read, problems } = parse(text);
    assert.ok(read !== null || problems.length > 0);
    assert.ok(problems.length <= LIMITS.problems);
  }
});

/** Random numbers that repeat: mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test("thousands of damaged texts are read or refused, and never throw", () => {
  const random = randomFrom(48);
  const below = (n: number) => Math.floor(random() * n);
  const sources = [EXAMPLE, ...LAB_IDS.map((id) => file(`labs/${id}/lesson.txt`))];
  const PIECES = [
    "@",
    "#",
    ":",
    "  ",
    "\n",
    ">",
    "- ",
    "=",
    ",",
    ".",
    "*",
    " and ",
    "when:",
    "999999999999",
    "-1e309",
    "NaN",
  ];
  const MORE = [
    "\u0000",
    "\u202e",
    "\ud800",
    "😀",
    "<img src=x onerror=alert(1)>",
    "https://example.org",
    "__proto__",
    "é",
  ];
  const pieces = [...PIECES, ...MORE];
  let read = 0;
  for (let i = 0; i < 4_000; i++) {
    let text = sources[i % sources.length] ?? "";
    for (let times = 1 + below(4); times > 0; times--) {
      const at = below(text.length + 1);
      const end = at + below(40);
      const kind = below(5);
      if (kind === 0) text = text.slice(0, at) + text.slice(end);
      else if (kind === 1) text = text.slice(0, at) + (pieces[below(pieces.length)] ?? "") + text.slice(at);
      else if (kind === 2) text = text.slice(0, at) + text.slice(at, end).repeat(3) + text.slice(end);
      else if (kind === 3) {
        const lines = text.split("\n");
        const [line] = lines.splice(below(lines.length), 1);
        lines.splice(below(lines.length + 1), 0, line ?? "");
        text = lines.join("\n");
      } else text = text.slice(0, at);
    }
    const { lesson: whole, problems } = parse(text);
    // Either a lesson or problems, each at a place of the text, in few words.
    assert.equal(whole === null, problems.length > 0);
    const lines = text.split(/\r\n|\r|\n/);
    for (const problem of problems) {
      assert.ok(problem.line >= 1 && problem.line <= lines.length, `line ${problem.line} of ${lines.length}`);
      assert.ok(problem.column >= 1 && problem.column <= LIMITS.line + 1);
      assert.ok(problem.text.length > 10 && problem.text.length < 1_000);
    }
    if (!whole) continue;
    read++;
    // What the page would do with it.
    for (const part of partsOf(whole).filter(isTraining)) {
      assert.ok(part.units >= 1 && part.units <= LIMITS.units);
      if (part.kind === "seeds") assert.ok(part.seeds >= 2 && part.seeds <= LIMITS.seeds);
    }
  }
  assert.ok(read > 200 && read < 3_800, `${read} of 4,000 damaged texts were still lessons`);
});

test("the labs' own lessons name settings as the page does", () => {
  let named = 0;
  for (const id of LAB_IDS) {
    const fields = INFOS.get(id)?.fields ?? [];
    const titles = new Set(fields.map(({ title }) => title));
    const outdated = fields.map(({ name }) => name.replaceAll("_", " ")).filter((name) => !titles.has(name));
    const quoted = [...file(`labs/${id}/lesson.txt`).matchAll(/“([^”]+)”/g)].map(([, text]) => text as string);
    const wrong = quoted.filter((text) => outdated.includes(text));
    assert.deepEqual(wrong, [], id);
    named += quoted.filter((text) => titles.has(text)).length;
  }
  assert.ok(named > 0);
});

for (const id of LAB_IDS)
  test(`the lab's own lesson has no problems and the parts that every lesson has: ${id}`, () => {
    const { lesson: read, problems } = parse(file(`labs/${id}/lesson.txt`));
    assert.deepEqual(problems, []);
    assert.ok(read);
    assert.equal(read.lab, id);
    const minutes = minutesOf(read);
    assert.ok(minutes >= 20 && minutes <= 45, `${minutes} minutes`);
    const parts = partsOf(read);
    const count = (kind: string) => parts.filter((part) => part.kind === kind).length;
    assert.ok(
      count("run") > 0 && count("seeds") > 0 && count("compare") > 0 && count("sentence") > 0 && count("check") > 0,
    );
    assert.ok(read.level !== "" && read.terms.length > 0 && read.about !== "");
    assert.ok(
      read.steps.every(({ notes }) => notes.length > 0),
      "a step has no notes for the teacher",
    );
    // A reading is short.
    for (const step of read.steps) {
      const words = step.parts.flatMap((part) => (part.kind === "text" ? part.text.split(/\s+/) : []));
      assert.ok(words.length <= 170, `${step.title}: ${words.length} words`);
    }
    // Each prediction stands before a block that it is about, which trains only then.
    const predictions = parts.filter(isQuestion).filter((part) => predicts(part).length > 0);
    assert.ok(predictions.length > 0, "nothing is predicted");
    for (const question of predictions) {
      const about = new Set(predicts(question).map(({ block }) => block));
      const later = parts.slice(parts.indexOf(question)).filter(isTraining);
      assert.ok(
        later.some(({ name }) => about.has(name)),
        `the prediction ${question.name} stands after its runs`,
      );
    }
    // The last step is an open task: a run with settings to choose, what it is to reach, and a question about it.
    const task = read.steps.at(-1)?.parts ?? [];
    const kinds = new Set(task.map(({ kind }) => kind));
    assert.ok(
      task.some((part) => isTraining(part) && part.dials.length > 0) && kinds.has("check") && kinds.has("sentence"),
      "the last step is no open task",
    );
    // Ten seeds are seen.
    assert.ok(parts.some((part) => part.kind === "seeds" && part.seeds === 10));
  });

test("ticks are round, within their range, and few", () => {
  assert.deepEqual(roundTicks(-2.58, -0.925), [-2.5, -2, -1.5, -1]);
  assert.deepEqual(roundTicks(0, 40), [0, 10, 20, 30, 40]);
  assert.deepEqual(roundTicks(-0.05, 0.3), [0, 0.1, 0.2, 0.3]);
  for (const width of [1e-3, 0.37, 1, 2.9, 10, 99, 12_345]) {
    const ticks = roundTicks(-width / 3, width);
    assert.ok(ticks.length >= 2 && ticks.length <= 6, `${width}: ${ticks.join(", ")}`);
    assert.ok(ticks.every((tick) => tick >= -width / 3 && tick <= width));
  }
});

test("the example of the editor has no problems", () => assert.deepEqual(problemsOf(EXAMPLE), []));
