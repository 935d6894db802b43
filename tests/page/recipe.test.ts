// Recipes: the cases of links that the Rust tests read too, the way back from a run to its start, recipe files, and
// replays.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Emitter } from "../../www/core/events";
import { readLink, sameRun, writeLink, type RunRequest } from "../../www/core/link";
import { changesInLink, hasData, startOf, type RecipeChange } from "../../www/core/recipe";
import { readRecipe } from "../../www/core/recipe-file";
import { Replay, type ReplayEnd, type ReplayPlan } from "../../www/core/replay";
import type { Run } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { LABS } from "../../www/generated/labs";
import type { Change } from "../../www/generated/protocol";
import { endText } from "../../www/ui/replay-line";

/** A recipe file as the cases have it, without its version. */
interface Stored {
  lab: string;
  seed: number;
  settings: RunRequest["settings"];
  changes?: { unit: number; settings: RunRequest["settings"]; seed?: number }[];
  units?: number;
  device?: string;
  bits?: string;
}

const CASES = JSON.parse(readFileSync(new URL("../golden/recipes.json", import.meta.url), "utf8")) as {
  good: { what: string; link: string; written?: string; recipe: Stored }[];
  bad: { what: string; link: string; names: string }[];
};

/** What a recipe asks for, without the lab's texts. A challenge is no part of a recipe. */
function summary({ lab, seed, settings, changes, units, device, bits }: RunRequest) {
  return { lab: lab.about.id, seed, settings, changes, units, device, bits };
}

for (const { what, link, written, recipe } of CASES.good) {
  test(`link of a recipe is read, and written again: ${what}`, async () => {
    const { request, problems } = await readLink(link, LABS);
    assert.deepEqual(problems, []);
    assert.ok(request);
    const { lab, seed, settings, changes = [], units = null, device = null, bits = null } = recipe;
    const expected = changes.map((change) => ({ seed: null, data: null, ...change }));
    assert.deepEqual(summary(request), { lab, seed, settings, changes: expected, units, device, bits });
    const end = { changes: request.changes, bits: request.bits };
    const again = writeLink(request.lab, request.settings, seed, units, request.device ?? "cpu", end);
    assert.equal(again, written ?? link);
    const file = await readRecipe(JSON.stringify({ recipe: 1, ...recipe }), LABS);
    assert.deepEqual(summary(file), summary(request), "the file asks for another run");
  });
}

for (const { what, link, names } of CASES.bad) {
  test(`bad link is reported: ${what}`, async () => {
    const { problems } = await readLink(link, LABS);
    assert.ok(problems.length > 0, "no problem was found");
    assert.ok(problems.join(". ").toLowerCase().includes(names.toLowerCase()), problems.join(". "));
  });
}

test("changes lead back to the settings and the seed at the start", () => {
  const changes: Change[] = [
    { unit: 3, before: { clip: 0.2 }, after: { clip: 0.1 } },
    { unit: 5, before: { clip: 0.1 }, after: { clip: 0.3 }, seed: { before: 7, after: 9 } },
    { unit: 6, before: {}, after: {}, data: { sha256: "0" } },
  ];
  const start = startOf({ worlds: 8, clip: 0.3 }, 9, changes);
  assert.deepEqual([start.settings, start.seed], [{ worlds: 8, clip: 0.2 }, 7]);
  assert.deepEqual(
    start.changes.map(({ unit, settings, seed }) => [unit, settings, seed]),
    [
      [3, { clip: 0.1 }, null],
      [5, { clip: 0.3 }, 9],
      [6, {}, null],
    ],
  );
  assert.ok(hasData(start.changes));
  assert.deepEqual(
    changesInLink(start.changes).map(({ unit }) => unit),
    [3, 5],
  );
});

test("run with a change is not the run that began with it", async () => {
  const { request } = await readLink("#/control?seed=7&change=8:clip=0.1", LABS);
  const { request: other } = await readLink("#/control?seed=7&clip=0.1", LABS);
  assert.ok(request && other);
  assert.ok(!sameRun(request.lab, request, other));
  assert.ok(sameRun(request.lab, request, { ...request }));
});

const LANGUAGE = { recipe: 1, lab: "language", seed: 1, settings: { source: "text" } };

test("recipe file holds data of the visitor's own", async () => {
  const data = { type: "text", name: "a.txt", text: "a text" };
  const { changes } = await readRecipe(JSON.stringify({ ...LANGUAGE, changes: [{ unit: 0, data }] }), LABS);
  assert.deepEqual(changes, [{ unit: 0, settings: {}, seed: null, data }]);
});

const BAD_FILES: [string, unknown][] = [
  ["JSON", "{"],
  ["table", "[1]"],
  ["not a recipe", "{}"],
  ["newer version", { ...LANGUAGE, recipe: 2 }],
  ["no such lab", { ...LANGUAGE, lab: "chess" }],
  ["unknown part", { ...LANGUAGE, seeds: [1] }],
  ["no setting called", { ...LANGUAGE, settings: { wurlds: 1 } }],
  ["no setting called", { ...LANGUAGE, settings: { units: 1 } }],
  ["is not allowed", { ...LANGUAGE, settings: { width: -1 } }],
  ["is not allowed for seed", { ...LANGUAGE, seed: "x" }],
  ["no list", { ...LANGUAGE, changes: {} }],
  ["no unit", { ...LANGUAGE, changes: [{ unit: -1, seed: 3 }] }],
  ["nothing changes", { ...LANGUAGE, changes: [{ unit: 1 }] }],
  ["no command", { ...LANGUAGE, changes: [{ unit: 1, data: {} }] }],
  ["cannot change during a run", { ...LANGUAGE, changes: [{ unit: 1, settings: { width: 8 } }] }],
  ["does not come after", { ...LANGUAGE, changes: [2, 1].map((unit) => ({ unit, seed: 3 })) }],
];
for (const [reason, content] of BAD_FILES) {
  test(`recipe file is refused: ${JSON.stringify(content).slice(0, 80)}`, async () => {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await assert.rejects(
      readRecipe(text, LABS),
      ({ message }: Error) => message.includes(reason) && !/\n/.test(message),
    );
  });
}

/** A run that answers at once, as far as a replay needs it. */
class FakeRun extends Emitter<RunEvents> {
  open = true;
  progress = { units: 0, running: false } as Run["progress"];
  requests: string[] = [];
  fingerprint = "0123456789abcdef".repeat(4);
  /** False while requests get no answer. */
  answers = true;

  finishUnit(): void {
    this.requests.push(`unit ${this.progress.units}`);
    if (!this.answers) return;
    this.progress = { ...this.progress, units: this.progress.units + 1 };
    queueMicrotask(() => this.emit("progress", this.progress));
  }

  configure(settings: RunRequest["settings"]): void {
    this.requests.push(JSON.stringify(settings));
    queueMicrotask(() => this.emit("configured", settings));
  }

  reseed(seed: number): void {
    this.requests.push(`seed ${seed}`);
    queueMicrotask(() => this.emit("configured", {}));
  }

  isReplaying = false;

  setReplaying(isReplaying: boolean): void {
    this.isReplaying = isReplaying;
  }

  save(): Promise<RunEvents["saved"]> {
    const { fingerprint } = this;
    return Promise.resolve({ type: "saved", units: this.progress.units, fingerprint, bytes: new Uint8Array() });
  }

  tell<K extends keyof RunEvents>(event: K, payload: RunEvents[K]): void {
    this.emit(event, payload);
  }
}

/** Repeats a plan, and returns what it asked for and how it ended. */
async function repeat(plan: Partial<ReplayPlan>, during: (run: FakeRun, replay: Replay) => void = () => {}) {
  const run = new FakeRun();
  const replay = new Replay(run as unknown as Run, { changes: [], units: null, bits: null, ...plan });
  const ended = new Promise<ReplayEnd>((resolve) => replay.on("ended", resolve));
  during(run, replay);
  replay.start();
  const end = await ended;
  return { end, requests: run.requests, text: endText(end, "iteration", replay, "fused") };
}

const CHANGES: RecipeChange[] = [
  { unit: 1, settings: { clip: 0.1 }, seed: 9, data: null },
  { unit: 2, settings: { clip: 0.2 }, seed: null, data: null },
];

test("replay makes each change at its unit and compares the fingerprint", async () => {
  const plan = { changes: CHANGES, units: 3, bits: "fused:0123456789abcdef" };
  const { end, requests, text } = await repeat(plan);
  assert.deepEqual(requests, ["unit 0", '{"clip":0.1}', "seed 9", "unit 1", '{"clip":0.2}', "unit 2"]);
  assert.deepEqual([end.kind, text], ["same", "Same result, bit for bit, at iteration 3."]);
  const other = await repeat({ ...plan, bits: "fused:0123456789abcdee" });
  assert.match(other.text, /^Different result at iteration 3: the fingerprint here is 0123456789abcdef/);
  assert.match((await repeat({ ...plan, bits: "plain:0123456789abcdee" })).text, /round differently/);
  assert.match((await repeat({ ...plan, bits: "gpu:0123456789abcdee" })).text, /GPU/);
});

test("replay without a last unit ends after its last change", async () => {
  const { end, requests } = await repeat({ changes: CHANGES });
  assert.deepEqual([end.kind, requests.at(-1)], ["done", '{"clip":0.2}']);
});

test("replay ends when the visitor takes over, and goes on after a move to another device", async () => {
  const plan = { changes: [], units: 3 };
  assert.equal((await repeat(plan, (_, replay) => replay.on("progress", () => replay.stop()))).end.kind, "stopped");
  const left = (act: (run: FakeRun) => void) => repeat(plan, (run, replay) => replay.on("progress", () => act(run)));
  assert.equal((await left((run) => run.tell("configured", {}))).end.kind, "left");
  assert.equal((await left((run) => run.tell("opened", {} as RunEvents["opened"]))).end.kind, "left");
  const running = { ...new FakeRun().progress, running: true };
  const taken = await left((run) => ((run.progress = running), run.tell("progress", running)));
  assert.equal(taken.end.kind, "left");

  const moved = await repeat(plan, (run, replay) => {
    run.answers = false; // the worker that cannot go on
    queueMicrotask(() => {
      replay.hold();
      run.answers = true;
      run.tell("opened", {} as RunEvents["opened"]);
      replay.release();
    });
  });
  assert.deepEqual([moved.end.kind, moved.requests], ["done", ["unit 0", "unit 0", "unit 1", "unit 2"]]);
});
