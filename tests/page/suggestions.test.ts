// Tests of the suggestions of what to try next. In every lab, for each preset and each state of a run that has reached
// its goal, there must be three, none of them done already, each with a button that does it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { breakingField } from "../../www/core/breaking-setting";
import { changedSettings, parseValue, settingText } from "../../www/core/link";
import type { LabInfo, LabTypes } from "../../www/generated/protocol";
import { manifestOf } from "../../www/labs/manifests";
import { chooseSuggestions, type Suggestion, type Suggestions, type SuggestionState } from "../../www/ui/suggestion";
import { checkDeed } from "./deed-checks";
import { statesOf } from "./lab-states";
import { FakeRun, labs, learnedState, presetStates } from "./run-states";

const MAX_WORDS = 12;

type AnyView = LabTypes[keyof LabTypes]["view"];

const suggestionsOf = async ({ about }: LabInfo): Promise<Suggestions> => {
  const module = await manifestOf(about.id)?.suggestions?.();
  assert.ok(module, `${about.id} has no suggestions`);
  return module.suggestions;
};

function stateOf(fake: FakeRun, view: object | null, lost = false): SuggestionState {
  const { lab, settings, changes, series } = fake;
  const last = (metric: string) => series.last(metric);
  return { lab, settings, changes, lost, last, view: view as AnyView | null };
}

/**
 * Every state of a lab: each preset, at its goal or much worse since (lost), with the preset's value of the setting
 * that breaks learning or with a breaking one, with each view.
 */
async function* runStates(lab: LabInfo): AsyncGenerator<{ name: string; fake: FakeRun; state: SuggestionState }> {
  const { views, breaking } = await statesOf(lab.about.id);
  for (const { create, lost: lostRow } of await presetStates(lab)) {
    // The setting that breaks learning has the preset's value, is raised during the run, or is high from the start.
    for (const scenario of ["usual", "raised", "high from the start"]) {
      for (const lost of [false, true]) {
        const fake = create();
        const { name: setting, max } = breakingField({ ...fake, breaking });
        if (scenario === "raised") fake.configure({ [setting]: max });
        if (scenario === "high from the start") fake.settings[setting] = max;
        if (lost && lostRow) fake.endUnit(lostRow);
        for (const view of [null, ...views(fake.settings)]) {
          const name = `${fake.name}, ${scenario}, ${lost ? "lost" : "not lost"}, ${JSON.stringify(view)}`;
          yield { name, fake, state: stateOf(fake, view, lost) };
        }
      }
    }
  }
}

/** The suggestions that fit the state. */
const applicable = (all: (Suggestion | false)[]) => all.filter((each) => each !== false);

for (const lab of labs) {
  const { id } = lab.about;

  test(`there are three suggestions in every state: ${id}`, async () => {
    const suggestions = await suggestionsOf(lab);
    let states = 0;
    for await (const { name, state } of runStates(lab)) {
      const all = suggestions(state);
      for (const tried of [new Set<string>(), new Set(applicable(all).map(({ text }) => text))]) {
        const texts = chooseSuggestions(all, tried).map(({ text }) => text);
        assert.equal(new Set(texts).size, 3, `${name}: ${texts.join("; ")}`);
      }
      for (const { text } of applicable(all)) {
        assert.match(text, /^[A-Z].*[^.]$/, name);
        assert.doesNotMatch(text, /NaN|undefined|null/, name);
        assert.ok(text.split(" ").length <= MAX_WORDS, text);
      }
      states += 1;
    }
    // At least three scenarios, lost or not, for each preset.
    assert.ok(states >= 3 * 2 * lab.about.presets.length);
  });

  test(`no suggestion is done already, and each button would change something: ${id}`, async () => {
    const suggestions = await suggestionsOf(lab);
    for await (const { name, fake, state } of runStates(lab)) {
      for (const suggestion of applicable(suggestions(state))) {
        const { text } = suggestion;
        const after = { ...state };
        if ("settings" in suggestion) {
          const { settings } = suggestion;
          for (const [setting, value] of Object.entries(settings)) {
            const field = lab.fields.find((each) => each.name === setting);
            assert.ok(field && "value" in parseValue(field, settingText(value)), `${text}: ${setting}`);
          }
          after.settings = new FakeRun("", lab, settings).settings;
          const changed = changedSettings(lab, after.settings);
          assert.notDeepEqual(changed, changedSettings(lab, fake.settings), `${name} has it: ${text}`);
        } else {
          for (const deed of suggestion.deeds) {
            checkDeed(lab, deed);
            if (!("set" in deed)) continue;
            const isNew = Object.entries(deed.set).some(([setting, value]) => state.settings[setting] !== value);
            assert.ok(isNew, `${name} has it: ${text}`);
            after.settings = { ...after.settings, ...deed.set };
          }
        }
        if (after.settings === state.settings) continue;
        const next = applicable(suggestions(after)).map((each) => each.text);
        assert.ok(!next.includes(text), `${name}: “${text}” is suggested again`);
      }
    }
  });

  test(`what the picture shows as done is not suggested: ${id}`, async () => {
    const suggestions = await suggestionsOf(lab);
    for (const [view, pattern] of (await statesOf(id)).done) {
      let elsewhere = 0;
      for await (const { name, state } of runStates(lab)) {
        const isSuggested = (each: object | null) =>
          applicable(suggestions({ ...state, view: each as AnyView | null })).some(({ text }) => pattern.test(text));
        assert.ok(!isSuggested(view), `${name} with ${JSON.stringify(view)}`);
        elsewhere += isSuggested(state.view) ? 1 : 0;
      }
      assert.ok(elsewhere > 0, `${String(pattern)} is never suggested`);
    }
  });
}

test("suggestions follow what happens in the run", async () => {
  const shown = async (id: string, act: (fake: FakeRun) => void, lost = false) => {
    const { create, lab } = await learnedState(id);
    const fake = create();
    act(fake);
    const { view } = await statesOf(id);
    const all = (await suggestionsOf(lab))(stateOf(fake, view(fake.settings), lost));
    return chooseSuggestions(all, new Set()).map(({ text }) => text);
  };
  const nothing = () => {};
  assert.deepEqual(await shown("control", nothing), [
    "Push it, and see whether it recovers",
    "New run: the next task, MountainCar (rock out of a steep valley)",
    "New run: one world instead of 128",
  ]);
  const [down] = await shown("control", (fake) => fake.configure({ learning_rate: 0.1 }), true);
  assert.equal(down, "Turn the learning rate down to 0.001");
  const [again] = await shown("control", nothing, true);
  assert.equal(again, "Begin a new run: this one has become worse");
  assert.ok((await shown("cube", nothing)).includes("New run: solve 99% of all states"));
  // Evaluations on cubes scrambled by 8 turns; 0 stands for random states.
  const short = await shown("cube", (fake) => fake.configure({ puzzle: "3x3x3", evaluate_scramble: 8 }));
  assert.ok(!short.includes("Let it solve a cube of your own"), "a cube of one's own is far harder than its tests");
  const any = await shown("cube", (fake) => fake.configure({ puzzle: "3x3x3", evaluate_scramble: 0 }));
  assert.equal(any[0], "Let it solve a cube of your own");
  const nearly = await shown("cube", (fake) => fake.endUnit({ solved: 99.4 }));
  assert.ok(nearly.includes("New run: solve every state, with a larger network"));
});

test("a suggestion whose button was pressed makes room for the next", () => {
  const all = ["a", "b", "c", "d"].map((text) => ({ text, settings: {} }));
  const chosen = (tried: string[]) => chooseSuggestions([false, ...all], new Set(tried)).map(({ text }) => text);
  assert.deepEqual(chosen([]), ["a", "b", "c"]);
  assert.deepEqual(chosen(["b"]), ["a", "c", "d"]);
  assert.deepEqual(chosen(["a", "b"]), ["c", "d", "a"]);
});
