// The link to a run's story: what it carries, when it can be copied, and what is said of the story where the replay of
// such a link came to another run.

import { textOf } from "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../www/core/events";
import { readLink } from "../../www/core/link";
import { DATA_TOO_LONG, packData } from "../../www/core/packed";
import type { RecipeChange } from "../../www/core/recipe";
import type { RunEvents } from "../../www/core/run-events";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";
import { Runs, type RunsContext } from "../../www/runs";
import { StoryLink, type LinkedRun } from "../../www/ui/run-story/story-link";

const ORIGIN = "https://example.org/page/";
Object.assign(globalThis, { location: new URL(ORIGIN) });
let copied = "";
Object.defineProperty(globalThis, "navigator", {
  value: { clipboard: { writeText: (text: string) => Promise.resolve(void (copied = text)) } },
});

const FINGERPRINT = "0123456789abcdef".repeat(4);

/** A run of an own world at unit 30, with these data. `save` stands for its worker's answer. */
function runWith(data: RecipeChange["data"], save: () => Promise<object>): LinkedRun {
  const changes = data === null ? [] : [{ unit: 0, settings: {}, seed: null, data }];
  const origin = () => ({ settings: { world: "own" }, seed: 7, changes });
  return { lab: LAB, device: "cpu", bundle: { bits: "fused" }, origin, save } as unknown as LinkedRun;
}
const saved = () => Promise.resolve({ units: 30, fingerprint: FINGERPRINT });

const WORLD = { type: "world", name: "Dot", text: 'world "Dot"', parameters: {} };

test("story link carries data, fingerprint and class of bits, and cannot be copied before it is there", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] }); // the button says “Copied” for a while
  const link = new StoryLink(runWith(WORLD, saved));
  assert.ok(link.button.disabled);
  await link.settled;
  assert.ok(!link.button.disabled);
  assert.equal(textOf(link.problem), "");
  link.button.dispatchEvent(new Event("click"));
  assert.ok(copied.startsWith(`${ORIGIN}#/control?seed=7&world=own&units=30&bits=fused:0123456789abcdef&data=0:`));
  const { request, problems } = await readLink(new URL(copied).hash, LABS);
  assert.deepEqual(problems, []);
  assert.ok(request?.story);
  assert.deepEqual(
    [request.units, request.bits, request.changes[0]?.data],
    [30, "fused:0123456789abcdef", { name: "Dot", parameters: {}, text: WORLD.text, type: "world" }],
  );
});

test("story of a run whose data do not fit has no link, and says so as “Share and save” does", async () => {
  const text = Array.from({ length: 9_000 }, (_, i) => String.fromCharCode(33 + (((i * i * 7919) % 9973) % 90))).join(
    "",
  );
  const long = { ...WORLD, text };
  assert.equal(await packData([{ unit: 0, settings: {}, seed: null, data: long }]), null);
  // Of long data a run knows only that there are some.
  for (const data of [long, {}]) {
    const link = new StoryLink(runWith(data, saved));
    await link.settled;
    assert.ok(link.button.disabled);
    assert.equal(textOf(link.problem), DATA_TOO_LONG);
    assert.match(DATA_TOO_LONG, /^This run learns from data of your own that are too long for a link\.$/);
  }
});

test("story link that cannot be made says why", async () => {
  const link = new StoryLink(runWith(null, () => Promise.reject(new Error("the run was closed"))));
  await link.settled;
  assert.ok(link.button.disabled);
  assert.equal(textOf(link.problem), "The link to this story could not be made: the run was closed.");
});

/** A run whose replay makes its units at once and finds this fingerprint. */
class ReplayedRun extends Emitter<RunEvents> {
  open = true;
  progress = { units: 0, running: false } as RunEvents["progress"];
  bundle: { bits: string };

  constructor(
    bits: string,
    readonly found: string,
  ) {
    super();
    this.bundle = { bits };
  }

  start = () => Promise.resolve();
  play = () => {};
  setReplaying = () => {};
  save = () => Promise.resolve({ fingerprint: this.found });
  finishUnit = () => {
    this.progress.units++;
    this.emit("progress", this.progress);
  };
}

/** What the page says before the story of a link whose replay finds `found`; null if it tells none. */
async function remarkOf(link: string, found: string, bits: string): Promise<string | null> {
  const { request, problems } = await readLink(link, LABS);
  assert.ok(request);
  assert.deepEqual(problems, []);
  const run = new ReplayedRun(bits, found);
  let told: string | null = null;
  const screen = { showReplay: () => {}, tellStory: (remark: string) => (told = remark) };
  const page = {
    run,
    autosave: { save: () => Promise.resolve() },
    kept: { keepOpenRun: () => Promise.resolve() },
    workers: { isReadyFor: () => true },
    labScreen: screen,
    loadMoments: () => Promise.resolve(),
    showLink: () => {},
    showLab: () => Promise.resolve(),
  };
  const runs = new Runs(page as unknown as RunsContext);
  await runs.start(request);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(runs.replay, null, "the replay has not ended");
  return told;
}

test("story of a link is told where the browser rounds otherwise too, and says that it may be another run's", async () => {
  const link = (bits: string) => `#/control?seed=7&units=3${bits}&story=1`;
  assert.equal(await remarkOf(link("&bits=fused:0123456789abcdef"), FINGERPRINT, "fused"), "");
  assert.equal(await remarkOf(link(""), "f".repeat(64), "plain"), "");
  const rounding = "Replayed with other rounding, so this may be the story of another run.";
  for (const [there, here] of [
    ["fused", "plain"],
    ["gpu", "fused"],
    ["gpu", "gpu"],
  ] as const)
    assert.equal(await remarkOf(link(`&bits=${there}:0123456789abcdef`), "f".repeat(64), here), rounding);
  assert.equal(
    await remarkOf(link("&bits=fused:0123456789abcdef"), "f".repeat(64), "fused"),
    "The replay came to another result than the link records, so this may be the story of another run.",
  );
  assert.equal(await remarkOf("#/control?seed=7&units=3", "f".repeat(64), "fused"), null);
});
