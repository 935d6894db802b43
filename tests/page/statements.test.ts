// What the page says of a run is compared with what recorded runs measured. The curves in tests/golden/curves, which
// scripts/record-curves.mjs writes, are replayed test by test; the units in which recorded runs reached their goal
// (www/labs/LAB/goal-units.json) are forecast from each other.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { middleOf, usualUnits, type UnitSpan } from "../../www/core/forecast";
import { isWorse, latestTest, standingOf } from "../../www/core/goal";
import type { Settings } from "../../www/core/link";
import { presetSettings } from "../../www/core/presets";
import { runsLike, type RecordedRuns } from "../../www/core/recorded-runs";
import { marginName, Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import type { Goal, LabInfo, Progress } from "../../www/generated/protocol";
import { outlookWords, sourceWords, standingWords } from "../../www/ui/goal-words";
import { headlineValue } from "../../www/ui/headline";
import { allCurves } from "./recorded-curves";
import type { Story } from "../../www/ui/story";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const labs = await Promise.all(LABS.map(({ load }) => load()));
const labOf = (id: string) => labs.find(({ about }) => about.id === id) as LabInfo;
/** What the page knows of recorded runs, lab by lab; a new lab has no such file yet. */
const goalUnits = new Map(
  LABS.map(({ id }) => [id, `www/labs/${id}/goal-units.json`] as const)
    .filter(([, file]) => existsSync(new URL(file, root)))
    .map(([id, file]) => [id, JSON.parse(read(file)) as RecordedRuns]),
);

test("there are curves to compare with", () => {
  assert.ok(allCurves.length > 0, "tests/golden/curves is empty: node scripts/record-curves.mjs");
});

/** The settings of a preset, those with their defaults included. */
function settingsOf(lab: LabInfo, name: string): Settings {
  const preset = lab.about.presets.find((each) => each.name === name);
  assert.ok(preset, `${lab.about.id} has no preset ${name}`);
  const defaults = Object.fromEntries(lab.fields.map((field) => [field.name, field.default]));
  return { ...defaults, ...presetSettings(preset) };
}

/** The lowest and highest value that the last test leaves possible; the margin is estimated where none is measured. */
function interval(values: number[], margin: number | undefined): [number, number] {
  const value = values.at(-1) as number;
  if (margin !== undefined) return [value - margin, value + margin];
  const recent = values.slice(-7);
  if (recent.length < 5) return [-Infinity, Infinity];
  const distances = recent
    .flatMap((each, i) => {
      const [before, after] = [recent[i - 1], recent[i + 1]];
      return before === undefined || after === undefined ? [] : [Math.abs(each - before / 2 - after / 2)];
    })
    .sort((a, b) => a - b);
  // The median of absolute normal numbers is 0.6745 standard deviations, and a test minus the mean of its two
  // neighbours has 1.5 times the variance of a test.
  const deviation = (distances[distances.length >> 1] as number) / 0.6745 / Math.sqrt(1.5);
  return [value - 1.96 * deviation, value + 1.96 * deviation];
}

for (const { lab: id, preset, goal: recordedGoal, metrics, runs } of allCurves) {
  test(`sentence, headline and verdict are borne out by the interval of each test: ${id} ${preset}`, async () => {
    const lab = labOf(id);
    const { story } = (await import(`../../www/labs/${id}/story.ts`)) as { story: Story };
    const settings = settingsOf(lab, preset);
    const goal: Goal = { ...recordedGoal, words: "" };
    const specs = lab.about.metrics;
    const lower = specs.find(({ name }) => name === goal.metric)?.better === "lower";
    const isPercent = specs.find(({ name }) => name === goal.metric)?.unit === "%" && !lower;
    const marginMetric = marginName(specs, goal.metric);
    assert.ok(runs.length > 0);
    for (const run of runs) {
      const series = new Series(specs);
      series.append({
        units: run.units,
        values: specs.map(({ name }) => {
          const column = run.values[metrics.indexOf(name)];
          return run.units.map((_, row) => column?.[row] ?? NaN);
        }),
      });
      const progress = { solvedAt: run.reached } as Progress;
      const tested = run.units.flatMap((unit, row) => {
        const at = (name: string | undefined) => run.values[metrics.indexOf(name ?? "")]?.[row] ?? undefined;
        const value = at(goal.metric);
        return value === undefined ? [] : [{ unit, value, margin: at(marginMetric) }];
      });
      assert.ok(tested.length > 0, `seed ${run.seed} has tests`);
      let [before, wasBeyond] = ["open", false];
      for (const [i, { unit, value, margin }] of tested.entries()) {
        const where = `seed ${run.seed}, unit ${unit}`;
        const values = tested.slice(0, i + 1).map((each) => each.value);
        const [low, high] = goal.exact ? [value, value] : interval(values, margin);
        const perfect = value >= (goal.best ?? (isPercent ? 100 : Infinity));
        const isBeyond = (lower ? high <= goal.target : low >= goal.target) || perfect;
        const isShort = lower ? low > goal.target : high < goal.target;
        const isReached = run.reached !== null && unit >= run.reached;

        const standing = standingOf({ goal, series, progress }, unit);
        if (standing !== before) {
          const isFirst = before === "open" && standing === "reached" && isReached;
          assert.ok(isFirst || isBeyond || isShort, `${where}: ${before} to ${standing} within the interval`);
        }
        assert.equal(standing === "open", !isReached, where);
        wasBeyond ||= isBeyond;
        if (standing === "solved") assert.ok(wasBeyond, `${where}: solved, but no interval was beyond the goal`);
        if (standing === "lost" || standing === "missed") assert.ok(!isBeyond && isReached, where);
        const said = standingWords(standing, latestTest({ goal, series }, unit));
        if (/^Goal reached$/.test(said)) assert.ok(wasBeyond, `${where}: ${said}`);
        if (/not confirmed/.test(said)) assert.ok(isReached && !wasBeyond, `${where}: ${said}`);
        if (/^Perhaps at the goal again$/.test(said)) assert.ok(!isBeyond && !isShort, `${where}: ${said}`);
        before = standing;

        const asked: number[] = [];
        const last = (name: string) => {
          const shown = series.last(name, unit);
          if (name === goal.metric) asked.push(shown);
          return shown;
        };
        const measured = (name: string) => series.measured(name, unit);
        const verdict = { solved: standing === "solved", lost: isWorse({ goal, series, progress }, unit) };
        const words = story({ settings, last, measured, news: "", ...verdict }) ?? "";
        assert.ok(
          asked.every((each) => each === value),
          `${where}: the sentence is about another test`,
        );
        assert.equal(latestTest({ goal, series }, unit)?.value, value, `${where}: the headline is about another test`);
        // Sentence and headline write the same number, to the same digit.
        const written = headlineValue({ metric: goal.metric }, series, (name) => series.last(name, unit))
          .replace("−", "")
          .replace("<", "less than ");
        if (/\d(%| points a game)/.test(words))
          assert.ok(words.includes(written), `${where}: ${written}, but ${words}`);
        if (/^(Solved|Goal reached)/.test(words)) assert.ok(standing === "solved" || perfect, `${where}: ${words}`);
        if (/become worse/.test(words)) {
          const earlier = values.slice(0, -1).map((each) => (lower ? -each : each));
          assert.ok(isShort && Math.max(...earlier) > (lower ? -value : value), `${where}: ${words}`);
        }
        if (/almost at random/.test(words)) assert.ok(low <= -2.3, `${where}: ${words}`);
        if (/beg[au]n again/.test(words)) {
          const begun = series.units[series.column("attempt").indexOf(series.last("attempt", unit))] as number;
          const { units, values: wrong } = series.measured("wrong", unit);
          assert.ok(!wrong.some((each, i) => each === 0 && (units[i] as number) >= begun), `${where}: ${words}`);
        }
      }
    }
  });
}

/** Every preset whose recorded runs the page knows. */
const known = [...goalUnits].flatMap(([id, presets]) =>
  Object.entries(presets).map(([preset, ends]) => ({ id, preset, ends: ends as (number | null)[] })),
);

test("what the page knows of recorded runs has been measured", () => {
  assert.ok(known.length > 0);
  for (const { id, preset, ends } of known) {
    const curves = allCurves.find((each) => each.lab === id && each.preset === preset);
    if (curves) {
      const reached = curves.runs.map((run) => run.reached);
      assert.deepEqual(ends, reached, `${id} ${preset}`);
      continue;
    }
    // Runs that were measured without keeping their curves stand in a table.
    const rows = read(`crates/labs/${id}/EXPERIMENTS.md`).split("\n");
    const row = rows.find((line) => line.startsWith(`| \`${preset}\` |`)) ?? "";
    const [, list = ""] = /\| ([\d, ]+):/.exec(row) ?? [];
    assert.deepEqual(list.split(", ").map(Number), ends, `EXPERIMENTS.md of ${id} has a row for ${preset}`);
  }
});

/**
 * In how many units before the last recorded run reached its goal the page tells the time that is left, what most runs
 * take with a time, and the same without one. Runs that are recorded anew may have others.
 */
const SAID: Record<string, [left: number, timed: number, usual: number]> = {
  "backgammon standard": [0, 151, 1449],
  "control standard": [1, 8, 6],
  "cube standard": [0, 3, 32],
  "language addition": [7, 27, 26],
  "logic checkerboard": [0, 0, 111],
  "logic life": [0, 14, 50],
  "logic async": [0, 10, 74],
  "logic figure": [0, 0, 907],
  "logic letter": [0, 29, 173],
};

type Ends = (number | null)[];

/** What the page says of the time to the goal in a unit, in seconds; of `usual` also the units of most runs. */
function timeSaid(ends: Ends, units: number): { left?: UnitSpan; timed?: UnitSpan; usual?: UnitSpan } {
  // A unit lasts a second.
  const way = { values: [], target: 1, texts: null, units, unit: "round", unitsPerSecond: 1 };
  const words = outlookWords({ ...way, goalUnits: ends });
  const [, left] = /^About (.+) left at this speed\.$/.exec(words) ?? [];
  if (left !== undefined) return { left: spanOf(left) };
  const parts =
    /^Most runs with these settings reach the goal between rounds ([\d,]+) and ([\d,]+)(?:; at this speed in (.+)|; this one .+)?\.$/.exec(
      words,
    );
  if (!parts) return {};
  const [, from, to, timed] = parts;
  return { usual: { from: number(from), to: number(to) }, ...(timed !== undefined && { timed: spanOf(timed) }) };
}

/** `50 seconds to 3 minutes` in seconds. */
function spanOf(words: string): UnitSpan {
  const parts = /^(?:([\d,]+)(?: (second|minute)s?)? to )?([\d,]+) (second|minute)s?$/.exec(words);
  assert.ok(parts, words);
  const [, first, firstNoun, last, noun] = parts;
  const seconds = (count = last, each = noun) => number(count) * (each === "minute" ? 60 : 1);
  return { from: seconds(first, firstNoun), to: seconds() };
}

const number = (text = "") => Number(text.replaceAll(",", ""));

/** By which fraction of the truth a range is off, if it is told by its middle, and if it is told by its ends. */
const offBy = (range: UnitSpan, truth: number) => ({
  middle: Math.abs(middleOf(range) - truth) / truth,
  ends: Math.max(0, range.from - truth, truth - range.to) / truth,
});
/** A third, and what rounding the words may add. */
const THIRD = 1 / 3 + 1e-9;

for (const { id, preset, ends } of known) {
  test(`no time that is told of recorded runs is off by more than a third: ${id} ${preset}`, (context) => {
    const said: [number, number, number] = [0, 0, 0];
    let checked = 0;
    const last = Math.max(...ends.map((end) => end ?? 0));
    for (let unit = 0; unit < last; unit++) {
      const { left, timed, usual } = timeSaid(ends, unit);
      said[left ? 0 : timed ? 1 : 2]++;
      assert.ok(left ?? usual ?? unit > (usualUnits(ends)?.to ?? Infinity), `nothing is said in unit ${unit}`);
      if (usual) {
        const within = ends.filter((end) => end !== null && usual.from <= end && end <= usual.to);
        assert.ok(2 * within.length > ends.length, `${within.length} runs are not most`);
      }
      for (const [run, end] of ends.entries()) {
        if (end !== null && end <= unit) continue;
        const truth = (end ?? Infinity) - unit;
        const where = `run ${run} at ${unit}`;
        if (left) {
          assert.ok(offBy(left, truth).middle <= THIRD && offBy(left, truth).ends === 0, where);
          // The forecasts of the other runs do not know this one.
          const blind = timeSaid(
            ends.filter((_, other) => other !== run),
            unit,
          ).left;
          assert.ok(!blind || offBy(blind, truth).middle <= THIRD, `${where}, forecast from the others`);
        }
        if (timed) assert.ok(offBy(timed, truth).ends <= THIRD, where);
        checked += left || timed ? 1 : 0;
      }
    }
    context.diagnostic(`${checked} times are checked in ${said.join(" + ")} units`);
    assert.deepEqual(said, SAID[`${id} ${preset}`]);
  });
}

test("as many recorded runs took what the page says, and as many fewer or more as it says", () => {
  const sentence =
    /^(?:(All)|(\d+) of) (\d+) recorded runs took (?:([\d,]+) to )?([\d,]+) rounds? to the goal(?:; (?:(\d+) took fewer)?(?:, )?(?:(\d+) took more)?)?\.$/;
  let told = 0;
  for (const { id, preset, ends } of known) {
    const words = sourceWords(ends, "round");
    if (words === "") continue;
    told++;
    const parts = sentence.exec(words);
    assert.ok(parts, words);
    const [, quantity, some, runs, low, high, saidFewer, saidMore] = parts;
    const to = number(high);
    const from = low === undefined ? to : number(low);
    const count = (isMeant: (end: number) => boolean) => ends.filter((end) => end !== null && isMeant(end)).length;
    const [fewer, within, more] = [
      count((end) => end < from),
      count((end) => from <= end && end <= to),
      count((end) => end > to),
    ];
    const where = `${id} ${preset}: ${words}`;
    assert.equal(number(runs), ends.length, where);
    assert.equal(within, quantity === "All" ? ends.length : number(some), where);
    const others = ends.length - within;
    const haveEnded = fewer + more === others;
    assert.equal(number(saidFewer), haveEnded ? fewer : 0, where);
    assert.equal(number(saidMore), haveEnded ? more : 0, where);
  }
  assert.ok(told > 0);
});

test("curves of every lab's default settings are recorded", () => {
  const missing: string[] = [];
  for (const { about } of labs) {
    const preset = about.presets.find(({ settings }) => settings === "{}")?.name ?? "";
    const curves = allCurves.find((each) => each.lab === about.id && each.preset === preset);
    if (!curves) missing.push(about.id);
    // No seed is left out, so none because it contradicts the page.
    const seeds = curves?.runs.map(({ seed }) => seed) ?? [];
    assert.deepEqual(
      seeds,
      seeds.map((_, i) => i + 1),
      `${about.id} ${preset}`,
    );
  }
  assert.deepEqual(missing, [], `node scripts/record-curves.mjs ${missing.join(" ")}`);
});

test("recorded runs hold for unchanged runs with the settings of their preset alone", () => {
  const lab = labOf("logic");
  const recorded = { checkerboard: [1, 2, 3], life: [4, 5, 6] };
  const run = { lab, settings: settingsOf(lab, "checkerboard"), changes: [], networkSince: null };
  assert.equal(runsLike(run, recorded), recorded.checkerboard);
  assert.equal(runsLike({ ...run, settings: settingsOf(lab, "life") }, recorded), recorded.life);
  assert.equal(runsLike({ ...run, settings: settingsOf(lab, "letter") }, recorded), null);
  assert.equal(runsLike({ ...run, settings: { ...run.settings, learning_rate: 0.2 } }, recorded), null);
  const change = { unit: 3, before: {}, after: { clip: 99 } };
  assert.equal(runsLike({ ...run, changes: [change] }, recorded), null);
  assert.equal(runsLike({ ...run, networkSince: 4 }, recorded), null);
  assert.equal(runsLike({ ...run, lab: null }, recorded), null);
});
