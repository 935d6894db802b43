// Unit tests of the settings as the page offers them: groups, the few that matter most, conditions, the search, the
// presets, and the draft, which applies a preset as a whole or lets it wait as a whole.

import assert from "node:assert/strict";
import { test } from "node:test";
import { defaults, Draft } from "../../www/core/draft";
import { Emitter } from "../../www/core/events";
import { applies, matchesSearch, GROUPS, mainFields } from "../../www/core/fields";
import type { Settings } from "../../www/core/link";
import { presetById, presetOf, presetSettings } from "../../www/core/presets";
import type { Run } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { LABS } from "../../www/generated/labs";
import type { LabInfo } from "../../www/generated/protocol";

const labInfo = async (id: string) => {
  const lab = await LABS.find((each) => each.id === id)?.load();
  assert.ok(lab);
  return lab;
};
const fieldOf = (lab: LabInfo, name: string) => {
  const field = lab.fields.find((each) => each.name === name);
  assert.ok(field, name);
  return field;
};

/** A run that only remembers which live settings it was sent. */
class FakeRun extends Emitter<RunEvents> {
  sent: Settings[] = [];
  seed = 0;
  settings: Settings;
  constructor(lab: LabInfo) {
    super();
    this.settings = defaults(lab);
  }
  configure(settings: Settings): void {
    this.sent.push(settings);
    this.settings = { ...this.settings, ...settings };
    this.emit("configured", this.settings);
  }
}

/** A draft of a fake run. Changes are sent when `frame` is called, as in an animation frame. */
async function createDraft(id: string) {
  const lab = await labInfo(id);
  const frames: (() => void)[] = [];
  Object.assign(globalThis, { requestAnimationFrame: (callback: () => void) => frames.push(callback) });
  const run = new FakeRun(lab);
  const draft = new Draft(lab, run as unknown as Run);
  return { lab, run, draft, frame: () => frames.splice(0).forEach((callback) => callback()) };
}

test("each setting is in a group, and four to six that apply matter most, with every preset", async () => {
  const groups = new Set(GROUPS.map(({ group }) => group));
  for (const { load } of LABS) {
    const lab = await load();
    assert.ok(lab.fields.every(({ group }) => groups.has(group)));
    for (const preset of lab.about.presets) {
      const settings = { ...defaults(lab), ...presetSettings(preset) };
      const { live, restart } = mainFields(lab.fields);
      const shown = [...live, ...restart].filter((field) => applies(field, settings));
      // A new lab may have fewer settings.
      const least = Math.min(4, lab.fields.filter((field) => applies(field, settings)).length);
      assert.ok(shown.length >= least && shown.length <= 6, `${lab.about.id}, ${preset.name}: ${shown.length}`);
      assert.ok(
        shown.some((field) => field.live),
        "something can be turned at once",
      );
    }
  }
});

test("setting applies only with its learner, its task, or both", async () => {
  const backgammon = await labInfo("backgammon");
  const simulations = fieldOf(backgammon, "simulations");
  assert.equal(applies(simulations, { learner: "afterstates" }), false);
  assert.equal(applies(simulations, { learner: "alphazero" }), true);
  const language = await labInfo("language");
  const vocabulary = fieldOf(language, "vocabulary");
  assert.equal(applies(vocabulary, { source: "stories", tokens: "pairs" }), true);
  assert.equal(applies(vocabulary, { source: "stories", tokens: "bytes" }), false);
  assert.equal(applies(vocabulary, { source: "addition", tokens: "pairs" }), false);
  assert.equal(applies(fieldOf(language, "width"), {}), true);
});

test("search finds settings by label, name, help and choices", async () => {
  const logic = await labInfo("logic");
  const noise = fieldOf(logic, "decided");
  assert.ok(
    matchesSearch(noise, "") &&
      matchesSearch(noise, "Quantization") &&
      matchesSearch(noise, "decided") &&
      matchesSearch(noise, "noise gates"),
  );
  assert.equal(matchesSearch(noise, "noise banana"), false);
  assert.ok(matchesSearch(fieldOf(logic, "experiment"), "async"));
});

test("preset is told by its settings", async () => {
  const control = await labInfo("control");
  assert.equal(presetOf(control, defaults(control)), "standard");
  assert.equal(presetOf(control, { ...defaults(control), ...presetById(control, "crowd") }), "crowd");
  assert.equal(presetOf(control, { ...defaults(control), gamma: 0.5 }), null);
});

test("preset with a change that needs a restart waits as a whole", async () => {
  const { lab, run, draft, frame } = await createDraft("control");
  draft.usePreset(presetById(lab, "sprint")); // worlds and horizon need a restart, epochs and minibatches are live
  frame();
  assert.deepEqual(run.sent, [], "nothing is applied");
  assert.deepEqual(draft.changesNeedingRestart(), ["worlds", "horizon", "epochs", "minibatches"]);
  assert.ok(draft.waits(fieldOf(lab, "epochs")));
  assert.equal(draft.settings["epochs"], 6);
  // A live setting that is moved afterwards is applied at once, and alone.
  draft.set(fieldOf(lab, "epochs"), 7);
  frame();
  assert.deepEqual(run.sent, [{ epochs: 7 }]);
  assert.deepEqual(draft.changesNeedingRestart(), ["worlds", "horizon", "minibatches"]);
  draft.resetToRun();
  assert.deepEqual(draft.changesNeedingRestart(), []);
  assert.equal(draft.settings["minibatches"], 8);
});

test("preset whose changes are all live is applied as a whole at once", async () => {
  const { lab, run, draft, frame } = await createDraft("control");
  draft.usePreset({ epochs: 3, gamma: 0.9 });
  frame();
  assert.deepEqual(run.sent, [{ epochs: 3, gamma: 0.9 }]);
  assert.deepEqual(draft.changesNeedingRestart(), []);
  // Going back to the settings of the run ends the waiting.
  draft.usePreset(presetById(lab, "sprint"));
  assert.ok(draft.changesNeedingRestart().length > 0);
  draft.usePreset({ epochs: 3, gamma: 0.9 });
  frame();
  assert.deepEqual(draft.changesNeedingRestart(), []);
  assert.equal(run.sent.length, 1);
});

test("preset for a new run changes nothing in the open one", async () => {
  const { run, draft, frame } = await createDraft("control");
  draft.usePreset({ epochs: 3, gamma: 0.9 }, { atRestart: true });
  frame();
  assert.deepEqual(run.sent, []);
  assert.deepEqual(draft.changesNeedingRestart().sort(), ["epochs", "gamma"]);
  assert.equal(draft.settings["epochs"], 3);
});
