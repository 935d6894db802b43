// Unit tests of the library of runs: saving, listing, names, the budget, a full disk, damaged files, and the slots of
// earlier versions. The disk is one in memory.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { curveOfCheckpoint, metadataOfCheckpoint } from "../../www/core/checkpoint-metadata";
import type { Folder } from "../../www/core/folder";
import { Library } from "../../www/core/library";
import { inOrder, megabytes, overBudget, totalText, type KeptRun } from "../../www/core/library-budget";
import { Overlays } from "../../www/core/overlays";
import {
  cleanName,
  MAX_CURVE_POINTS,
  readMetadata,
  scoreOf,
  thinnedCurve,
  type RunMetadata,
} from "../../www/core/run-metadata";
import { generatedName, nameOf } from "../../www/core/run-names";
import { newNote, readNote } from "../../www/core/store";
import { LABS } from "../../www/generated/labs";
import { Disk, type FakeFolder } from "./fake-folder";

/** What a test reads of an entry of tests/golden/runs/runs.json. */
interface Golden {
  name: string;
  lab: string;
}

/** The checkpoint of a golden run. */
const golden = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../golden/runs/${name}.safetensors`, import.meta.url)));
/** A run of the control lab with seed 7 after three units, and another one after two. */
const three = golden("control-ppo");
const two = golden("control-pendulum");

const goal = { metric: "examReturn", target: 490, words: "", exact: false };

function library(disk = new Disk()): { disk: Disk; library: Library; folder: FakeFolder } {
  const folder = disk.root;
  const open = () => Promise.resolve(folder as unknown as Folder);
  const free = () => Promise.resolve(disk.quota - disk.used);
  return { disk, library: new Library("control", "examReturn", open, free), folder };
}

/** The folder of a run. */
async function runFolder(folder: FakeFolder, id: string): Promise<FakeFolder> {
  return (await folder.getDirectoryHandle("runs")).getDirectoryHandle(id);
}

const note = (id: string) => ({ ...newNote(), id });

const lab = async (id: string) => {
  const info = await LABS.find((each) => each.id === id)?.load();
  assert.ok(info);
  return info;
};

/** A run with this metadata, for the parts that need no disk. */
function kept(id: string, savedAt: number, metadata: Partial<RunMetadata> = {}, bytes = 1e6): KeptRun {
  const known = readMetadata(JSON.stringify({ settings: {}, seed: 1, units: 5, savedAt, ...metadata }), id);
  assert.ok(known);
  return { id, metadata: known, bytes };
}

test("run is saved with the metadata of its checkpoint, and loaded with its note", async () => {
  const { library: runs } = library();
  await runs.save(three, { ...note("a1"), seconds: 12 }, goal, { latest: true });
  const [run] = await runs.list();
  assert.ok(run);
  assert.deepEqual([run.id, run.metadata.seed, run.metadata.units, run.metadata.work], ["a1", 7, 3, 1890]);
  assert.deepEqual(run.metadata.goal, { metric: "examReturn", target: 490 });
  assert.deepEqual(run.metadata.curve.units, [1, 2, 3]);
  assert.ok(Number.isFinite(scoreOf(run.metadata)));
  assert.ok(run.bytes > three.length && run.bytes < three.length + 5000);
  const saved = await runs.loadLatest();
  assert.deepEqual(saved?.bytes, three);
  assert.deepEqual([saved?.note?.id, saved?.note?.seconds], ["a1", 12]);
  assert.equal(await runs.load("b2"), null);
});

test("name, pin and fingerprint survive the next save; a fingerprint only of the same state", async () => {
  const { library: runs } = library();
  await runs.save(three, note("a1"), null);
  await runs.update("a1", { name: "My run", pinned: true, fingerprint: "f".repeat(64) });
  await runs.save(three, note("a1"), goal);
  let metadata = (await runs.find("a1"))?.metadata;
  assert.deepEqual([metadata?.name, metadata?.pinned], ["My run", true]);
  await runs.update("a1", { fingerprint: "f".repeat(64) });
  const savedAt = (await runs.find("a1"))?.metadata.savedAt;
  await runs.save(three, note("a1"), goal);
  metadata = (await runs.find("a1"))?.metadata;
  assert.deepEqual([metadata?.fingerprint, metadata?.savedAt], ["f".repeat(64), savedAt], "nothing has changed");
  await runs.save(two, note("a1"), goal);
  metadata = (await runs.find("a1"))?.metadata;
  assert.deepEqual([metadata?.units, metadata?.fingerprint, metadata?.name], [2, null, "My run"]);
});

test("run is deleted with everything in its folder", async () => {
  const { library: runs, folder } = library();
  await runs.save(three, note("a1"), null);
  const moments = await (await runFolder(folder, "a1")).getDirectoryHandle("moments", { create: true });
  moments.put("1.safetensors", new Uint8Array(500));
  assert.ok(((await runs.find("a1"))?.bytes ?? 0) > three.length + 500, "the moments count");
  await runs.delete("a1");
  assert.deepEqual(await runs.list(), []);
  await runs.delete("a1");
});

test("run that is too short goes when it is replaced, unless it was named, and does not come back", async () => {
  const { library: runs } = library();
  await runs.save(two, note("short"), null);
  await runs.save(two, note("named"), null);
  await runs.update("named", { name: "Mine" });
  await runs.save(three, note("long"), null);
  for (const id of ["short", "named", "long"]) await runs.discardIfShort(id);
  await runs.save(two, note("short"), null); // a save that was still under way
  assert.deepEqual((await runs.list()).map(({ id }) => id).sort(), ["long", "named"]);
});

test("full disk frees the oldest runs that are neither pinned nor in use, and then says so", async () => {
  const { library: runs, disk } = library();
  for (const id of ["pinned", "old", "newer", "open"]) {
    await runs.save(three, note(id), null);
    await new Promise((resolve) => setTimeout(resolve, 3)); // so that they differ in age
  }
  await runs.update("pinned", { pinned: true });
  runs.inUse.add("open");
  const removed: string[] = [];
  runs.on("removed", ({ runs: gone, full }) => full && removed.push(...gone.map(({ id }) => id)));
  disk.quota = disk.used + 2000;
  await runs.save(three, note("next"), null);
  assert.deepEqual(removed, ["old"]);
  assert.deepEqual((await runs.list()).map(({ id }) => id).sort(), ["newer", "next", "open", "pinned"]);
  // Only what may not go is left: the last save of the open run survives, and nothing half-written stays.
  await runs.delete("newer");
  await runs.delete("next");
  disk.quota = disk.used;
  await assert.rejects(runs.save(two, note("open"), null), { name: "QuotaExceededError" });
  await assert.rejects(runs.save(two, note("more"), null), { name: "QuotaExceededError" });
  assert.deepEqual((await runs.load("open"))?.bytes, three);
  assert.deepEqual((await runs.list()).map(({ id }) => id).sort(), ["open", "pinned"]);
  assert.equal(disk.used, disk.quota);
});

test("full disk removes nothing if that would not make enough room", async () => {
  const { library: runs, disk } = library();
  await runs.save(two, note("a1"), null);
  disk.quota = disk.used + 100;
  const large = golden("backgammon-alphazero");
  await assert.rejects(runs.save(large, note("b2"), null), { name: "QuotaExceededError" });
  assert.deepEqual(
    (await runs.list()).map(({ id }) => id),
    ["a1"],
  );
});

test("budget removes the oldest runs, never pinned ones, open ones, or the newest", () => {
  const runs = [kept("a", 1), kept("b", 2, { pinned: true }), kept("c", 3), kept("d", 4), kept("e", 5)];
  const ids = (budget: { runs: number; bytes: number }, open: string[] = []) =>
    overBudget(runs, new Set(open), budget).map(({ id }) => id);
  assert.deepEqual(ids({ runs: 5, bytes: 5e6 }), []);
  assert.deepEqual(ids({ runs: 3, bytes: 5e6 }), ["a", "c"]);
  assert.deepEqual(ids({ runs: 5, bytes: 4.5e6 }, ["a"]), ["c"]);
  assert.deepEqual(ids({ runs: 0, bytes: 0 }), ["a", "c", "d"], "the newest stays");
});

test("runs are listed with pinned ones first, then by age, and their sizes are added", () => {
  const runs = [kept("a", 1, { pinned: true }), kept("b", 2), kept("c", 3), kept("d", 0, { pinned: true })];
  assert.deepEqual(
    inOrder(runs).map(({ id }) => id),
    ["a", "d", "c", "b"],
  );
  assert.equal(totalText(runs), "4 runs, 4.0 MB of at most 500 MB");
  assert.equal(totalText(runs.slice(0, 1)), "1 run, 1.0 MB of at most 500 MB");
  assert.deepEqual([12, 4321, 123e6].map(megabytes), ["1 kB", "5 kB", "123 MB"]);
});

test("hostile or missing run.json costs no run", async () => {
  const hostile = [
    "",
    "null",
    "[]",
    "{",
    '{"settings": 3}',
    '{"settings": {}, "seed": "x", "units": -1, "savedAt": 1e999}',
    '{"settings":{},"seed":1,"units":1,"savedAt":1,"curve":{"metric":3,"units":"x"},"note":{"seconds":{}},"name":["x"]}',
    JSON.stringify({
      settings: { world: { a: 1 }, gamma: "\u202e" },
      seed: 1,
      units: 3,
      savedAt: 2,
      name: " \u0000 \n",
    }),
  ];
  for (const text of hostile) {
    const { library: runs, folder } = library();
    await runs.save(three, note("a1"), null);
    (await runFolder(folder, "a1")).put("run.json", text);
    const [run] = await runs.list();
    assert.ok(run, text);
    assert.equal(run.metadata.note.id, "a1");
    assert.equal(run.metadata.name, null);
    assert.ok(Array.isArray(run.metadata.curve.values));
    const control = await lab("control");
    assert.match(generatedName(control, run.metadata), /^CartPole.*, seed \d$/);
    assert.deepEqual((await runs.load("a1"))?.bytes, three);
    assert.equal((await runs.load("a1"))?.note?.id, "a1");
  }
});

test("folder without a checkpoint, with a damaged one or with a strange name is no run", async () => {
  const { library: runs, folder } = library();
  await runs.save(three, note("good"), null);
  const all = await folder.getDirectoryHandle("runs");
  await all.getDirectoryHandle("empty", { create: true });
  (await all.getDirectoryHandle("damaged", { create: true })).put("run.safetensors", new Uint8Array(50).fill(255));
  (await all.getDirectoryHandle("unfinished", { create: true })).put("run.safetensors", new Uint8Array());
  (await all.getDirectoryHandle("a name.with-more", { create: true })).put("run.safetensors", three);
  all.put("file", "x");
  assert.deepEqual(
    (await runs.list()).map(({ id }) => id),
    ["good"],
  );
  folder.put("latest.id", "../../x");
  assert.equal(await runs.loadLatest(), null);
});

test("slots of earlier versions become runs, once", async () => {
  const { library: runs, folder } = library();
  folder.put("latest.safetensors", three);
  folder.put("latest.json", JSON.stringify({ id: "abc", parent: null, seconds: 9, solvedSeconds: null }));
  folder.put("previous.safetensors", two);
  folder.put("previous.json", JSON.stringify({ seconds: 4 }));
  await runs.adoptOldSlots();
  await runs.adoptOldSlots();
  assert.deepEqual((await runs.list()).map(({ id }) => id).sort(), ["abc", "earlier-previous"]);
  assert.deepEqual([await runs.latest(), (await runs.loadLatest())?.note?.seconds], ["abc", 9]);
  assert.deepEqual((await runs.load("earlier-previous"))?.bytes, two);
  assert.deepEqual([...folder.entriesByName.keys()].sort(), ["latest.id", "runs"]);
  // If the tab was closed before the slot was removed, it becomes the same run again.
  folder.put("previous.safetensors", two);
  await runs.adoptOldSlots();
  assert.equal((await runs.list()).length, 2);
});

test("imported file is a run of its own, and what is none is refused", async () => {
  const { library: runs } = library();
  const first = await runs.import(three, " Ada's\n run ");
  const second = await runs.import(three, null);
  assert.notEqual(first?.id, second?.id);
  assert.deepEqual([first?.metadata.name, second?.metadata.name], ["Ada's run", null]);
  assert.equal(await runs.import(new Uint8Array(100), "x"), null);
  assert.equal((await runs.list()).length, 2);
});

test("run of an opened file gets the file's name with its first save, and keeps a later one", async () => {
  const { library: runs } = library();
  runs.nameOnSave("a", " Ada's\n run ");
  await runs.save(three, note("a"), goal);
  assert.equal((await runs.find("a"))?.metadata.name, "Ada's run");
  await runs.update("a", { name: null });
  await runs.save(two, note("a"), goal);
  assert.equal((await runs.find("a"))?.metadata.name, null, "the visitor has taken the name away");
});

test("metadata is read from the checkpoints of every lab", async () => {
  const runs = JSON.parse(readFileSync(new URL("../golden/runs/runs.json", import.meta.url), "utf8")) as Golden[];
  assert.deepEqual([...new Set(runs.map((run) => run.lab))].toSorted(), LABS.map(({ id }) => id).toSorted());
  for (const { lab: id, name } of runs) {
    const { about } = await lab(id);
    const known = { goal: null, headline: about.charts[0] as string, note: null, savedAt: 1 };
    const metadata = await metadataOfCheckpoint(new Blob([golden(name)]), known);
    assert.ok(metadata, name);
    assert.ok(metadata.units > 0 && metadata.work > 0 && metadata.curve.metric === about.charts[0], name);
    assert.deepEqual(metadata, { ...(await metadataOfCheckpoint(golden(name), known)), note: metadata.note }, name);
  }
});

test("curve of any metric is read from a checkpoint, and none from what is not one", async () => {
  const { curve } = (await metadataOfCheckpoint(three, { goal, headline: "", note: null, savedAt: 1 })) ?? {};
  assert.ok(curve && curve.units.length > 0);
  assert.deepEqual(await curveOfCheckpoint(three, "examReturn"), curve);
  const other = await curveOfCheckpoint(new Blob([three]), "kl");
  assert.deepEqual([other.metric, other.units], ["kl", [1, 2, 3]]);
  for (const [file, metric] of [
    [three, "nothing"],
    [new Uint8Array(100), "kl"],
    [new Uint8Array(3), "kl"],
  ] as const) {
    assert.deepEqual(await curveOfCheckpoint(file, metric), { metric, units: [], values: [] });
  }
});

test("generated name tells what differs", async () => {
  const control = await lab("control");
  const name = (settings: object, seed = 7) => generatedName(control, { settings: { ...settings }, seed });
  assert.equal(name({}), "CartPole, seed 7");
  assert.equal(name({ learning_rate: 0.05 }), "CartPole, learning rate 0.05, seed 7");
  assert.equal(name({ normalise_observations: true }, 0), "CartPole, normalise observations on, seed 0");
  assert.equal(
    name({ world: "pendulum", worlds: 16, horizon: 200, minibatches: 16, gamma: 0.95, reward_scale: 0.1 }),
    "Pendulum, seed 7",
  );
  assert.match(name({ world: "acrobot" }), /^Acrobot, .*, seed 7$/);
  assert.match(
    name({ worlds: 3, epochs: 9, clip: 0.9, gamma: 0.5, entropy_weight: 1 }),
    /^CartPole, .* 0.5, 2 more settings, seed 7$/,
  );
  assert.equal(nameOf(control, { name: "Mine", settings: {}, seed: 7 }), "Mine");
});

test("names are on one line and short", () => {
  assert.equal(cleanName("  a\n\tb\u202ec "), "a b c");
  assert.equal(cleanName(" \u0000 "), null);
  assert.equal([...(cleanName("😀".repeat(500)) ?? "")].length, 80);
});

test("curve is thinned evenly, without gaps, and keeps its ends", () => {
  const units = Array.from({ length: 5000 }, (_, i) => i + 1);
  const values = units.map((unit) => (unit % 5 === 0 ? unit : NaN));
  const curve = thinnedCurve("score", units, values);
  assert.equal(curve.units.length, MAX_CURVE_POINTS);
  assert.deepEqual([curve.units[0], curve.units.at(-1), curve.values.at(-1)], [5, 5000, 5000]);
  assert.ok(curve.units.every((unit, i) => i === 0 || unit > (curve.units[i - 1] as number)));
  assert.deepEqual(thinnedCurve("score", [1], [NaN]).units, []);
});

test("note is read with what is sound in it", () => {
  assert.equal(readNote(null), null);
  assert.equal(readNote({ seconds: "1" }), null);
  const read = readNote({ id: "../x", seconds: 2, solvedWork: "y", parent: { id: "p1", units: 40 } });
  assert.match(read?.id ?? "", /^[0-9a-z]+$/);
  assert.deepEqual([read?.solvedWork, read?.parent, read?.passedGoal], [null, { id: "p1", units: 40 }, false]);
  assert.equal(readNote({ seconds: 2, passedGoal: true })?.passedGoal, true);
});

test("overlays have different styles, and there are not too many", () => {
  const overlays = new Overlays();
  const curve = { metric: "score", units: [1], values: [1] };
  assert.deepEqual(
    ["a", "b", "c", "d"].map((id) => overlays.add(id, id, curve)),
    [true, true, true, false],
  );
  overlays.remove("b");
  assert.ok(overlays.add("e", "e", curve));
  assert.deepEqual(
    overlays.list.map(({ id, style }) => [id, style]),
    [
      ["a", 0],
      ["c", 2],
      ["e", 1],
    ],
  );
});
