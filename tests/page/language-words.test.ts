// The words of the language lab: its stories, its headlines, when it says that the network overfits, and what it
// explains.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withUnit } from "../../www/core/format";
import { presetById } from "../../www/core/presets";
import { Series, type Measurements } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import type { LanguageSource } from "../../www/generated/protocol";
import { aboutWords } from "../../www/labs/language/about-words";
import { headline } from "../../www/labs/language/headline";
import { SOURCES } from "../../www/labs/language/sources";
import { withOthersLast } from "../../www/labs/language/predictions";
import { detectOverfitting } from "../../www/labs/language/overfitting";
import { solvedWords } from "../../www/labs/language/grid-words";
import { story } from "../../www/labs/language/story";
import { goalText, headlineOf, headlineValue } from "../../www/ui/headline";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("language", [
  "temperature",
  "top-k",
  "bits per byte",
  "bits per character",
  "attention head",
  "token",
  "transformer",
]);

/** Values at every `every`th unit from 1 on: those of `f`. */
function measured(count: number, every: number, f: (unit: number) => number): Measurements {
  const units = Array.from({ length: count }, (_, i) => 1 + i * every);
  return { units, values: units.map(f) };
}

const tests = (...values: number[]) => ({ exact: { units: values.map((_, i) => i + 1), values } });

/** The training loss falls for 400 units; the held-out loss falls to 3.1 at unit 201, and then rises. */
const training = measured(400, 1, (unit) => 5 - unit / 100);
const turning = measured(40, 10, (unit) => 3.1 + Math.abs(unit - 201) / 400);

checkStory("language", story, {}, [
  [{}, null],
  // It speaks of the test, because the picture may already show more right answers.
  [{ exact: 0 }, /^In its last test, it got none of the unseen problems right\.$/],
  [{ exact: 52.34, exactMargin: 4.4 }, /^In its last test, it got 52\.3% of the unseen problems right\.$/],
  [
    { exact: 3.4, loss: 0.02 },
    /^Its loss on the problems that it trains on is nearly zero, but in its last test, it got only 3\.40% of the unseen problems right\.$/,
  ],
  [{ exact: 52.3, loss: 0.02 }, /^In its last test, it got 52\.3/],
  [
    { exact: 99.5 },
    /^Solved: in its last test, it got 99\.5\S* of the unseen problems right\. Ask it one\.$/,
    { solved: true },
  ],
  [
    { exact: 19.5 },
    /^It has become worse: in its last test, it got 19\.5/,
    { lost: true, measured: tests(95.1, 60, 19.5) },
  ],
  [
    { exact: 31.8, exactMargin: 4 },
    /^It is recovering: in its last test, it got 3/,
    { lost: true, measured: tests(95.1, 19.5, 31.8) },
  ],
  // That may be chance.
  [{ exact: 21, exactMargin: 4 }, /^It has become worse/, { lost: true, measured: tests(95.1, 19.5, 21) }],
]);
checkStory("language", story, { source: "stories" }, [
  [{ bits: 7.9 }, /^It knew nothing in its last test: it needed 7\.90 bits per character/],
  // Training goes on after a test, so the sentence says of which test it speaks.
  [
    { bits: 6.77 },
    /^It had learned little in the test at iteration 1: it needed 6\.77 bits per character, where a plain file takes 8\.$/,
    { measured: { bits: { units: [1], values: [6.77] } } },
  ],
  [{ bits: 2 }, /by what came before/],
  [{ bits: 0.36, excess: 17 }, /^Solved: it needs 0\.360 bits per character, 17% above/, { solved: true }],
]);
checkStory("language", story, { source: "text" }, [
  [{ bits: 2.5, loss: 1.9 }, /by what came before: in its last test, it needed 2\.50 bits per byte/],
  [
    { bits: 3.58, loss: 1 },
    /^It now memorises: better on the text it trains on \(1\.\d\d bits per byte\), worse on text it has not seen \(3\.58; it was 3\.10 in iteration 201\)\. This is overfitting: the two curves part\.$/,
    { measured: { bits: turning, loss: training } },
  ],
]);

test("network overfits if it gets better on the training text and worse on other text", () => {
  const found = detectOverfitting(turning, training);
  assert.ok(found);
  assert.deepEqual([found.bestHeldOutLoss, found.bestUnit], [3.1, 201]);
  assert.ok(found.trainingLoss < 1.5, `${found.trainingLoss}`);
  const until = ({ units, values }: Measurements, last: number) => {
    const kept = units.filter((unit) => unit <= last).length;
    return { units: units.slice(0, kept), values: values.slice(0, kept) };
  };
  assert.equal(detectOverfitting(until(turning, 221), training), null, "two evaluations since may be noise");
  assert.equal(detectOverfitting(until(turning, 231), training), null, "the loss has hardly risen");
  assert.ok(detectOverfitting(until(turning, 251), training));
  const falling = measured(40, 10, (unit) => 5 - unit / 150);
  assert.equal(detectOverfitting(falling, training), null);
  const rising = measured(400, 1, (unit) => 1 + unit / 100);
  assert.equal(detectOverfitting(turning, rising), null, "a run that gets worse at everything does not memorise");
  assert.equal(detectOverfitting({ units: [], values: [] }, training), null);
});

test("what looks the same is one row of the predictions, the last", () => {
  const guess = (text: string, probability: number) => ({ text, probability });
  const rows = withOthersLast([guess("\uFFFD", 0.5), guess("a", 0.25), guess("\uFFFD", 0.125)]);
  assert.deepEqual(rows, [guess("a", 0.25), guess("\uFFFD", 0.625)]);
  assert.deepEqual(withOthersLast([guess("a", 1)]), [guess("a", 1)]);
});

test("a share that guessing reaches is told", () => {
  const of = (source: string) => headline({ source }, () => 47.8, { gzip: null, floor: null }).comparison;
  assert.equal(of("parity"), "Guessing gets 50%.");
  assert.equal(of("addition"), "");
});

test("each task has one number in plain words, with its unit and its goal", async () => {
  const lab = await LABS.find(({ id }) => id === "language")?.load();
  assert.ok(lab);
  const { metrics } = lab.about;
  /** The headline of a run with these settings and metrics. */
  const told = (preset: string, goal: string | null, values: Record<string, number>, gzip: number | null = 2.4) => {
    const references = { gzip, floor: preset === "stories" ? 0.31 : null };
    const series = new Series(metrics);
    series.append({ units: [10], values: metrics.map(({ name }) => [values[name] ?? NaN]) });
    const settings = { goal: 99, ...presetById(lab, preset) };
    const run = {
      lab,
      series,
      goal: goal === null ? null : { metric: goal, target: settings.goal, words: "", exact: false },
    };
    const last = (metric: string) => series.last(metric);
    const head = headlineOf(run, { headline: (last) => headline(settings, last, references) }, last);
    const value = headlineValue(head, series, last);
    return [`${head.name} ${withUnit(value, head.unit)}`, goalText(head.target), head.comparison, head.beside?.metric];
  };
  assert.deepEqual(told("addition", "exact", { exact: 52.3, exactMargin: 2, loss: 1 }), [
    "unseen problems answered right 52%",
    "goal 99",
    "",
    undefined,
  ]);
  // 619 % above what this text costs its source, 0.307. The entropy is the mean over all texts.
  assert.deepEqual(told("stories", "excess", { loss: 2.1, bits: 0.307 * 7.19, excess: 619 }), [
    "predicting a new story takes 2.21 bits per character",
    "goal 0.368",
    "Less is better: a plain file takes 8; gzip takes 2.40; the least possible is 0.310.",
    "loss",
  ]);
  assert.deepEqual(told("stories", "excess", { loss: 2.1 }), [
    "predicting a new story takes – bits per character",
    "",
    "",
    "loss",
  ]);
  assert.deepEqual(told("text", null, { loss: 1.37, bits: 3.48 }), [
    "predicting text it has not seen takes 3.48 bits per byte",
    "",
    "Less is better: a plain file takes 8; gzip takes 2.40.",
    "loss",
  ]);
  assert.equal(told("text", null, { loss: 1.37, bits: 3.48 }, null)[2], "Less is better: a plain file takes 8.");
});

test("the grid counts the problems that were tried, and tells its share from the score", () => {
  const grid = (states: number[]) => {
    const right = Uint8Array.from(states);
    const answered = states.filter((state) => state < 2).length;
    const share = states.filter((state) => state === 1).length / Math.max(1, answered);
    return { side: 2, right, problems: states.map(() => ({ question: "", answer: "", given: "" })), share, own: null };
  };
  assert.equal(solvedWords(grid([2, 2, 2, 2])).join(""), "none of these tried yet");
  assert.equal(solvedWords(grid([0, 0, 0, 2])).join(""), "0 correct of these 3 tried so far");
  assert.equal(solvedWords(grid([1, 0, 1, 2])).join(""), "2 correct of these 3 tried so far");
  assert.equal(
    solvedWords(grid([1, 1, 1, 0])).join(""),
    "75% of these 4 correct now; the score is that of the last test, with other problems",
  );
});

test("goal and picture are told of what the run learns from alone", async () => {
  const { about } = await (LABS.find(({ id }) => id === "language") as (typeof LABS)[number]).load();
  const told = (source: LanguageSource, words: string | null) => aboutWords(about, source, words ? { words } : null);
  for (const { source } of Object.values(SOURCES)) {
    const { goal, picture } = told(source, "99% of unseen problems answered exactly");
    const isText = source === "stories" || source === "text";
    assert.equal(/stories/.test(goal), source === "stories", goal);
    assert.match(picture, isText ? /^It continues a prompt, / : /^Each square is a problem .* Below, it continues a /);
    assert.doesNotMatch(picture, /In a task/);
  }
  assert.equal(
    told("addition", "99% of unseen problems answered exactly").goal,
    "The network learns to add. The goal: 99% of unseen problems answered exactly.",
  );
  assert.match(told("text", null).goal, /^The network learns from your own text\. There is no goal: /);
  assert.match(told("copy", null).goal, /^The network repeats the letters\. It is not tested /);
});
