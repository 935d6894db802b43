// Every part of the page that tells how a run stands tells the same test: the sentence, the score with its curve, the
// dock, the verdict, the card on the front and the guide. The recorded runs of every lab (tests/golden/curves) are
// replayed test by test, and what the parts say is compared.

import { textOf } from "./fake-dom";
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { Draft, defaults } from "../../www/core/draft";
import { el } from "../../www/core/dom";
import { Emitter } from "../../www/core/events";
import { formatInteger } from "../../www/core/format";
import { LookBack } from "../../www/core/look-back";
import { Overlays } from "../../www/core/overlays";
import { presetSettings } from "../../www/core/presets";
import type { Run } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { Series } from "../../www/core/series";
import { ShownTest } from "../../www/core/shown-test";
import { newNote } from "../../www/core/store";
import type { Settings } from "../../www/core/values";
import { FrontCard } from "../../www/front/card";
import { LABS } from "../../www/generated/labs";
import type { LabInfo, Progress } from "../../www/generated/protocol";
import { manifestOf } from "../../www/labs/manifests";
import { headline as languageHeadline } from "../../www/labs/language/headline";
import { smallPictureOf } from "../../www/labs/pictures";
import { Curves } from "../../www/ui/curves";
import { GoalPanel } from "../../www/ui/goal";
import { headlineOf, type HeadlineView } from "../../www/ui/headline";
import { Plot } from "../../www/ui/plot";
import { RunControls } from "../../www/ui/run-controls";
import type { Ticker } from "../../www/ui/small-picture/ticker";
import type { Story } from "../../www/ui/story";
import { StoryLine } from "../../www/ui/story-line";
import type { Waiting } from "../../www/ui/tour-caption";
import { allCurves, type RecordedCurves } from "./recorded-curves";
import { labs } from "./run-states";
import { settled } from "./settled";

/** A recorded run that is trained again, from test to test. */
class ReplayedRun extends Emitter<RunEvents> {
  readonly series: Series;
  readonly note = newNote();
  readonly changes = [];
  readonly networkSince = null;
  readonly open = true;
  readonly pace = null;
  readonly diverged = false;
  readonly loaded: LabInfo;
  readonly goal: { metric: string; target: number; exact: boolean; words: string };
  progress = {
    units: 0,
    work: 0,
    unitsWork: 0,
    running: true,
    unitsPerSecond: 2,
    solvedAt: null,
  } as unknown as Progress;

  constructor(
    readonly lab: LabInfo,
    readonly settings: Settings,
    readonly curves: RecordedCurves,
    readonly recorded: RecordedCurves["runs"][number],
  ) {
    super();
    this.series = new Series(lab.about.metrics);
    this.loaded = lab;
    this.goal = { ...curves.goal, words: "" };
  }

  get run(): Run {
    return this as unknown as Run;
  }

  /** Goes on to the next row of the record. */
  goOn(row: number): void {
    const { units, values, reached } = this.recorded;
    const unit = units[row] as number;
    const valueOf = (name: string) => values[this.curves.metrics.indexOf(name)]?.[row] ?? NaN;
    this.series.append({ units: [unit], values: this.series.specs.map(({ name }) => [valueOf(name)]) });
    const solvedAt = reached !== null && reached <= unit ? reached : null;
    this.progress = { ...this.progress, units: unit, work: 1000 * unit + 1, unitsWork: 1000 * unit, solvedAt };
    this.emit("progress", this.progress);
  }

  requestView(): void {}
}

/** What the guide tells of tests, with the score of the last one and, where it says so, of the one before. */
const GUIDE: Record<string, RegExp[]> = {
  backgammon: [/^Its points per game: (?<now>[^;]+?)(?:; before: (?<before>.+))?\.$/],
  control: [/^Its scores: (?<before>\S+), \S+, (?<now>.+)\.$/, /^Each of them scored (?<now>.+)\.$/],
  cube: [/^Last test: (?<now>.+)%$/, /^Of the tested states it solves (?<now>[^;]+)%(?:; before: (?<before>.+)%)?\.$/],
  language: [/^Right answers: (?<now>[^;]+)%(?:; before: (?<before>.+)%)?\.$/],
  // It tells the soft error, which no other part takes for the score.
  logic: [],
};

/** The number in the sentence about what the agent can do, as the score has it; empty where it has none. */
const SENTENCES: Record<string, RegExp> = {
  backgammon: /(?<now>[\d.]+) points a game/,
  control: /(?:falls after|for all|for) (?<now>[\d,]+)/,
  cube: /(?<now>[\d.]+|less than 0.01)% of/,
  language: /got (?:only )?(?<now>[\d.]+|less than [\d.]+)% of/,
  logic: /at worst (?<now>[\d.]+)% of/,
};

const lastOf = <T>(list: readonly T[]) => list.at(-1) as T;

/** What the large chart was given last: it is the first that is drawn. */
let drawn: { unit: number; value: number }[][] = [];
Plot.prototype.setData = ([units, values]) => {
  const rows = [...units].map((unit, row) => ({ unit, value: values?.[row] ?? NaN }));
  drawn.push(rows.filter(({ value }) => Number.isFinite(value)));
};

/** Lets time pass only when the result is called. It passes in parts, because a timer may start another one. */
function clockOf({ mock }: TestContext): (ms: number) => void {
  let now = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  return (ms) => {
    for (const end = now + ms; now < end;) {
      now += TIMER_MS;
      mock.timers.tick(TIMER_MS);
    }
  };
}
const TIMER_MS = 20;

/** The parts of a page that tell how a run stands. */
async function partsOf(fake: ReplayedRun) {
  const { lab, run, settings } = fake;
  const { id } = lab.about;
  const { story } = (await import(`../../www/labs/${id}/story.ts`)) as { story: Story };
  const view: HeadlineView | null =
    id === "language" ? { headline: (last) => languageHeadline(settings, last, { gzip: null, floor: null }) } : null;
  const shown = new ShownTest(run, new LookBack(run));
  const headline = () => headlineOf(run, view, (metric) => shown.last(metric));
  const dock = new RunControls(shown, new Draft(lab, run), () => {}, headline, el("button"));
  const curves = new Curves(lab, run, shown, new Overlays(), headline);
  const goal = new GoalPanel(shown, headline, () => null, curves.main, el("div"));
  const sentence = new StoryLine(shown, story, {}, headline, () => null);
  const ticker = { setInSight() {} } as unknown as Ticker;
  const listed = LABS.find((each) => each.id === id) as (typeof LABS)[number];
  const card = new FrontCard(listed, run, Promise.resolve(null), ticker, 0);
  const destroy = () => [shown, curves, card].forEach((each) => each.destroy());
  return { shown, dock, goal, sentence, card, curve: curves.main, destroy };
}

for (const curves of allCurves) {
  const { lab: id, preset: name, runs } = curves;

  test(`all parts of the page tell the same test: ${id} ${name}`, async (context) => {
    const lab = labs.find(({ about }) => about.id === id) as LabInfo;
    const preset = lab.about.presets.find((each) => each.name === name);
    assert.ok(preset);
    const settings = { ...defaults(lab), ...presetSettings(preset) };
    const tour = await manifestOf(id)?.tour?.();
    const told = { sentence: 0, curve: 0, verdict: 0, guide: 0, late: 0 };
    for (const recorded of runs) {
      const fake = new ReplayedRun(lab, settings, curves, recorded);
      const pass = clockOf(context);
      const parts = await partsOf(fake);
      // The charts are loaded with the first row.
      fake.goOn(0);
      await import("../../www/ui/chart");
      await settled();
      pass(500);
      /** The tests that have been told, with the score in each. */
      const scores: { unit: number; score: string; value: number }[] = [];

      /** Compares everything with the score. */
      const compare = () => {
        const { goal, dock, curve, card, sentence } = parts;
        const score = textOf(goal.element, "score");
        const when = textOf(goal.element, "score-when");
        const where = `seed ${recorded.seed}, ${when}`;
        const { unit } = lab.about;
        const at = new RegExp(`^Test at ${unit} ([\\d,]+)$`).exec(when)?.[1]?.replaceAll(",", "");
        if (at === undefined) return assert.equal(score, "–", where);
        const value = fake.series.last(curves.goal.metric, Number(at));
        if (scores.at(-1)?.unit !== Number(at)) scores.push({ unit: Number(at), score, value });

        assert.match(textOf(dock.element, "counts-score"), new RegExp(`^${score}%?, goal `), where);

        const end = drawn[0]?.at(-1);
        if (end) {
          assert.deepEqual(end, { unit: Number(at), value }, `${where}: the end of the curve`);
          assert.equal(textOf(curve, "chart-now"), score, where);
          told.curve++;
        }

        const said = textOf(sentence.element, "story");
        const number = SENTENCES[id]?.exec(said)?.groups?.["now"]?.replace("less than ", "<");
        if (number !== undefined) {
          const bare = score.replace("−", "");
          // Steps are told as whole numbers.
          if (id === "control") assert.ok(Math.abs(Number(number) - Number(bare)) <= 0.5, `${where}: ${said}`);
          else assert.equal(number, bare, `${where}: ${said}`);
          told.sentence++;
        }

        const standing = textOf(goal.pill);
        const verdict = textOf(card.element, "front-card-state");
        assert.equal(verdict === "", standing === "", where);
        if (standing) {
          const reached = `The test at ${unit} ${formatInteger(recorded.reached ?? NaN)} reached it`;
          assert.equal(verdict, `${standing}. ${reached}.`, where);
          const then = scores.find((each) => each.unit === recorded.reached)?.score;
          const words = textOf(goal.element, "solved-words");
          assert.ok(words.startsWith(`${standing}${reached}, with ${then}`), `${where}: ${words}`);
          told.verdict++;
        }
      };

      /** What the guide tells of the tests so far, if its captions have appeared some tests ago. */
      const compareGuide = (testsAgo: number) => {
        const unitsBefore = scores.at(-1 - testsAgo)?.unit ?? 0;
        const before = (metric: string) => fake.series.last(metric, unitsBefore);
        const rest = { paceBefore: null, view: null, viewBefore: null, commands: [], viewsSince: 0 };
        const waiting: Waiting = { run: fake.run, unitsBefore, before, ...rest };
        const texts = (tour?.captions(fake.run) ?? []).flatMap(({ reading, outcome, done }) => [
          reading?.(waiting),
          done?.(waiting) ? outcome?.(waiting) : "",
        ]);
        for (const pattern of GUIDE[id] ?? []) {
          const found = texts.map((text) => pattern.exec(text ?? "")?.groups).find(Boolean);
          if (!found) continue;
          const { now, before } = found;
          assert.equal(now, lastOf(scores).score, `${pattern}, seed ${recorded.seed}`);
          if (before !== undefined) {
            const earlier = scores.at(id === "control" ? -3 : -1 - testsAgo)?.score;
            assert.equal(before, earlier, `${pattern}, seed ${recorded.seed}`);
          }
          told.guide++;
        }
      };

      for (let row = 1; row < recorded.units.length; row++) {
        drawn = [];
        fake.goOn(row);
        pass(300);
        compare();
        // The curve has been drawn again, but less than a second after the last test the new one is not told yet.
        const newest = fake.series.measured(curves.goal.metric).units.at(-1) ?? 0;
        if (scores.length > 0 && lastOf(scores).unit < newest) told.late++;
        drawn = [];
        // The first test was told at once, so that the next ones come half a second before they are told.
        pass(scores.length === 1 ? 240 : 700);
        compare();
        // The guide tells the newest test, and goes on with it.
        if (scores.at(-1)?.unit === newest) [1, 3].forEach(compareGuide);
      }
      assert.ok(scores.length > 3, `seed ${recorded.seed}: ${scores.length} tests`);
      parts.destroy();
      context.mock.reset();
      context.mock.timers.reset();
    }
    context.diagnostic(JSON.stringify(told));
    for (const [part, count] of Object.entries(told))
      assert.ok(count > 0 || (part === "guide" && GUIDE[id]?.length === 0), `nothing was compared: ${part}`);
  });
}

test("recordings on the front tell what the recorded runs with their seed measured", () => {
  let compared = 0;
  for (const { lab, goal, metrics, runs } of allCurves) {
    const recording = smallPictureOf(lab)?.recording;
    assert.ok(recording, lab);
    const run = runs.find(({ seed }) => seed === recording.seed);
    // Language's recording is of stories, whose curves are not recorded.
    if (!run || Object.keys(recording.settings).length > 0) continue;
    for (const { unit, score } of recording.moments) {
      const value: number | null | undefined = run.values[metrics.indexOf(goal.metric)]?.[run.units.indexOf(unit)];
      const [text, decimals = ""] = /[\d]+(?:\.(\d+))?/.exec(score) ?? [];
      if (typeof value !== "number" || text === undefined) continue;
      const told = /are wrong/.test(score) ? 100 - Number(text) : Number(text);
      const words: string = `${lab}, unit ${unit}: ${score}, and the test measured ${value}`;
      assert.ok(Math.abs(told - Math.abs(value)) <= 10 ** -decimals.length / 2, words);
      assert.equal(score.startsWith("−"), value < 0, words);
      compared++;
    }
  }
  assert.ok(compared >= 6, `${compared} moments were compared`);
});
