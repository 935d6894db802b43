// Result codes of a class: written, read again, and refused where they are damaged or hold what no run has; and which
// results can be compared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { encode } from "uqr";
import { hasCurve } from "../../www/class/check";
import { Checks } from "../../www/class/checks";
import {
  CURVE_STEPS,
  MAX_POINTS,
  readCode,
  thinned,
  writeCode,
  type ReadResult,
  type Result,
} from "../../www/class/code";
import { checksum, codesIn } from "../../www/class/code-text";
import {
  classBand,
  entryOf,
  endsAtGoal,
  goalUnit,
  largestGroup,
  OTHER_ARITHMETIC,
  countWords,
  resultsTable,
  whyNotComparable,
  type Entry,
} from "../../www/class/entries";
import { MAX_QR_CHARACTERS, pathOf } from "../../www/class/qr";
import { recipeOf } from "../../www/class/task";
import { isPlainText, MAX_ANSWER, MAX_ANSWERS, MAX_NAME, problemWith, tidy } from "../../www/class/text";
import { writeLink } from "../../www/core/link";
import { packData } from "../../www/core/packed";
import type { RecipeChange } from "../../www/core/recipe";
import { Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";

const BITS = "fused:0123456789abcdef";
const METRIC = LAB.about.charts[0] as string;

/** A curve like that of a run, with `rows` tests. */
const curveOf = (rows: number) => ({
  units: Array.from({ length: rows }, (_, i) => 5 * (i + 1)),
  values: Array.from({ length: rows }, (_, i) => 500 * (1 - Math.exp(-i / 20)) + 13 * Math.sin(i * i)),
});

const resultWith = (rest: Partial<Result> = {}): Result => ({
  name: "Ada",
  link: writeLink(LAB, { worlds: 64 }, 7, 500, "cpu", { bits: BITS }).slice(2),
  metric: METRIC,
  target: 475,
  curve: curveOf(100),
  answers: [{ question: "What do you expect?", text: "It falls over, then learns – slowly." }],
  ...rest,
});

const codeOf = async (result: Result) => (await writeCode(result)) ?? assert.fail("no code");
const read = (code: string) => readCode(code, LABS);
async function readWell(code: string): Promise<ReadResult> {
  const result = await read(code);
  assert.ok(!("problem" in result), JSON.stringify(result));
  return result;
}

/** A code with this JSON and a right checksum, as a forger writes it. */
function forged(value: unknown): string {
  const packed = deflateRawSync(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");
  return `LC1.${checksum(packed)}.${packed}`;
}

test("result code is read as it was written, and fits a QR code", async () => {
  const result = resultWith();
  const code = await codeOf(result);
  const found = await readWell(code);
  assert.deepEqual([found.name, found.link, found.metric, found.target], ["Ada", result.link, METRIC, 475]);
  assert.deepEqual(found.answers, result.answers);
  assert.deepEqual([found.bits, found.fingerprint, found.request.units], ["fused", "0123456789abcdef", 500]);
  assert.deepEqual([found.request.seed, found.request.settings], [7, { worlds: 64 }]);
  const thin = thinned(result.curve);
  assert.equal(found.curve.units.length, MAX_POINTS);
  assert.deepEqual(found.curve.units, thin.units);
  const step = (Math.max(...thin.values) - Math.min(...thin.values)) / CURVE_STEPS;
  found.curve.values.forEach((value, i) => assert.ok(Math.abs(value - (thin.values[i] as number)) <= step));
  assert.equal(found.curve.values.at(-1), Number((thin.values.at(-1) as number).toPrecision(6)));
  const address = `https://example.org/some/folder/#/class?result=${code}`;
  assert.ok(address.length < 900, `${address.length} characters`);
  assert.ok(address.length <= MAX_QR_CHARACTERS);
  const { size, version } = encode(address, { ecc: "L" });
  assert.ok(size < 120, `version ${version}`);
  assert.match(code, /^LC1\.[0-9a-f]{8}\.[\w-]+$/);
});

test("result codes of unusual runs are read as they were written", async () => {
  const data = { type: "world", name: "Dot", text: 'world "Dot"', parameters: {} };
  const changes: RecipeChange[] = [
    { unit: 0, settings: {}, seed: null, data },
    { unit: 40, settings: { clip: 0.1 }, seed: 9, data: null },
  ];
  const ownLink = writeLink(LAB, { world: "own" }, 1, 50, "cpu", { changes, bits: BITS }).slice(2);
  const cases: Partial<Result>[] = [
    { curve: { units: [], values: [] } },
    { curve: { units: [500], values: [-0.000123456789] } },
    { curve: { units: [1, 2, 3], values: [5, 5, 5] } },
    { curve: { units: [1, 2], values: [1e9, 1e9 + 1] } },
    { curve: { units: [1, 2], values: [-1e9, 1e9] } },
    { target: null, answers: [] },
    { name: "Zoë 李 🤖", answers: [{ question: "q", text: "ا".repeat(MAX_ANSWER) }] },
    { link: ownLink + ((await packData(changes)) ?? ""), curve: curveOf(9) },
    { link: "logic?seed=3&units=20&bits=plain:0123456789abcdef", metric: "pixelAccuracy", curve: curveOf(2) },
  ];
  for (const each of cases) {
    const result = resultWith(each);
    const lab = result.link.split("?")[0] ?? "";
    const info = await LABS.find(({ id }) => id === lab)?.load();
    if (lab !== "control") result.metric = info?.about.charts[0] ?? "";
    const found = await readWell(await codeOf(result));
    assert.deepEqual(
      [found.name, found.link, found.target, found.answers],
      [result.name, result.link, result.target, result.answers],
    );
    assert.deepEqual(found.curve.units, thinned(result.curve).units);
    const last = result.curve.values.at(-1);
    if (last !== undefined) assert.ok(Math.abs((found.curve.values.at(-1) ?? NaN) - last) <= 1e-5 * Math.abs(last));
  }
});

test("codes are found in messages and addresses", async () => {
  const code = await codeOf(resultWith());
  const text = `Ada: ${code}\n“https://example.org/#/class?result=${code}”. LC1.short and xLC1.01234567.AA ${code}`;
  assert.deepEqual(codesIn(text), [code]);
});

test("hostile codes are refused in one sentence", async () => {
  // What a code holds: link, name, metric and goal; of the curve the last, the lowest and the highest value, the
  // distances of its units, and each value as a level between the lowest (0) and the highest one (`CURVE_STEPS`).
  const good = [resultWith().link, "Ada", METRIC, 475, 3.05, 1, 4, [5, 5], [0, 700]];
  await readWell(forged(good));
  const withPart = (at: number, value: unknown) => forged(good.map((each, i) => (i === at ? value : each)));
  const link = (change: (text: string) => string) => withPart(0, change(resultWith().link));
  const hostile = [
    "",
    "LC1",
    "LC1..",
    "LC2.00000000.AAAA",
    "LC1.00000000.AAAA",
    `LC1.${checksum("AAAA")}.AAAA`,
    `LC1.00000000.${"A".repeat(20_000)}`,
    forged("x".repeat(1_000_000)),
    forged("{"),
    forged("{}"),
    forged("null"),
    forged([]),
    forged(good.slice(0, 8)),
    // Names: none, too long, controls, text turned around, single surrogates, a pile of marks.
    ...[
      "",
      " ",
      "x".repeat(MAX_NAME + 1),
      "a\nb",
      "a\u0000",
      "\u202eadA",
      "a\u2066b",
      "\u200f",
      "\ud800",
      "\ufeffA",
    ].map((name) => withPart(1, name)),
    withPart(1, `e${"\u0301".repeat(9)}`),
    withPart(1, 5),
    // Links: another lab, a setting that is none, no end, no fingerprint, no class of bits.
    link((text) => text.replace("control", "nosuchlab")),
    link((text) => text.replace("worlds=64", "worlds=-1")),
    link((text) => text.replace("units=500", "")),
    link((text) => text.replace(/&bits=.*/, "")),
    link((text) => text.replace("fused:", "")),
    link((text) => text.replace("units=500", "units=9")), // the curve ends later
    withPart(2, "nosuchmetric"),
    withPart(2, "__proto__"),
    // Numbers: not finite, too large, not in order.
    forged(JSON.stringify(good).replace("475", "1e999")),
    forged(JSON.stringify(good).replace("[0,700]", "[0,1e999]")),
    withPart(3, "475"),
    withPart(4, null),
    withPart(4, 1e13),
    withPart(4, 4),
    withPart(5, 9),
    withPart(7, [5]),
    withPart(7, [5, 0]),
    withPart(7, [5, -2]),
    withPart(7, [5, 0.5]),
    withPart(7, "55"),
    withPart(8, [0, CURVE_STEPS + 1]),
    forged([...good.slice(0, 7), Array(MAX_POINTS + 1).fill(1), Array(MAX_POINTS + 1).fill(0)]),
    // Answers: no pair, too many, too long, turned around.
    forged([...good, "question"]),
    forged([...good, ...Array<string>(2 * MAX_ANSWERS + 2).fill("x")]),
    forged([...good, "q", "x".repeat(MAX_ANSWER + 1)]),
    forged([...good, "q\u202e", "x"]),
  ];
  for (const code of hostile) {
    const found = await read(code);
    assert.ok("problem" in found, code.slice(0, 100));
    assert.match(found.problem, /^[A-Z][^\n]{10,150}\.$/, code.slice(0, 100));
  }
});

test("mutated codes are refused, or hold what a code may hold", async () => {
  const code = await codeOf(resultWith());
  let state = 1; // of a linear congruential generator, so that every run of the test is the same
  const random = (below: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
  for (let i = 0; i < 300; i++) {
    const characters = [...code];
    for (let edits = 1 + random(3); edits > 0; edits--) {
      const at = random(characters.length);
      characters.splice(at, random(2), ...(random(2) ? [String.fromCharCode(33 + random(94))] : []));
    }
    const mutated = characters.join("");
    const found = await read(mutated);
    if (mutated !== code) assert.ok("problem" in found, mutated);
  }
  // With a right checksum the content is refused, or is as a code writes it.
  const packed = code.split(".")[2] ?? "";
  for (let i = 0; i < 300; i++) {
    const bytes = Buffer.from(packed, "base64url");
    bytes[random(bytes.length)] = random(256);
    const other = bytes.toString("base64url");
    const found = await read(`LC1.${checksum(other)}.${other}`);
    if ("problem" in found) continue;
    assert.ok(isPlainText(found.name, MAX_NAME));
    assert.ok(found.curve.values.every(Number.isFinite));
    assert.ok(await codeOf(found));
  }
});

test("names and answers", () => {
  for (const name of ["A", "Zoë", "李雷", "می‌خواهم", "क्षि", "🤖", "x".repeat(MAX_NAME)]) {
    assert.equal(problemWith(name, "The name", MAX_NAME), null, name);
    assert.ok(isPlainText(name, MAX_NAME));
  }
  assert.equal(tidy("  Ada \t Lovelace\n"), "Ada Lovelace");
  assert.match(problemWith("", "The name", MAX_NAME) ?? "", /empty/);
  assert.match(problemWith("x".repeat(25), "The name", MAX_NAME) ?? "", /more than 24/);
  assert.match(problemWith("\u202eA", "The name", MAX_NAME) ?? "", /cannot be shown/);
});

test("checksum is the CRC-32 of zip files", () => {
  assert.equal(checksum("123456789"), "cbf43926");
});

test("results are comparable with the same settings and class of bits, whatever the seed and the end", async () => {
  const entry = async (link: string, rest: Partial<Result> = {}) =>
    entryOf(await readWell(await codeOf(resultWith({ link, curve: curveOf(3), ...rest }))));
  const a = await entry(`control?worlds=64&seed=1&units=50&bits=${BITS}`);
  const b = await entry(`control?seed=2&worlds=64&units=90&bits=fused:ffffffff01234567`, { name: "Bob" });
  const settings = await entry(`control?seed=2&worlds=128&units=90&bits=${BITS}`);
  const changed = await entry(`control?seed=2&worlds=64&change=3:clip=0.3&units=90&bits=${BITS}`);
  const plain = await entry("control?seed=2&worlds=64&units=90&bits=plain:ffffffff01234567");
  const all = [settings, a, b, changed, plain];
  const group = largestGroup(all, null);
  assert.equal(group?.recipe, "control?worlds=64");
  const reasons = all.map((each) => whyNotComparable(each, group));
  assert.deepEqual(reasons, ["other settings", null, null, "other settings", OTHER_ARITHMETIC]);
  assert.equal(largestGroup(all, await recipeOf((settings.result as ReadResult).request))?.recipe, settings.recipe);
  assert.equal(largestGroup([], null), null);
  assert.equal(largestGroup(all, "cube"), null);
});

test("band of a class is the median and the range of the runs that are that far", () => {
  const entry = (units: number, values: number[]) =>
    ({ units, curve: { units: values.map((_, i) => 10 * (i + 1)), values } }) as Entry;
  const band = classBand([entry(30, [1, 2, 3]), entry(25, [3, 4]), entry(10, [8])]);
  const rows = band.map(({ unit, count, least, median, most }) => [unit, count, least, median, most]);
  assert.deepEqual(rows, [
    [10, 3, 1, 3, 8],
    [20, 2, 2, 3, 4],
    [25, 2, 2, 3, 4],
    [30, 1, 3, 3, 3],
  ]);
});

test("table of results says when the goal was first reached, and no cell is a formula", () => {
  const lab = (better: string) => ({
    about: { title: "Control", metrics: [{ name: METRIC, label: "score", better }] },
  });
  const entry = (name: string, values: number[], target: number | null, better = "higher") =>
    ({
      ...{ name, seed: 3, units: 30, metric: METRIC, target, bits: "plain", recipe: "control?worlds=64" },
      lab: lab(better),
      curve: { units: values.map((_, i) => 10 * (i + 1)), values },
    }) as Entry;
  const rose = entry("=1+1", [1, 5, 4], 5);
  assert.deepEqual([rose, entry("a", [1, 2], 5), entry("b", [9, 3], 3, "lower"), entry("c", [1], null)].map(goalUnit), [
    20,
    null,
    20,
    null,
  ]);
  const table = (entry: Entry) => resultsTable([entry], null, () => "");
  const [heads, row, ...rest] = table(rose).trim().split("\n");
  assert.equal(
    heads,
    "Name,Lab,Seed,Units,Goal reached at (by the curve),Metric,Value,Goal,Arithmetic,Settings,Challenges done,Check",
  );
  assert.equal(row, "'=1+1,Control,3,30,20,score,4,5,plain,control?worlds=64,,");
  assert.deepEqual(rest, []);
  const waits: Entry = { ...entry("b", [], 5), units: 0, bits: null };
  assert.match(table(waits), /\nb,Control,3,0,,score,,5,,control/, "nobody knows yet how its tab rounds");
});

test("pupils who have not begun are no runs", () => {
  const some = (...units: number[]) => units.map((each) => ({ units: each }) as Entry);
  assert.equal(countWords(some(5, 5, 0), 2), "2 runs. 1 pupil has not begun.");
  assert.equal(countWords(some(5, 5, 0, 0), 1), "2 runs, 1 of them comparable. 2 pupils have not begun.");
  assert.equal(countWords(some(5), 1), "One run.");
  assert.equal(countWords(some(5, 5), 0), "2 runs.", "nothing has been measured");
  assert.equal(countWords(some(0), 0), "1 pupil has not begun.");
});

test("unit at the goal allows for the rounding of a code, but its last value is exact", async () => {
  const metric = { ...{ name: METRIC, label: "score", better: "higher" } };
  const values = [0, 475.1, 300, 500];
  const units = [10, 20, 30, 40];
  const entryWith = async (target: number, curve = { units, values }) => {
    const result = await readWell(await codeOf(resultWith({ curve, target })));
    const lab = { about: { metrics: [metric] } };
    return { lab, metric: METRIC, target, curve: result.curve, result } as unknown as Entry;
  };
  const near = await entryWith(475.1);
  assert.ok((near.curve.values[1] ?? 0) < 475.1, "the code has rounded it");
  assert.equal(goalUnit(near), 20);
  assert.equal(goalUnit(await entryWith(476)), 40, "more than it may be off");
  const short = await entryWith(500, { units: [10, 20], values: [0, 499.9] });
  assert.deepEqual([goalUnit(short), endsAtGoal(short)], [null, false]);
  assert.ok(endsAtGoal(await entryWith(500)));
});

test("curve of a code is found again in the run that measured it, and in no other", async () => {
  const series = new Series([{ name: METRIC } as never]);
  const { units, values } = curveOf(100);
  series.append({ units: [1, ...units], values: [[NaN, ...values]] });
  const { curve } = await readWell(await codeOf(resultWith({ curve: { units, values } })));
  assert.ok(hasCurve(series, METRIC, curve, 500));
  const with_ = (change: (values: number[]) => void) => {
    const other = { units: curve.units, values: [...curve.values] };
    change(other.values);
    return hasCurve(series, METRIC, other, 500);
  };
  assert.ok(!with_((v) => (v[v.length - 1] = (v.at(-1) ?? 0) + 0.01)), "the result");
  assert.ok(!with_((v) => (v[20] = (v[20] ?? 0) + 3)), "a point of the curve");
  const part = (from: number, to?: number) => ({ units: units.slice(from, to), values: values.slice(from, to) });
  assert.ok(hasCurve(series, METRIC, part(99), 500));
  assert.ok(!hasCurve(series, METRIC, part(0, 70), 500), "the run went on, and its last test was worse");
  // The 70th test is that of unit 350, and the next one comes with unit 355.
  assert.ok(hasCurve(series, METRIC, part(0, 70), 354), "the run ended there");
  assert.ok(
    !hasCurve(series, METRIC, { units: [1, 500], values: [1, values[99] as number] }, 500),
    "a unit without a test",
  );
  assert.ok(!hasCurve(series, METRIC, { units: [], values: [] }, 500), "a curve that is left out");
  assert.ok(hasCurve(series, METRIC, { units: [], values: [] }, 4), "no test yet");
});

test("rounding accuses no honest curve", async () => {
  let state = 7;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let i = 0; i < 300; i++) {
    const [middle, spread] = [10 ** (12 * random() - 4) * (random() - 0.5), 10 ** (12 * random() - 6)];
    const count = 1 + Math.floor(40 * random());
    const units = Array.from({ length: count }, (_, j) => 10 * (j + 1));
    const values = units.map(() => Math.fround(middle + spread * random()));
    const series = new Series([{ name: METRIC } as never]);
    series.append({ units, values: [values] });
    const { curve } = await readWell(await codeOf(resultWith({ curve: { units, values } })));
    assert.ok(hasCurve(series, METRIC, curve, 500), JSON.stringify(values));
  }
});

test("curve of a long run is found again, whatever rows the page has kept", async () => {
  const units = Array.from({ length: 9_001 }, (_, i) => i + 1);
  const values = units.map((unit) => (unit % 5 === 0 ? Math.sqrt(unit) : NaN));
  const rows = (from: number, to: number) => ({ units: units.slice(from, to), values: [values.slice(from, to)] });
  const specs = [{ name: METRIC } as never];
  const whole = new Series(specs, Infinity);
  whole.append(rows(0, 9_001));
  const page = new Series(specs);
  page.append(rows(0, 9_001));
  const reloaded = new Series(specs);
  const saved = new Series(specs);
  saved.append(rows(0, 5_000));
  reloaded.append({ units: saved.units, values: saved.values });
  reloaded.append(rows(5_000, 9_001));
  const link = writeLink(LAB, { worlds: 64 }, 7, 9_001, "cpu", { bits: BITS }).slice(2);
  for (const series of [whole, page, reloaded]) {
    const code = await codeOf(resultWith({ link, curve: series.measured(METRIC, 9_001) }));
    assert.ok(hasCurve(whole, METRIC, (await readWell(code)).curve, 9_001));
  }
  assert.ok(!hasCurve(whole, METRIC, { units: [8_995], values: [Math.sqrt(8_995)] }, 9_001), "another end");
});

test("QR code is drawn as its modules are", () => {
  assert.equal(
    pathOf([
      [false, true, true],
      [true, false, true],
    ]),
    "M1 0h2v1h-2zM0 1h1v1h-1zM2 1h1v1h-1z",
  );
});

test("a teacher's page is busy until the last check has ended, and makes one check at a time", async () => {
  // These cannot be repeated here, so each check ends at once.
  const codes = await Promise.all([1, 2, 3].map((seed) => codeOf(resultWith({ name: `Pupil ${seed}` }))));
  const [first, second, late] = (await Promise.all(codes.map(readWell))) as [ReadResult, ReadResult, ReadResult];
  const checks = new Checks({ name: "simple", bits: "plain", threads: 1, reason: "" }, true);
  const ended = new Promise<void>((resolve) => {
    checks.on("changed", () => {
      const kinds = [first, second, late].map((result) => checks.stateOf(result)?.kind);
      assert.ok(kinds.filter((kind) => kind === "repeats").length <= 1, kinds.join());
      // Somebody adds a result while the page shows that the check before has ended.
      if (kinds[0] === "otherBits" && kinds[2] === undefined) checks.add(late);
      if (kinds.some((kind) => kind === "waits" || kind === "repeats")) assert.ok(checks.busy, kinds.join());
      else if (!checks.busy && kinds[2] === "otherBits") resolve();
    });
  });
  checks.add(first);
  checks.add(second);
  await ended;
  assert.deepEqual(
    [first, second, late].map((result) => checks.stateOf(result)?.kind),
    ["otherBits", "otherBits", "otherBits"],
  );
});
