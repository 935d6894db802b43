// The captions of the tours, of every lab in every recorded state: they are short, none is marked as done
// without its event, the button that shows the task leads to that event, and an outcome tells what was measured.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LabInfo, LabTypes } from "../../www/generated/protocol";
import { breakingField } from "../../www/core/breaking-setting";
import { newNote } from "../../www/core/store";
import { markedAsScramble } from "../../www/labs/cube/scramble-commands";
import { manifestOf } from "../../www/labs/manifests";
import type { Deed } from "../../www/ui/deeds";
import type { Caption, Waiting } from "../../www/ui/tour-caption";
import { checkDeed, checkSelector } from "./deed-checks";
import { statesOf } from "./lab-states";
import { FakeRun, goldenStates, labs, learnedState, presetStates, type RecordedState } from "./run-states";

type AnyView = LabTypes[keyof LabTypes]["view"];
type AnyCommand = LabTypes[keyof LabTypes]["command"];

const MAX_WORDS = 34;
const countWords = (text: string) => text.split(/\s+/).length;

/** What a caption knows when it appears. */
async function appeared(fake: FakeRun): Promise<Waiting> {
  const { run, series, progress, pace, lab } = fake;
  const values = new Map(series.specs.map(({ name }) => [name, series.last(name)]));
  const before = (metric: string) => values.get(metric) ?? NaN;
  const view = (await statesOf(lab.about.id)).view(fake.settings) as AnyView;
  const unitsBefore = progress.units;
  return { run, unitsBefore, before, paceBefore: pace, view, viewBefore: view, commands: [], viewsSince: 0 };
}

function nameOf(deed: Exclude<Deed, { set: unknown } | { branchAt: number }>): string {
  if ("press" in deed) return deed.press;
  if ("click" in deed) return deed.click;
  if ("key" in deed) return `${deed.key} on ${deed.on}`;
  assert.ok("slide" in deed, "a caption is done on the screen");
  return `${deed.slide} to ${deed.to}`;
}

/** Does a deed in the visitor's place. */
async function carryOut(fake: FakeRun, waiting: Waiting, deed: Deed): Promise<void> {
  checkDeed(fake.lab, deed);
  if ("set" in deed) return fake.configure(deed.set);
  // The new run that it starts is a branch.
  if ("branchAt" in deed)
    return void (fake.note = { ...newNote(), parent: { id: fake.note.id, units: deed.branchAt } });
  if ("press" in deed && deed.press === "Max") return void (fake.pace = null);
  const { answers } = await statesOf(fake.lab.about.id);
  const answer = answers[nameOf(deed)];
  assert.ok(answer, `nothing is known of ${nameOf(deed)}`);
  if (answer.command) waiting.commands.push(answer.command as AnyCommand);
  if (answer.view) waiting.view = { ...waiting.view, ...answer.view } as AnyView;
  waiting.viewsSince = 2;
}

const told = (text: Caption["text"], waiting: Waiting) => (typeof text === "string" ? text : text(waiting));
const applies = ({ when }: Caption, waiting: Waiting) => when?.(waiting) ?? true;
const isDone = ({ done }: Caption, waiting: Waiting) => done?.(waiting) ?? false;

async function captionsOf(fake: FakeRun): Promise<Caption[]> {
  const module = await manifestOf(fake.lab.about.id)?.tour?.();
  assert.ok(module, `${fake.lab.about.id} has no tour`);
  return module.captions(fake.run);
}

const recordedStates = async (lab: LabInfo): Promise<RecordedState[]> => [
  ...(await presetStates(lab)),
  ...goldenStates(lab),
];

for (const lab of labs) {
  const { id } = lab.about;

  test(`captions are short, and none is done before its event: ${id}`, async () => {
    for (const { create } of await recordedStates(lab)) {
      const fake = create();
      const captions = await captionsOf(fake);
      assert.ok(captions.length >= 4 && captions.length <= 8, `${fake.name}: ${captions.length} captions`);
      const waiting = await appeared(fake);
      for (const caption of captions) {
        if (!applies(caption, waiting)) continue;
        const [text, task] = [told(caption.text, waiting), told(caption.task, waiting)];
        const words = countWords(`${text} ${task}`);
        assert.ok(words <= MAX_WORDS, `${fake.name}: ${words} words: ${text} ${task}`);
        for (const each of [text, task]) assert.match(each, /^[A-Z0-9].*[.]$/);
        assert.doesNotMatch(`${text} ${task}`, /NaN|undefined|null/, fake.name);
        assert.ok(!isDone(caption, waiting), `${fake.name} is done at once: ${task}`);
        // Either a button does the task, or the run does it in time.
        assert.ok(caption.show || caption.needsRun, `${fake.name} leaves the visitor alone: ${task}`);
        assert.ok(caption.at.length > 0 && (caption.done === undefined) !== (caption.shown === undefined), task);
        if (caption.shown !== undefined) checkSelector(lab, caption.shown);
      }
    }
  });

  test(`each task is done by its event, also where a button shows it: ${id}`, async () => {
    let shown = 0;
    const { breaking, course } = await statesOf(id);
    for (const { create, kind, lost } of await recordedStates(lab)) {
      if (kind === "fresh") continue;
      const fake = create();
      const rows = fake.series.specs.map(({ name }): [string, number] => [name, fake.series.last(name)]);
      for (const caption of await captionsOf(fake)) {
        const waiting = await appeared(fake);
        if (!applies(caption, waiting)) continue;
        const task = told(caption.task, waiting);
        const deeds = caption.show?.(waiting) ?? [];
        if (caption.shown !== undefined) {
          deeds.forEach((deed) => checkDeed(lab, deed));
          continue;
        }
        for (const deed of deeds) await carryOut(fake, waiting, deed);
        const breaks = told(caption.text, waiting).includes(" is set to ");
        // What only waits for the run is done by units, which are as bad as the setting makes them.
        if (!caption.show) {
          assert.ok(!isDone(caption, waiting), `${fake.name}: ${task}`);
          for (let unit = 0; unit < 3; unit++) fake.endUnit(breaks && lost ? lost : Object.fromEntries(rows));
          // It may wait for what the run learns.
          if (!breaks && !isDone(caption, waiting)) fake.endUnit(course(fake.settings).learned);
        }
        // Where nothing was learned, the metrics of this test do not get worse.
        if (breaks && !lost) continue;
        assert.ok(isDone(caption, waiting), `${fake.name} is not done: ${task}`);
        const outcome = caption.outcome?.(waiting) ?? "";
        assert.doesNotMatch(outcome, /NaN|undefined|null|–/, `${fake.name}: ${outcome}`);
        assert.ok(countWords(outcome) <= 20, outcome);
        shown += caption.show ? 1 : 0;
      }
      // The tour leaves no run with a setting that breaks it.
      const { name, max } = breakingField({ ...fake, breaking });
      assert.ok(Number(fake.settings[name]) < max / 2, fake.name);
    }
    assert.ok(shown > 0, "no caption has a button");
  });
}

/** The captions that break what was learned, and the run that they are about. */
async function breaking(id: string, preset: string) {
  const { create, lost } = await learnedState(id, preset);
  const fake = create();
  const captions = (await captionsOf(fake)).slice(-4) as [Caption, Caption, Caption, Caption];
  return { fake, lost, learned: lastRow(fake), captions };
}

const lastRow = ({ series }: FakeRun) =>
  Object.fromEntries(series.specs.map(({ name }): [string, number] => [name, series.last(name)]));

test("nothing is said to be broken while the score is what it was", async () => {
  const { fake, lost, learned, captions } = await breaking("control", "standard");
  const [up, watch, back, after] = captions;
  assert.equal(after.leftover?.() ?? null, null);
  // A visitor who skips the first of them sees neither of the others.
  const skipped = await appeared(fake);
  assert.deepEqual(
    [watch, back, after].map((caption) => applies(caption, skipped)),
    [false, false, false],
  );
  fake.configure({ learning_rate: 0.1 });
  let waiting = await appeared(fake);
  assert.equal(up.outcome?.(waiting), "The learning rate is set to 0.1 now.");
  assert.equal(told(watch.text, waiting), "The learning rate is set to 0.1 now, and was 0.001 before.");
  const leftoverOf = (caption: Caption) => caption.leftover?.() ?? null;
  const high = "The learning rate is still set to 0.1; before, it was 0.001.";
  assert.deepEqual(leftoverOf(after), {
    text: high,
    button: "Set it back",
    deeds: [{ set: { learning_rate: 0.001 } }],
  });
  for (const score of [493, 480, 400]) {
    fake.endUnit({ ...learned, examReturn: score });
    assert.ok(applies(watch, waiting) && !isDone(watch, waiting), `a score of ${score}`);
    assert.equal(watch.reading?.(waiting), `Test score: 493 before, ${score} now`);
    assert.doesNotMatch(told(back.text, waiting), /learn again/, "nothing is lost yet");
  }
  fake.endUnit(lost);
  assert.ok(isDone(watch, waiting));
  assert.equal(watch.outcome?.(waiting), "The test score fell from 493 to 157 within 4 iterations.");
  waiting = await appeared(fake);
  assert.ok(applies(back, waiting) && !isDone(back, waiting));
  assert.equal(told(back.task, waiting), "Turn learning rate down to 0.001.");
  assert.match(told(back.text, waiting), /learn again/);
  const bringBack = { button: "Bring it back in a new run", deeds: [{ branchAt: 3 }] };
  const broke = "The learning rate of 0.1 broke the agent. The timeline has it from before, at 0.001.";
  assert.deepEqual(leftoverOf(after), { ...bringBack, text: broke });
  fake.configure({ learning_rate: 0.001 });
  assert.ok(isDone(back, waiting));
  const forgotten = { ...bringBack, text: "The agent has not recovered so far. The timeline has it from before." };
  assert.deepEqual(leftoverOf(after), forgotten);
  // The tour ends with an agent that has recovered, or with the one from before.
  waiting = await appeared(fake);
  fake.endUnit(lost);
  assert.ok(applies(after, waiting) && !isDone(after, waiting));
  assert.equal(after.reading?.(waiting), "Test score: 493 before, 157 now");
  const [bring] = after.show?.(waiting) ?? [];
  assert.ok(bring && "branchAt" in bring && bring.branchAt === 3, JSON.stringify(bring));
  fake.endUnit({ ...learned, examReturn: 480 });
  assert.ok(isDone(after, waiting));
  assert.equal(after.outcome?.(waiting), "The test score is 480 now, and was 493 before.");
  assert.equal(leftoverOf(after), null, "it has recovered");
  await carryOut(fake, waiting, bring);
  assert.ok(isDone(after, waiting));
  assert.equal(told(after.text, waiting), "The agent of iteration 3 is back, in a new run.");
});

test("a metric that cannot get worse is not the one that is watched", async () => {
  const { fake } = await breaking("control", "mountaincar");
  const untrained = new FakeRun("untrained", fake.lab, fake.settings, [
    { examReturn: -200, kl: 0.0001 },
    { examReturn: -200, kl: 0.001 },
  ]);
  const [, watch] = (await captionsOf(untrained)).slice(-4) as [Caption, Caption];
  untrained.configure({ learning_rate: 0.1 });
  const waiting = await appeared(untrained);
  untrained.endUnit({ examReturn: -200, kl: 0.01 });
  assert.ok(!isDone(watch, waiting), "small changes of the choices");
  untrained.endUnit({ examReturn: -200, kl: 0.8 });
  assert.equal(
    watch.outcome?.(waiting),
    "The jump in its choices (KL divergence) rose from 0.00100 to 0.800 within 2 iterations.",
  );
});

test("annealing that hides a high learning rate is switched off, and on again afterwards", async () => {
  const { fake, captions } = await breaking("language", "addition");
  const [up, , back] = captions;
  while (fake.progress.units < 60) fake.endUnit(lastRow(fake));
  let waiting = await appeared(fake);
  assert.equal(told(up.task, waiting), "In Settings, turn annealing to 0 and Muon rate up to 0.5.");
  fake.configure({ muon_rate: 0.5 });
  assert.ok(!isDone(up, waiting), "annealing still lowers it");
  fake.configure({ anneal: 0 });
  assert.ok(isDone(up, waiting));
  waiting = await appeared(fake);
  assert.deepEqual(back.show?.(waiting), [{ set: { muon_rate: 0.02, anneal: 800 } }]);
});

test("losses that are no numbers count as broken", async () => {
  const { fake, captions } = await breaking("cube", "standard");
  fake.configure({ learning_rate: 0.1 });
  const waiting = await appeared(fake);
  assert.ok(!isDone(captions[1], waiting));
  fake.diverged = true;
  assert.ok(isDone(captions[1], waiting));
  assert.equal(captions[1].outcome?.(waiting), "It broke: its numbers are too large to compute with.");
});

for (const { about } of labs) {
  test(`outcomes tell what was measured since the caption appeared: ${about.id}`, async () => {
    const { outcomes } = await statesOf(about.id);
    for (const [task, what, outcome] of outcomes) {
      const fake = (await learnedState(about.id)).create();
      const waiting = await appeared(fake);
      const caption = (await captionsOf(fake)).find((each) => task.test(told(each.task, waiting)));
      assert.ok(caption, `there is no task ${String(task)}`);
      if ("press" in what) await carryOut(fake, waiting, what);
      else what.forEach((row) => fake.endUnit(row));
      assert.ok(isDone(caption, waiting), String(task));
      assert.equal(caption.outcome?.(waiting), outcome);
    }
  });
}

test("a high temperature is told by the probabilities of what it writes from then on", async () => {
  const fake = (await learnedState("language", "stories")).create();
  const waiting = await appeared(fake);
  const caption = (await captionsOf(fake)).find((each) => told(each.text, waiting).startsWith("Break it"));
  const [slide, again] = caption?.show?.(waiting) ?? [];
  assert.ok(caption && slide && again);
  await carryOut(fake, waiting, again);
  await carryOut(fake, waiting, slide);
  assert.ok(!isDone(caption, waiting), "this sample began at the old temperature");
  await carryOut(fake, waiting, again);
  assert.ok(isDone(caption, waiting));
  assert.equal(caption.outcome?.(waiting), "Mean probability of what it wrote: 25%; before: 90%.");
});

test("the tour of the cube counts a visitor's turn alone, and breaks only what has learned something", async () => {
  const { create } = await learnedState("cube");
  const fake = create();
  const [turn, bar] = (await captionsOf(fake)) as [Caption, Caption];
  for (const caption of [turn, bar]) {
    const done = (turns: string) =>
      isDone(caption, { ...waiting, commands: [{ type: "turn", turns }] as unknown as AnyCommand[] });
    const waiting = await appeared(fake);
    for (const turns of ["U", "R'", "F F", "U2"]) assert.ok(done(turns), turns);
    // A scramble, also that of the automatic repetition, is one command.
    for (const turns of ["U R", "U U R", "F R' U F' R", "U U'"]) assert.ok(!done(turns), turns);
    const single = markedAsScramble({ type: "turn", turns: "U" });
    assert.ok(!isDone(caption, { ...waiting, commands: [single] }), "a scramble of one turn");
  }
  const rows = [
    { solved: 0.01, loss: 34 },
    { solved: 2.24, loss: 20 },
  ];
  const learning = new FakeRun("hardly learned", fake.lab, fake.settings, rows);
  const captions = await captionsOf(learning);
  const waiting = await appeared(learning);
  const first = captions.findIndex(({ task }) => typeof task === "string" && task.startsWith("Wait for a test"));
  const [wait, breaks] = captions.slice(first) as [Caption, Caption];
  assert.ok(!applies(breaks, waiting), "there is nothing to break");
  learning.endUnit({ solved: 3, loss: 10 });
  assert.ok(!isDone(wait, waiting));
  assert.equal(wait.reading?.(waiting), "Last test: 3%");
  learning.endUnit({ solved: 41, loss: 3 });
  assert.ok(isDone(wait, waiting) && applies(breaks, waiting));
});
