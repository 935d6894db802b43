// The parts of `npm start`: the order in which bundles are built, cargo's progress, and the end of child processes.
// Also that the commands of a fresh clone import only Node's own modules before they have installed the packages. The name of a
// bundle is BUILD/PROGRAM, such as threads/cube; the build `simple` is for browsers without threads.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { CargoOutput } from "../../scripts/cargo-output.mjs";
import { root } from "../../scripts/commands.mjs";
import { BundleQueue, bundleNames, labNames, titleOf } from "../../scripts/dev-bundles.mjs";

const windows = process.platform === "win32";
const LABS = ["control", "cube", "logic"];

/** A queue whose builds end when the test says so. */
function queueByHand() {
  const started = [];
  let end;
  const queue = new BundleQueue(LABS, (name, onProgress) => {
    started.push(name);
    return new Promise((resolve, reject) => (end = { resolve, reject, onProgress }));
  });
  /** Ends the present build, and lets the queue go on. */
  const finish = async ({ fails = false } = {}) => {
    if (fails) end.reject(new Error("a build that fails"));
    else end.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, started, finish, progress: (fraction) => end.onProgress(fraction) };
}

/** Asks for a bundle and collects its states. */
function listen(queue, name) {
  const news = [];
  const stop = queue.ask(name, (each) => news.push(each));
  return { news, stop, states: () => news.map(({ state }) => state) };
}

test("labs are listed in the order of the front page", () => {
  const labs = labNames(root);
  assert.equal(labs[0], "control", "the lab that the button of the front page leads to");
  assert.ok(labs.length >= 5, "they were found");
});

test("programs that are no labs can be asked for, and have titles", () => {
  const queue = new BundleQueue(bundleNames(root), () => Promise.resolve());
  for (const name of ["threads/control-own-worlds", "threads/fleet", "simple/world"]) {
    assert.ok(queue.has(name), name);
    assert.doesNotMatch(titleOf(name), /“(control-own-worlds|fleet|world)”/);
  }
});

test("bundles are built one after the other, each once", async () => {
  const { queue, started, finish } = queueByHand();
  queue.add(["threads/control", "threads/cube"]);
  queue.add(["threads/cube"]);
  assert.deepEqual(started, ["threads/control"]);
  await finish();
  await finish();
  assert.deepEqual(started, ["threads/control", "threads/cube"]);
  queue.ask("threads/control", () => {});
  assert.equal(started.length, 2, "a bundle that is ready is not built again");
});

test("bundle that was asked for last is built next, also one of another build", async () => {
  const { queue, started, finish } = queueByHand();
  queue.add(["threads/control", "threads/cube", "threads/logic"]);
  const logic = listen(queue, "threads/logic");
  const simple = listen(queue, "simple/control");
  assert.match(logic.news.at(-1).text, /“logic” is built on your machine after “control”/);
  await finish();
  await finish();
  assert.match(logic.news.at(-1).text, /“logic” is being built on your machine. It opens by itself/);
  await finish();
  await finish();
  assert.deepEqual(started, ["threads/control", "simple/control", "threads/logic", "threads/cube"]);
  assert.deepEqual(simple.states(), ["waiting", "building", "ready"]);
});

test("page hears how far its bundle is, until it stops listening", async () => {
  const { queue, finish, progress } = queueByHand();
  const { news, stop, states } = listen(queue, "threads/cube");
  progress(0.5);
  assert.deepEqual(
    news.slice(-2).map(({ state, fraction }) => [state, fraction]),
    [
      ["building", 0],
      ["building", 0.5],
    ],
  );
  stop();
  const before = states().length;
  await finish();
  assert.equal(states().length, before);
});

test("build that fails is reported, stops no other, and is tried again when a page asks again", async () => {
  const { queue, started, finish } = queueByHand();
  queue.add(["threads/control", "threads/cube", "threads/logic"]);
  const { news, states } = listen(queue, "threads/cube");
  await finish();
  await finish({ fails: true });
  assert.equal(states().at(-1), "failed");
  assert.match(news.at(-1).text, /“cube” could not be built; the terminal shows the error/);
  assert.equal(started.at(-1), "threads/logic");
  const again = listen(queue, "threads/cube");
  await finish();
  await finish();
  assert.equal(again.states().at(-1), "ready");
});

test("only bundles that exist can be asked for", () => {
  const { queue } = queueByHand();
  assert.ok(queue.has("simple/cube"));
  for (const name of ["threads/chess", "other/cube", "threads", "", "threads/cube/..", "../cube"])
    assert.equal(queue.has(name), false, name);
});

test("cargo's progress is read from pieces of its output, and kept out of the text", () => {
  const fractions = [];
  const output = new CargoOutput(undefined, (fraction) => fractions.push(fraction));
  for (const piece of [
    "   Compiling serde v1\n    Buil",
    "ding [==>   ] 12/4",
    "8: serde, syn\r\u001b[K",
    "error: no\n",
  ])
    output.add(piece);
  assert.deepEqual(fractions, [0.25]);
  assert.equal(output.text, "   Compiling serde v1\n\u001b[Kerror: no\n");
});

test("commands of a fresh clone import no package before they have installed them", () => {
  const seen = new Set();
  const packages = [];
  const follow = (file) => {
    if (seen.has(file.href)) return;
    seen.add(file.href);
    for (const [, name] of readFileSync(file, "utf8").matchAll(/^(?:import|export) (?:[^;"]*? from )?"([^"]+)";/gm))
      if (name.startsWith(".")) follow(new URL(name, file));
      else if (!isBuiltin(name)) packages.push(`${name} in ${file.href}`);
  };
  for (const command of ["start", "test", "build"]) follow(new URL(`../../scripts/${command}.mjs`, import.meta.url));
  assert.deepEqual(packages, []);
  assert.ok(seen.size > 15, `only ${seen.size} scripts`);
});

test("interrupt ends the child processes and what they started", { skip: windows, timeout: 60_000 }, async () => {
  const module = new URL("../../scripts/process-group.mjs", import.meta.url).href;
  // The shell starts another process, as cargo starts compilers, and writes its id.
  const program = `
    const { runInGroup, endGroupsWithProgram } = await import(${JSON.stringify(module)});
    endGroupsWithProgram();
    await runInGroup("sh", ["-c", "sleep 1000 & echo $!; wait"], { onText: (text) => process.stdout.write(text) });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = await once(child.stdout, "data");
  /** True until the process has ended. One that has ended may stay listed as a zombie, with a state Z. */
  const sleeps = () =>
    /^[^Z]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(text).trim()], { encoding: "utf8" }).stdout);
  assert.ok(sleeps());
  child.kill("SIGINT");
  const [, signal] = await once(child, "close");
  assert.equal(signal, "SIGINT");
  while (sleeps()) await setTimeout(20); // otherwise the test would never end
});
