// The agent's side of a race (www/labs/control/race/agent.ts), with workers that only answer: no copy outlives the
// race, and each episode has one of its own.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Emitter } from "../../www/core/events";
import { Refusal } from "../../www/core/requests";
import type { Run } from "../../www/core/run";
import type { RunEvents } from "../../www/core/run-events";
import { LAB as control } from "../../www/generated/labs/control";
import type { ToWorker } from "../../www/core/worker-messages";
import { RaceAgent } from "../../www/labs/control/race/agent";
import { WORLD_KINDS } from "../../www/labs/control/worlds/list";

/** In the order of their creation. */
const workers: StageWorker[] = [];
/** Whether workers open a run. */
let opens = true;

/** A worker with a stage whose episodes end after three steps. */
class StageWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: unknown = null;
  terminated = false;
  #episode = 0;
  #steps = 0;

  constructor() {
    workers.push(this);
  }

  terminate(): void {
    this.terminated = true;
  }

  postMessage(message: ToWorker): void {
    setTimeout(() => this.#answer(message), 0);
  }

  #answer(message: ToWorker): void {
    if (message.type === "load") return this.#post({ type: "ready" });
    if (message.type === "resume" && opens) {
      assert.ok(message.bytes.length > 0, "the bytes were transferred before");
      structuredClone(message.bytes, { transfer: [message.bytes.buffer] });
      const run = { lab: "control", config: {}, seed: 1 };
      const progress = { units: 7, work: 7, running: false };
      return this.#post({ type: "opened", run, metrics: { units: [], values: [] }, progress });
    }
    if (message.type === "command") this.#episode++;
    if (message.type !== "view") return;
    if (message.seconds > 0) this.#steps++;
    const stage = { episode: this.#episode, steps: this.#steps, score: this.#steps, over: this.#steps === 3 };
    this.#post({ type: "view", view: { stage } });
  }

  #post(data: unknown): void {
    if (!this.terminated) this.onmessage?.({ data });
  }
}

Object.assign(globalThis, { Worker: StageWorker });
beforeEach(() => {
  workers.length = 0;
  opens = true;
});

/** The open run of the page, which answers a save as the test says. */
class OpenRun extends Emitter<RunEvents> {
  lab = control;
  settings = {};
  seed = 1;
  cpuBundle = { name: "simple", bits: "plain", threads: 1, reason: "" };

  answerSave: () => void = () => {}; // replaced by a save
  refuseSave: () => void = () => {};

  constructor(readonly answer: (run: OpenRun) => void) {
    super();
  }

  save(): Promise<RunEvents["saved"]> {
    return new Promise((resolve, reject) => {
      this.answerSave = () => resolve({ type: "saved", units: 7, fingerprint: null, bytes: new Uint8Array(8) });
      this.refuseSave = () => reject(new Refusal("there is no room"));
      this.answer(this);
    });
  }
}

const agentOf = (answer: (run: OpenRun) => void) =>
  new RaceAgent(new OpenRun(answer) as unknown as Run, WORLD_KINDS.cartpole);
const saves = (run: OpenRun) => setTimeout(() => run.answerSave(), 0);

test("each episode of the agent has a copy of its own, and begins in another state", async () => {
  const agent = agentOf((run) => {
    saves(run);
    // The second copy is of the same run, whatever is open by then.
    Object.assign(run, { lab: null });
  });
  for (const race of [1, 2]) {
    const { stages, steps, terminated } = await agent.play();
    assert.deepEqual([steps, terminated, agent.units], [3, true, 7]);
    assert.deepEqual(
      stages.map(({ episode, steps }) => [episode, steps]),
      [0, 1, 2, 3].map((step) => [race, step]),
    );
    assert.deepEqual(
      workers.map(({ terminated }) => terminated),
      race === 1 ? [false] : [true, false],
    );
  }
  agent.close();
  assert.ok(workers.every(({ terminated }) => terminated));
});

test("no copy is left of a race that is closed while it is prepared", async () => {
  let waiting: OpenRun | null = null;
  const early = agentOf((run) => (waiting = run));
  const unsaved = assert.rejects(early.play());
  early.close();
  (waiting as OpenRun | null)?.answerSave();
  await unsaved;
  assert.equal(workers.length, 0);

  opens = false;
  const late = agentOf(saves);
  const unopened = assert.rejects(late.play());
  while (workers.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  late.close();
  await unopened;
  assert.equal(workers[0]?.terminated, true);
});

test("a save that is refused ends the preparation with its reason", async () => {
  await assert.rejects(agentOf((run) => run.refuseSave()).play(), /there is no room/);
});
