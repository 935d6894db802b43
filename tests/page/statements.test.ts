// What the page says of a run is compared with what recorded runs measured. The curves in tests/golden/curves, which
// scripts/record-curves.mjs writes, are replayed test by test; the units in which recorded runs reached their goal
// (www/labs/LAB/goal-units.json) are forecast from each other.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { middleOf, unitsLeft } from "../../www/core/forecast";
import { isWorse, latestTest, standingOf } from "../../www/core/goal";
import type { Settings } from "../../www/core/link";
import { presetSettings } from "../../www/core/presets";
import { runsLike, type RecordedRuns } from "../../www/core/recorded-runs";
import { marginName, Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import type { Goal, LabInfo, Progress } from "../../www/generated/protocol";
import { sourceWords, standingWords } from "../../www/ui/goal-words";
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
        const perfect = isPercent && value >= 100;
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
        const words = story({ settings, last, measured, ...verdict }) ?? "";
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
        if (/begun again/.test(words)) {
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

for (const { id, preset, ends } of known) {
  test(`no forecast of recorded runs is off by more than a third: ${id} ${preset}`, (context) => {
    const isOff = (range: { from: number; to: number }, truth: number) =>
      Math.abs(middleOf(range) - truth) > truth / 3 + 1e-9;
    const last = Math.max(...ends.map((end) => end ?? 0));
    // The forecasts of the other runs do not know this one.
    const others = ends.map((_, run) => ends.filter((_, other) => other !== run));
    let told = 0;
    for (let unit = 0; unit < last; unit++) {
      const range = unitsLeft(ends, unit);
      if (!range) continue;
      told++;
      for (const [run, end] of ends.entries()) {
        if (end !== null && end <= unit) continue;
        const truth = (end ?? Infinity) - unit;
        assert.ok(range.from <= truth && truth <= range.to && !isOff(range, truth), `run ${run} at ${unit}`);
        const blind = unitsLeft(others[run] as (number | null)[], unit);
        assert.ok(!blind || !isOff(blind, truth), `run ${run} at ${unit}, forecast from the others`);
      }
    }
    context.diagnostic(`a time is told in ${told} of ${last} units`);
  });
}

test("as many recorded runs took what the page says, and as many fewer or more as it says", () => {
  const sentence =
    /^(?:(All)|(\d+) of) (\d+) recorded runs took (?:([\d,]+) to )?([\d,]+) rounds? to the goal(?:; (?:(\d+) took fewer)?(?:, )?(?:(\d+) took more)?)?\.$/;
  const number = (text = "") => Number(text.replaceAll(",", ""));
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
