// Tests of runs that are compared, with workers that only count: who may go on, what ends a run, and what a failure
// does to the others. Real workers are in tests/browser/compare.test.mjs.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { CompareRun, type Limits } from "../../www/core/compare/compare-run";
import { Comparison, firstToTheGoal, type Lane } from "../../www/core/compare/comparison";
import { SeedSweep, bandAsCsv, resultsAsCsv, sweepFileName } from "../../www/core/compare/seed-sweep";
import { changedWords } from "../../www/core/compare/differences";
import type { Contender } from "../../www/core/contenders";
import type { BundleChoice } from "../../www/core/bundle";
import type { Request } from "../../www/generated/protocol";
import { LAB as control } from "../../www/generated/labs/control";
import type { ToWorker } from "../../www/core/worker-messages";

const BUNDLE: BundleChoice = { name: "simple", bits: "plain", threads: 4, reason: "" };
const GOAL = { metric: "examReturn", target: 475, words: "", exact: false };
/** In the order of their creation. */
const workers: CountingWorker[] = [];

/** A run with this number of worlds has long units: of so many steps, each of which takes so many milliseconds. */
const LONG = { worlds: 7, steps: 6, milliseconds: 45 };

/** The seed of a run whose worker says that there is not enough memory. */
const NO_MEMORY = 13;
/** The worker of a run with this seed answers nothing any more after so many units. */
const SILENT = { seed: 99, units: 5 };

/** What the worker refuses, as a command or as a run's own data. */
const REFUSED = "refused";

/** A worker whose units take a few milliseconds. A run with the seed s reaches the goal in unit s, and never for 0. */
class CountingWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: unknown = null;
  requests: string[] = [];
  threads = 0;
  configured: unknown = null;
  terminated = false;
  units = 0;
  #seed = 0;
  #work = 64;
  #steps = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    workers.push(this);
  }

  postMessage(message: ToWorker): void {
    this.requests.push(message.type);
    if (message.type === "load") this.threads = message.threads;
    setTimeout(() => this.#answer(message), 1);
  }

  terminate(): void {
    this.terminated = true;
    clearInterval(this.#timer);
  }

  #answer(message: ToWorker): void {
    if (this.terminated) return;
    const request = message as Request | { type: "load" };
    switch (request.type) {
      case "load":
        return this.#post({ type: "ready" });
      case "start":
      case "resume": {
        const start = request.type === "start" ? request : { settings: {}, seed: 5 };
        this.#seed = start.seed;
        if (this.#seed === NO_MEMORY) return this.#post({ type: "failed", kind: "noMemory", message: "" });
        this.units = request.type === "resume" ? 10 : 0;
        this.#work = (start.settings as { worlds?: number }).worlds ?? 64;
        const defaults = Object.fromEntries(control.fields.map((field) => [field.name, field.default]));
        const run = { lab: "control", config: { ...defaults, ...start.settings }, seed: this.#seed, goal: GOAL };
        return this.#post({ type: "opened", run, metrics: { units: [], values: [] }, progress: this.#progress(false) });
      }
      case "configure":
        this.configured = request.settings;
        return this.#post({ type: "configured", config: {}, goal: GOAL });
      case "command":
        if (request.command !== REFUSED) return;
        return this.#post({ type: "refused", request: "command", id: (message as { id?: number }).id, message: "no" });
      case "step":
        if (this.#seed === SILENT.seed && this.units === SILENT.units) return;
        if (this.#work !== LONG.worlds) return this.#unit(false);
        setTimeout(
          () => {
            if (request.unit || ++this.#steps % LONG.steps === 0) return this.#unit(false);
            this.#post({ type: "progress", progress: this.#progress(false), metrics: { units: [], values: [] } });
          },
          LONG.milliseconds * (request.unit ? LONG.steps : 1),
        );
        return;
      case "run":
        this.#timer = setInterval(() => this.#unit(true), 3);
        return;
      case "pause":
        clearInterval(this.#timer);
        return this.#post({ type: "progress", progress: this.#progress(false), metrics: { units: [], values: [] } });
    }
  }

  #unit(running: boolean): void {
    this.units++;
    const metrics = { units: [this.units], values: control.about.metrics.map(() => [this.units]) };
    this.#post({ type: "progress", progress: this.#progress(running), metrics });
  }

  #progress(running: boolean) {
    const solvedAt = this.#seed > 0 && this.units >= this.#seed ? this.#seed : null;
    const { units } = this;
    const solvedWork = solvedAt === null ? null : solvedAt * this.#work;
    const unitsWork = units * this.#work;
    // Part of the next unit is done.
    const work = unitsWork + 1;
    return { units, work, unitsWork, solvedWork, workPerSecond: 0, unitsPerSecond: 300, running, solvedAt };
  }

  /** Fails as a crash of the worker does. */
  crash(): void {
    this.#post({ type: "failed", kind: "panic", message: "crashed" });
  }

  #post(data: unknown): void {
    if (!this.terminated) this.onmessage?.({ data });
  }
}

Object.assign(globalThis, { Worker: CountingWorker });
afterEach(() => {
  for (const worker of workers.splice(0)) worker.terminate();
});

const limits = (some: Partial<Limits> = {}): Limits => ({ goal: true, units: null, seconds: null, ...some });
const contender = (seed: number, settings = {}): Contender => ({ title: "", settings, seed, load: null });

/** Waits until the condition holds, and calls `check` meanwhile. */
async function until(holds: () => boolean, check: () => void = () => {}): Promise<void> {
  for (const end = Date.now() + 5000; !holds();) {
    assert.ok(Date.now() < end, "not within 5 s");
    check();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function comparison(contenders: Contender[], options: Partial<Comparison["options"]> = {}): Comparison {
  const made = new Comparison(control, BUNDLE);
  made.options = { pacing: "unit", inTurn: false, limits: limits(), ...options };
  made.setContenders(contenders);
  made.start();
  return made;
}

test("runs in step are never more than a unit apart, and share the threads", async () => {
  const made = comparison([contender(0), contender(0), contender(0)], { limits: limits({ units: 30 }) });
  await until(
    () => made.state === "ended",
    () => {
      const units = workers.map((worker) => worker.units);
      assert.ok(Math.max(...units) - Math.min(...units) <= 1, `in step: ${units.join(" ")}`);
    },
  );
  assert.deepEqual(
    workers.map((worker) => [worker.units, worker.threads]),
    [30, 30, 30].map((units) => [units, 1]),
  );
  assert.ok(
    workers.every((worker) => !worker.terminated),
    "their pictures can still be seen",
  );
  made.destroy();
  assert.ok(workers.every((worker) => worker.terminated));
});

test("runs in step by work make as many units as they need for it", async () => {
  const made = comparison([contender(0, { worlds: 64 }), contender(0, { worlds: 16 })], { pacing: "work" });
  await until(() => (workers[1]?.units ?? 0) >= 40);
  const [large, small] = workers.map((worker) => worker.units) as [number, number];
  assert.ok(Math.abs(large * 64 - small * 16) <= 64, `${large} large units, ${small} small ones`);
  made.destroy();
});

test("first to the goal is the run with the fewest units, and ended runs let the others go on", async () => {
  const made = comparison([contender(9), contender(4), contender(0)], { limits: limits({ units: 12 }) });
  await until(() => made.state === "ended");
  const [a, b, c] = made.lanes.map(({ run }) => run);
  assert.deepEqual([a?.ending, b?.ending, c?.ending], ["goal", "goal", "units"]);
  assert.deepEqual(
    firstToTheGoal(made.lanes, "units").map(({ place }) => place),
    [1],
  );
  assert.equal(a?.reached?.units, 9);
  made.destroy();
});

test("first to the goal differs by the measure, and is open as long as another run could be before", () => {
  const lane = (place: number, reached: object | null, now: object, ending: string | null = null) =>
    ({ contender: contender(place), place, run: { reached, ending, ...now } }) as unknown as Lane;
  const at = (units: number, work: number, seconds: number) => ({ position: { units, work }, seconds });
  const places = (lanes: Lane[], axis: "units" | "work" | "seconds", isOver = false) =>
    firstToTheGoal(lanes, axis, isOver).map(({ place }) => place);
  // The one with fewer units takes longer.
  const few = lane(0, { units: 10, work: 1000, seconds: 9 }, at(10, 1000, 9), "goal");
  const fast = lane(1, { units: 40, work: 400, seconds: 3 }, at(40, 400, 3), "goal");
  assert.deepEqual([places([few, fast], "units"), places([few, fast], "work")], [[0], [1]]);
  assert.deepEqual(places([few, fast], "seconds"), [1]);
  // A third one that goes on is behind by units already, but not by time.
  const third = lane(2, null, at(12, 100, 2));
  assert.deepEqual([places([few, fast, third], "units"), places([few, fast, third], "seconds")], [[0], []]);
  assert.deepEqual(places([few, fast, lane(2, null, at(12, 100, 2), "stopped")], "seconds"), [1]);
  const waiting: Lane = { contender: contender(3), place: 3, run: null };
  assert.deepEqual(places([few, waiting], "units"), [], "its turn may come");
  assert.deepEqual(places([few, waiting], "units", true), [0]);
  assert.deepEqual(places([third], "units"), [], "nobody has reached it");
});

test("run that fails says why, and the others train", async () => {
  const made = comparison([contender(NO_MEMORY), contender(4)]);
  await until(() => made.state === "ended");
  const [failed, other] = made.lanes.map(({ run }) => run);
  assert.match(failed?.failure ?? "", /^There is not enough memory for this run beside the others\./);
  assert.equal(other?.ending, "goal");
  made.destroy();
});

test("run whose worker stops answering says so, and the others train", async ({ mock }) => {
  // The watchdog looks at the clock every second. Here two seconds pass each time, on its clock alone.
  let passed = 0;
  const now = performance.now.bind(performance);
  mock.method(performance, "now", () => now() + passed);
  mock.timers.enable({ apis: ["setInterval"] });
  Object.assign(globalThis, { document: { hidden: false } });
  const made = comparison([contender(SILENT.seed), contender(9)]);
  await until(() => workers[0]?.units === SILENT.units && workers[1]?.units === SILENT.units + 1);
  const [silent, other] = made.lanes.map(({ run }) => run);
  await until(
    () => silent?.ending === "failed",
    () => {
      passed += 2000;
      mock.timers.tick(1000);
    },
  );
  assert.equal(silent?.failure, "Its worker stopped answering. Start again.");
  assert.ok(workers[0]?.terminated);
  await until(() => made.state === "ended");
  assert.equal(other?.ending, "goal");
  made.destroy();
});

test("saved run that is beyond the last unit ends at once", async () => {
  const load = () => Promise.resolve(new Uint8Array(8));
  const run = new CompareRun(BUNDLE, 1, { lab: control, settings: {}, seed: 5, load, limits: limits({ units: 8 }) });
  run.on("opened", () => run.allow(Infinity));
  await run.done;
  assert.deepEqual([run.ending, run.position?.units], ["units", 10]);
  run.close();
});

test("runs one after the other have all threads, and one that would never end fails", async () => {
  const made = comparison([contender(3), contender(5)], { inTurn: true });
  await until(
    () => made.state === "ended",
    () => assert.ok(workers.length < 2 || (workers[0]?.units ?? 0) >= 3, "the second waits"),
  );
  assert.deepEqual(
    workers.map(({ threads }) => threads),
    [4, 4],
  );
  made.options = { ...made.options, limits: limits({ goal: false }) };
  made.start();
  await until(() => made.state === "ended");
  assert.match(made.lanes[0]?.run?.failure ?? "", /the next run would never start/);
  made.destroy();
});

test("runs pause and go on; one that is added meanwhile joins, one that is removed ends", async () => {
  const list = [contender(0), contender(0)];
  const made = comparison(list);
  await until(() => (workers[0]?.units ?? 0) > 3);
  made.pause();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const paused = workers.map((worker) => worker.units);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(
    workers.map((worker) => worker.units),
    paused,
  );
  made.resume();
  const third = contender(0);
  made.setContenders([...list, third]);
  await until(() => (workers[2]?.units ?? 0) > (paused[0] ?? 0));
  made.setContenders([list[1] as Contender, third]);
  assert.ok(workers[0]?.terminated);
  assert.deepEqual(
    made.lanes.map(({ place }) => place),
    [1, 2],
    "the others keep their colours",
  );
  made.stop();
  assert.equal(made.state, "ended");
  assert.ok(workers.every((worker) => worker.terminated));
});

test("long units are requested step by step, and end where they shall", async () => {
  const setup = { lab: control, settings: { worlds: LONG.worlds }, seed: 0, load: null, limits: limits({ units: 3 }) };
  const run = new CompareRun(BUNDLE, 1, setup);
  run.on("opened", () => run.allow(Infinity));
  await run.done;
  const steps = workers[0]?.requests.filter((request) => request === "step").length;
  assert.equal(steps, 1 + 2 * LONG.steps, "the first unit at once, the others in steps");
  assert.equal(workers[0]?.requests.includes("run"), false);
  assert.deepEqual([workers[0]?.units, run.series.units, run.points.length], [3, [1, 2, 3], 4]);
  run.close();
});

test("run without a bound trains freely until it gets one", async () => {
  const setup = { lab: control, settings: {}, seed: 0, load: null, limits: limits() };
  const run = new CompareRun(BUNDLE, 1, setup);
  run.on("opened", () => run.allow(Infinity));
  await until(() => (workers[0]?.units ?? 0) > 5);
  assert.ok(workers[0]?.requests.includes("run"));
  const bound = (run.position?.units ?? 0) + 10;
  run.allow(bound);
  await until(() => run.position?.units === bound);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(workers[0]?.units, bound);
  run.close();
});

test("saved run goes on from its unit, with its live settings changed, beyond a goal of before", async () => {
  const load = () => Promise.resolve(new Uint8Array(8));
  const setup = {
    lab: control,
    settings: { learning_rate: 0.5, worlds: 7 },
    seed: 5,
    load,
    limits: limits({ units: 14 }),
  };
  const run = new CompareRun(BUNDLE, 1, setup);
  run.on("opened", () => run.allow(Infinity));
  await run.done;
  assert.deepEqual(workers[0]?.configured, { learning_rate: 0.5 }, "worlds cannot change during a run");
  assert.equal(run.position?.units, 14);
  assert.equal(run.ending, "units");
  assert.deepEqual([run.reached?.units, run.reached?.seconds], [5, NaN]);
  const { x } = run.curve("examReturn", "seconds");
  assert.equal(x.length, 4, "only units that were trained here have a time");
  run.close();
  assert.equal(run.ending, "units", "what it came to stays");
});

test("saved run that cannot be read is a sentence", async () => {
  const load = () => Promise.reject(new Error("it is gone"));
  const run = new CompareRun(BUNDLE, 1, { lab: control, settings: {}, seed: 1, load, limits: limits() });
  await run.done;
  assert.equal(run.failure, "The saved run could not be read: it is gone");
});

test("sweep trains some seeds at a time, and summarises what it takes to the goal", async () => {
  const setup = { lab: control, settings: {}, seeds: [2, 4, 6, 0, 8], atATime: 2, limits: limits({ units: 20 }) };
  const sweep = new SeedSweep(BUNDLE, setup);
  await until(
    () => !sweep.training,
    () => assert.ok(workers.filter(({ terminated }) => !terminated).length <= 2),
  );
  assert.deepEqual([sweep.ended, sweep.reached], [5, 4]);
  const { median, lowerQuartile, upperQuartile, most } = sweep.toTheGoal("units");
  assert.deepEqual([lowerQuartile, median, upperQuartile, most], [4, 6, 8, Infinity], "one never reached it");
  const band = sweep.band();
  assert.equal(band.at(-1)?.unit, 20);
  assert.deepEqual([band.at(-1)?.count, band.at(-1)?.least, band.at(-1)?.most], [5, 2, 20]);
  const lines = resultsAsCsv(sweep).trim().split("\n");
  assert.equal(
    lines[0],
    "Seed,Goal reached,Goal reached in iteration,Iteration,World steps,Time (s),Test score (fresh episodes),Outcome",
  );
  const [bandHead] = bandAsCsv(sweep).split("\n");
  const of = "of test score (fresh episodes)";
  assert.equal(
    bandHead,
    `Iteration,Median ${of},Lower quartile ${of},Upper quartile ${of},Least ${of},Most ${of},Runs`,
  );
  assert.match(lines[1] ?? "", /^2,yes,2,2,128,[\d.]+,2,goal$/);
  assert.match(lines[4] ?? "", /^0,no,,20,1280,[\d.]+,20,units$/);
  assert.equal(sweepFileName(sweep), "learnery-control-seeds2-8");
});

test("tables and file names of sweeps tell their settings apart", async () => {
  const settings = { learning_rate: 0.01, gamma: 0.5 };
  const setup = { lab: control, settings, seeds: [2], atATime: 1, limits: limits({ units: 3 }) };
  const sweep = new SeedSweep(BUNDLE, setup);
  await until(() => !sweep.training);
  assert.equal(changedWords(control, sweep.setup.settings), "learning rate 0.01, discount factor 0.5");
  const [head, row] = resultsAsCsv(sweep).split("\n");
  assert.match(head ?? "", /,Outcome,Learning rate,Discount factor$/);
  assert.match(row ?? "", /,0\.01,0\.5$/);
  assert.match(bandAsCsv(sweep), /^[^\n]*,Runs,Learning rate,[^\n]*\n[^\n]*,0\.01,0\.5\n/);
  assert.equal(sweepFileName(sweep), "learnery-control-seeds2-2-learning_rate=0.01-gamma=0.5");
  sweep.setup.settings = Object.fromEntries(
    control.fields.map(({ name, kind }) => [name, kind === "number" ? 0.123456 : 7]),
  );
  assert.match(sweepFileName(sweep), /^[\w.=-]{100}-[0-9a-f]+$/);
});

test("sweep that is stopped ends its workers and starts no more", async () => {
  const setup = { lab: control, settings: {}, seeds: [0, 0, 0], atATime: 1, limits: limits({ units: 1000 }) };
  const sweep = new SeedSweep(BUNDLE, setup);
  await until(() => (workers[0]?.units ?? 0) > 2);
  sweep.stop();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(workers.length, 1);
  assert.ok(workers[0]?.terminated);
  assert.equal(sweep.ended, 0);
});

test("refusal of the visitor's own data ends the run with a sentence, that of a command to its stage does not", async () => {
  const setup = { ...contender(0), lab: control, limits: limits({ units: 3 }) };
  const refused = new CompareRun(BUNDLE, 1, { ...setup, data: REFUSED });
  await refused.done;
  assert.equal(refused.failure, "Your own data were refused: no.");
  assert.ok(workers[0]?.terminated);
  const run = new CompareRun(BUNDLE, 1, setup);
  run.on("opened", () => run.command(REFUSED));
  run.on("opened", () => run.allow(Infinity));
  await run.done;
  assert.equal(run.ending, "units");
  // Its picture can still be seen, until its worker fails.
  assert.ok(run.alive);
  workers[1]?.crash();
  assert.ok(!run.alive && workers[1]?.terminated);
  assert.equal(run.ending, "units", "what it has reached stays");
});
