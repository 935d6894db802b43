// Moments in links: what is written is read again, rounded by a known amount; what is damaged, hostile or too long is
// refused in one sentence, and the run of the link stays.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readLink, writeLink } from "../../www/core/link";
import { fitsRun } from "../../www/core/moment-fit";
import { packMoment, readMoment, type LinkMoment } from "../../www/core/moment-link";
import { MAX_PACKED, packText } from "../../www/core/packed";
import { Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import { moment as backgammon } from "../../www/labs/backgammon/moment";
import { moment as control } from "../../www/labs/control/moment";
import { moment as cube } from "../../www/labs/cube/moment";
import { moment as logic } from "../../www/labs/logic/moment";
import { endWords, timeLeft } from "../../www/ui/moment-line";
import { chatWords, momentWords, senderIntroduction } from "../../www/ui/moment-words";

const [first] = LABS;
const lab = await (first as (typeof LABS)[number]).load();
const UNIT = 40;
const RUN = writeLink(lab, {}, 7, UNIT, "cpu", { bits: "fused:0123456789abcdef" });

const metric = lab.about.metrics[0]?.name ?? "";
const units = Array.from({ length: UNIT }, (_, i) => i + 1);
const values = units.map((unit) => (unit < 5 ? NaN : Math.sin(unit / 7) * 250 + 250));
const measured = units.map((unit, i) => ({ unit, value: values[i] as number })).filter(({ unit }) => unit >= 5);

const MOMENT: LinkMoment = {
  unit: UNIT,
  clip: { bytes: Uint8Array.from({ length: 70 }, (_, i) => (i * 31) & 255), frameSize: 7, rate: 12.5 },
  headline: {
    metric,
    value: values.at(-1) as number,
    measuredAt: UNIT - 1,
    curve: { units: measured.map(({ unit }) => unit), values: measured.map(({ value }) => value) },
  },
  agent: Uint8Array.from({ length: 500 }, (_, i) => (i * i) & 255),
};

/** What a reader makes of a packed part, with its problems. */
async function read(packed: string, units: number | null = UNIT) {
  const problems: string[] = [];
  const moment = await readMoment(packed, { units, lab }, (problem) => problems.push(problem));
  return { moment, problems };
}

test("moment is read as it was written, its curve rounded to less than half a step", async () => {
  const packed = (await packMoment(MOMENT)) as string;
  assert.match(packed, /^[\w-]+$/);
  const { moment, problems } = await read(packed);
  assert.deepEqual(problems, []);
  assert.deepEqual([moment?.clip, moment?.agent, moment?.unit], [MOMENT.clip, MOMENT.agent, UNIT]);
  assert.equal(moment?.headline?.measuredAt, UNIT - 1);
  assert.ok(Math.abs((moment?.headline?.value ?? NaN) / (MOMENT.headline?.value ?? NaN) - 1) < 1e-5);
  const curve = moment?.headline?.curve;
  assert.deepEqual(
    curve?.units,
    measured.map(({ unit }) => unit),
  );
  const range = Math.max(...measured.map(({ value }) => value)) - Math.min(...measured.map(({ value }) => value));
  curve?.values.forEach((value, i) => assert.ok(Math.abs(value - (measured[i]?.value ?? NaN)) <= range / 508 + 1e-3));
});

test("long curve has at most 60 points, the last of which is the last measurement", async () => {
  const long = Array.from({ length: 4000 }, (_, i) => i + 1);
  const headline = {
    metric,
    value: 4,
    measuredAt: 4000,
    curve: { units: long, values: long.map((unit) => unit / 1000) },
  };
  const packed = (await packMoment({ unit: 4000, clip: null, headline, agent: null })) as string;
  const { moment } = await read(packed, 4000);
  const { units = [], values = [] } = moment?.headline?.curve ?? {};
  assert.deepEqual([units.length, units.at(-1), values.at(-1)], [60, 4000, 4]);
});

test("moment that is too long for its link is not written", async () => {
  const random = crypto.getRandomValues(new Uint8Array(9000));
  assert.ok((await packMoment({ ...MOMENT, agent: random })) === null);
  // Frames that are alike pack into a short link, which can be read only up to a size.
  for (const [bytes, isWritten] of [
    [65_536, true],
    [65_537, false],
  ] as const) {
    const alike = await packMoment({ ...MOMENT, clip: { bytes: new Uint8Array(bytes), frameSize: 1, rate: 12.5 } });
    assert.equal(alike !== null, isWritten, `${bytes}`);
    if (alike) assert.deepEqual((await read(alike)).problems, []);
  }
  const packed = (await packMoment(MOMENT)) as string;
  assert.ok((await packMoment(MOMENT, packed.length)) === packed);
  assert.ok((await packMoment(MOMENT, packed.length - 1)) === null);
});

test("link with a moment asks for the same run as without it", async () => {
  const packed = (await packMoment(MOMENT)) as string;
  const [plain, carrying] = await Promise.all([readLink(RUN, LABS), readLink(`${RUN}&moment=${packed}`, LABS)]);
  assert.deepEqual([carrying.problems, plain.problems], [[], []]);
  assert.deepEqual({ ...carrying.request, moment: null }, plain.request);
  assert.equal(carrying.request?.moment, packed);
});

/**
 * The JSON in a link: `v` version; `n`, `r` and `f` frame size, rate and frames of the pictures; `m`, `y` and `t`
 * metric, its value and the unit of its test; `l`, `h` and `c` range and points of its curve; `a` the agent.
 */
const HOSTILE: [what: string, json: unknown][] = [
  ["a text", "text"],
  ["a list", [1, 2]],
  ["nothing to show", { v: 1 }],
  ["an agent alone", { v: 1, a: "AAAA" }],
  ["frames that are not whole", { v: 1, n: 7, r: 10, f: "AAAA" }],
  ["frames of no bytes", { v: 1, n: 0, r: 10, f: "AAAA" }],
  ["a fraction of a byte", { v: 1, n: 1.5, r: 10, f: "AAAA" }],
  ["no rate", { v: 1, n: 3, f: "AAAA" }],
  ["a rate of thousands", { v: 1, n: 3, r: 1e9, f: "AAAA" }],
  ["frames that are no base 64", { v: 1, n: 3, r: 10, f: "<b>" }],
  ["frames that are a number", { v: 1, n: 3, r: 10, f: 5 }],
  ["an unknown metric", { v: 1, m: "__proto__", y: 1 }],
  ["a metric with a text as value", { v: 1, m: metric, y: "1" }],
  ["a test after the moment", { v: 1, m: metric, y: 1, t: UNIT + 1 }],
  ["a test at half a unit", { v: 1, m: metric, y: 1, t: 1.5 }],
  ["a curve without its range", { v: 1, m: metric, y: 1, c: "AAAA" }],
  ["a range upside down", { v: 1, m: metric, y: 1, l: 2, h: 1, c: "AAAA" }],
  ["a curve of thousands of points", { v: 1, m: metric, y: 1, l: 0, h: 1, c: "AAAA".repeat(200) }],
  ["no agent", { v: 1, m: metric, y: 1, a: "" }],
];

for (const [what, json] of HOSTILE)
  test(`moment with ${what} is refused in one sentence`, async () => {
    const packed = (await packText(JSON.stringify(json))) as string;
    const { moment, problems } = await read(packed);
    assert.equal(moment, null);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? "", /^The sender's picture in this link cannot be read[^.]*\.$/);
  });

test("damaged, endless and misplaced moments are refused in one sentence", async () => {
  const packed = (await packMoment(MOMENT)) as string;
  const bomb = (await packText(" ".repeat(3_000_000))) as string;
  assert.ok(bomb.length < MAX_PACKED, "it is short in the link");
  for (const text of ["", "!", "AAAA", packed.slice(0, -20), packed.slice(3), bomb, "A".repeat(MAX_PACKED + 1)])
    assert.equal((await read(text)).problems.length, 1, text.slice(0, 20));
  assert.match((await read(packed, null)).problems.join(), /does not name/);
  const newer = (await packText(JSON.stringify({ v: 2 }))) as string;
  assert.match((await read(newer)).problems.join(), /newer version/);
});

test("pictures that a lab cannot draw are recognised", () => {
  const clip = (frames: number[][], frameSize = frames[0]?.length ?? 0) => ({
    ...{ bytes: Uint8Array.from(frames.flat()), frameSize, rate: 1 },
  });
  const letters = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
  assert.ok(control.isDrawable(clip([[0, 0, 10, 1, 2, 3, 4]])));
  assert.ok(!control.isDrawable(clip([[4, 0, 10, 1, 2, 3, 4]])), "a world of one's own");
  assert.ok(!control.isDrawable(clip([[0, 0, 10]])));
  assert.ok(cube.isDrawable(clip([letters("URFDLB".repeat(4))])) && cube.isDrawable(clip([letters("U".repeat(54))])));
  assert.ok(!cube.isDrawable(clip([letters("X".repeat(24))])) && !cube.isDrawable(clip([letters("U".repeat(20))])));
  assert.ok(logic.isDrawable(clip([[4, 4, 1, 255, 1]])) && !logic.isDrawable(clip([[4, 4, 3, 255, 1]])));
  assert.ok(!logic.isDrawable(clip([[0, 4, 1]])) && !logic.isDrawable(clip([[255, 255, 1, 1]])));
  const board = Array.from({ length: 26 }, (_, place) => (place === 6 ? 15 : place === 7 ? 256 - 15 : 0));
  assert.ok(backgammon.isDrawable(clip([[3, 1, 0, ...board]])));
  assert.ok(!backgammon.isDrawable(clip([[7, 1, 0, ...board]])) && !backgammon.isDrawable(clip([[3, 1, 2, ...board]])));
  assert.ok(!backgammon.isDrawable(clip([[3, 1, 0, ...board.map(() => 2)]])), "too many checkers");
});

test("end of the replay claims nothing that was not compared", () => {
  const replay = { last: 40, run: { progress: { units: 12 } } } as unknown as Parameters<typeof endWords>[2];
  const words = (end: Parameters<typeof endWords>[0], fits: boolean | null = null) =>
    endWords(end, "iteration", replay, "fused", fits);
  assert.match(
    words({ kind: "same" }),
    /^The run is verified: .* iteration 40\. The recorded picture .* not compared\.$/,
  );
  assert.match(words({ kind: "same" }, true), /^The run is verified: .*with the score and the curve.* not compared\.$/);
  assert.match(
    words({ kind: "same" }, false),
    /^Differs: .*the same agent at iteration 40, but measured another score/,
  );
  assert.match(words({ kind: "done" }), /was not checked/);
  assert.match(words({ kind: "refused", message: "no such setting" }), /was not checked: no such setting\.$/);
  const different = { kind: "different", found: "ab", expected: "cd" } as const;
  assert.match(words({ ...different, expectedClass: "fused" }), /^Differs at iteration 40:/);
  assert.match(words({ ...different, expectedClass: "plain" }), /^Replayed with other rounding:/);
  assert.match(words({ ...different, expectedClass: "gpu" }), /^Replayed with other rounding:/);
  assert.equal(words({ kind: "left" }), "");
});

/** A series of the metric, with a row for each unit up to `last` and these values. */
function seriesOf(valueAt: (unit: number) => number, last: number): Series {
  const series = new Series(lab.about.metrics);
  const units = Array.from({ length: last }, (_, i) => i + 1);
  series.append({
    units,
    values: lab.about.metrics.map(({ name }) => units.map((u) => (name === metric ? valueAt(u) : NaN))),
  });
  return series;
}

test("score and curve of a moment fit its run, also if they were read from fewer rows", async () => {
  const valueAt = (unit: number) => (unit % 3 === 0 ? -Math.cos(unit / 90) * 0.25 + unit / 9000 : NaN);
  for (const [unit, end] of [
    [7, 7],
    [600, 600],
    [4000, 4000],
    [4000, 20_000], // the sender looks back, and every eighth row is kept
  ] as const) {
    const sender = seriesOf(valueAt, end);
    const curve = sender.measured(metric, unit);
    const headline = { metric, value: sender.last(metric, unit), measuredAt: curve.units.at(-1) ?? null, curve };
    const packed = (await packMoment({ ...MOMENT, unit, headline })) as string;
    const sent = (await read(packed, unit)).moment?.headline;
    assert.ok(sent, `unit ${unit} of ${end}`);
    const run = seriesOf(valueAt, unit);
    assert.ok(fitsRun(sent, unit, run), `unit ${unit} of ${end}`);
    const better = { ...sent, value: sent.value + 0.01 };
    assert.ok(!fitsRun(better, unit, run), "another score");
    const later = { ...sent, measuredAt: (sent.measuredAt ?? 0) + 1 };
    assert.ok(!fitsRun(later, unit, run), "another test");
    const values = sent.curve.values.map((value, i) => (i === 1 ? value + 0.01 : value));
    assert.ok(!fitsRun({ ...sent, curve: { ...sent.curve, values } }, unit, run), "another point of the curve");
    assert.ok(
      !fitsRun(
        sent,
        unit,
        seriesOf(() => NaN, unit),
      ),
      "a run that has measured nothing",
    );
  }
});

test("time left of a replay is told only by a measured speed", () => {
  assert.equal(timeLeft(1, 100, 50), "");
  assert.equal(timeLeft(10, 0, 50), "");
  assert.equal(timeLeft(10, 100, 0), "");
  assert.equal(timeLeft(10, 100, 50), ", about 5 seconds left");
});

test("score of a moment is told with the unit of its test, on the page and in the picture for chats", () => {
  const headline = { metric, value: 353.2, measuredAt: 32, curve: { units: [], values: [] } };
  const moment = { ...MOMENT, headline };
  const label = lab.about.metrics[0]?.label ?? "";
  assert.ok(momentWords(lab, moment).startsWith(`Iteration 40, test at iteration 32: ${label} `));
  assert.match(momentWords(lab, { ...moment, headline: { ...headline, measuredAt: UNIT } }), /^Iteration 40: /);
  const sender = senderIntroduction(lab, moment);
  assert.equal(sender.note, "Measured by the sender at iteration 32");
  assert.match(sender.story, /sender's agent at iteration 40\.$/);
  assert.equal(senderIntroduction(lab, { ...moment, headline: null }).headline.value, "–");
  const words = chatWords(lab, moment, { name: "test score", unit: "" });
  assert.deepEqual(
    [words.trained, words.name, words.test],
    ["An agent after 40 iterations of training", "Test score", "measured at iteration 32"],
  );
  assert.equal(chatWords(lab, { ...moment, headline: null }, { name: "test score", unit: "" }).value, "");
});
