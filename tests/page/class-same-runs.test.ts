// What the teacher's page says of results with the same seed: when they are of one run, when they only should be, and
// when they are not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readCode, writeCode, type Result } from "../../www/class/code";
import { entryOf, largestGroup, whyNotComparable, type Entry } from "../../www/class/entries";
import { sameSeedSentences } from "../../www/class/same-runs";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";

const METRIC = LAB.about.charts[0] as string;
/** The fingerprints of a run at two of its ends. */
const [AT_20, AT_30] = ["0123456789abcdef", "fedcba9876543210"];
/** What a run measures, one value every five iterations. */
const VALUES = [9.123456, 22.71, 147.3331, 301.9, 266.0404, 488.25];

/** What is different in a result from a run with seed 7 of 20 iterations. */
interface Different {
  seed?: number;
  units?: number;
  bits?: string;
  settings?: string;
  values?: number[];
}

/** The entry of a result code, as the teacher's page reads it. */
async function entry(name: string, different: Different = {}): Promise<Entry> {
  const { seed = 7, units = 20, settings = "worlds=64", values = VALUES } = different;
  const bits = different.bits ?? `fused:${units === 20 ? AT_20 : AT_30}`;
  const rows = values.slice(0, units / 5);
  const result: Result = {
    name,
    link: `control?${settings}&seed=${seed}&units=${units}&bits=${bits}`,
    metric: METRIC,
    target: 475,
    curve: { units: rows.map((_, i) => 5 * (i + 1)), values: rows },
    answers: [],
  };
  const read = await readCode((await writeCode(result)) ?? "", LABS);
  assert.ok(!("problem" in read), JSON.stringify(read));
  return entryOf(read);
}

/** What is said of entries, of which those that can be compared with the first are in the band. */
function said(...entries: Entry[]): string[] {
  const group = largestGroup(entries.slice(0, 1), null);
  return sameSeedSentences(entries.filter((each) => whyNotComparable(each, group) === null));
}

test("results with the same settings, seed and arithmetic are one run that counts more than once", async () => {
  const [ada, grace, bob] = await Promise.all([entry("Ada"), entry("Grace"), entry("Bob", { seed: 8 })]);
  assert.deepEqual(said(ada, bob), []);
  const words =
    "The 2 results of Ada and Grace have the same seed (7), settings and arithmetic, so they are one and the same run, which the median and the band count twice.";
  assert.deepEqual(said(ada, bob, grace), [words]);
  // Codes of other ends: their curves are rounded differently, and have other last values.
  const further = await entry("Ada", { units: 30 });
  assert.deepEqual(said(ada, further), [
    "The 2 results of Ada have the same seed (7), settings and arithmetic, so as far as each of them goes, they are one and the same run, which the median and the band count twice.",
  ]);
  const [three = "", other = ""] = said(ada, bob, grace, further, await entry("Carl", { seed: 8 }));
  assert.match(three, /^The 3 results of Ada and Grace .* count 3 times\.$/);
  assert.match(other, /^The 2 results of Bob and Carl .* \(8\), .* twice\.$/);
});

test("results with the same seed but other settings or arithmetic are different runs", async () => {
  const [ada, plain, settings] = await Promise.all([
    entry("Ada"),
    entry("Bob", { bits: "plain:aaaa456789abcdef", values: VALUES.map((value) => value + 1) }),
    entry("Carl", { settings: "worlds=32" }),
  ]);
  assert.deepEqual(said(ada, plain, settings), []);
});

test("results that should be of one run but differ are named, and so are those among them that agree", async () => {
  const [ada, grace, fingerprint] = await Promise.all([
    entry("Ada"),
    entry("Grace"),
    entry("Mallory", { bits: "fused:bbbb456789abcdef" }),
  ]);
  const differ = (names: string, count: number) =>
    `The ${count} results of ${names} have the same seed (7), settings and arithmetic, but they differ: at least one was edited, or made by another version of the page.`;
  const [first, second, ...more] = said(ada, fingerprint, grace);
  assert.equal(first, differ("Ada, Mallory and Grace", 3));
  assert.match(second ?? "", /^The 2 results of Ada and Grace .* one and the same run/);
  assert.deepEqual(more, []);
  // A code whose end was moved.
  const moved = await entry("Victor", { units: 30, bits: `fused:${AT_20}` });
  assert.deepEqual(said(ada, moved), [differ("Ada and Victor", 2)]);
  // The result itself, by less than the rest of a curve is rounded.
  assert.deepEqual(said(ada, await entry("Trudy", { values: VALUES.with(3, (VALUES[3] as number) + 0.1) })), [
    differ("Ada and Trudy", 2),
  ]);
  // A point of the curve that codes of different ends have in common.
  const edited = VALUES.with(1, (VALUES[1] as number) + 3);
  assert.deepEqual(said(ada, await entry("Oscar", { units: 30, values: edited })), [differ("Ada and Oscar", 2)]);
});

test("results of GPUs are one run only with the same fingerprint at the same end", async () => {
  const [ada, bob, carl, dora] = await Promise.all([
    entry("Ada", { bits: `gpu:${AT_20}` }),
    entry("Bob", { bits: `gpu:${AT_20}` }),
    entry("Carl", { bits: "gpu:cccc456789abcdef", values: VALUES.map((value) => value + 1) }),
    entry("Dora", { bits: `gpu:${AT_30}`, units: 30 }),
  ]);
  assert.match(said(ada, bob).join(" "), /^The 2 results of Ada and Bob .* one and the same run/);
  for (const other of [carl, dora])
    assert.deepEqual(said(ada, other), [
      `The 2 results of Ada and ${other.name} have the same seed (7) and settings, so the same random numbers: they are not independent, though GPUs may round differently. The median and the band count each of them.`,
    ]);
});

test("a tab whose result was not handed in has told no seed, so nothing is said of it", async () => {
  const [ada, grace] = await Promise.all([entry("Ada"), entry("Grace")]);
  assert.deepEqual(said(ada, { ...grace, result: null }), []);
});
