// Links to a moment, as “Share and save” makes them: what they hold, and what is said of the rest. Of control's actor
// the widths that fit are held to what docs/links.md says.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { readMoment } from "../../www/core/moment-link";
import { MAX_PACKED } from "../../www/core/packed";
import type { RecipeChange } from "../../www/core/recipe";
import { Series } from "../../www/core/series";
import type { ControlView, LabInfo } from "../../www/generated/protocol";
import { LAB as CONTROL } from "../../www/generated/labs/control";
import { LAB as LOGIC } from "../../www/generated/labs/logic";
import { roundedActor } from "../../www/labs/control/moment-actor";
import { moment as control } from "../../www/labs/control/moment";
import { ownFrame } from "../../www/labs/control/own-world/moment-frames";
import { moment as logic } from "../../www/labs/logic/moment";
import type { LabMoment } from "../../www/ui/lab-moment";
import { makeMoment, seenMoment, type MadeMoment, type MomentSource } from "../../www/ui/moment-maker";

const UNITS = 120;
const golden = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../golden/runs/${name}.safetensors`, import.meta.url)));

/** Numbers between -1 and 1 that hardly compress, the same in every run of the test. */
function noise(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1);
}

/** A clip of noise in frames of a world, cube or grid. */
function clipOf(head: number[], frameSize: number, frames: number) {
  const bytes = Uint8Array.from(noise(frameSize * frames, 5), (number) => 128 * (number + 1));
  for (let at = 0; at < bytes.length; at += frameSize) bytes.set(head, at);
  return { bytes, frameSize, rate: 12.5 };
}

interface Moment {
  lab: LabInfo;
  own: LabMoment;
  bytes: Uint8Array;
  clip: ReturnType<typeof clipOf>;
  view?: object;
  settings?: Record<string, string | number>;
  changes?: RecipeChange[];
  networkSince?: number | null;
}

/** A moment of a run with a curve of noise. */
function sourceOf(moment: Moment): MomentSource {
  const { lab, own, bytes, clip, view = {}, settings = {}, changes = [], networkSince = null } = moment;
  const listeners: ((view: object) => void)[] = [];
  const run = {
    networkSince,
    bundle: { bits: "fused" },
    device: "cpu",
    origin: () => ({ settings, seed: 123456, changes }),
    save: () => Promise.resolve({ units: UNITS, fingerprint: "0123456789abcdef".repeat(4), bytes }),
    on: (name: string, listener: (view: object) => void) => (name === "view" && listeners.push(listener), () => {}),
    requestView: () => listeners.splice(0).forEach((listener) => listener(view)),
  };
  const series = new Series(lab.about.metrics);
  const units = Array.from({ length: UNITS }, (_, i) => i + 1);
  series.append({ units, values: lab.about.metrics.map((_, i) => noise(UNITS, i)) });
  const source = { lab, run, present: { lab, goal: null, series }, view: null, own, recorder: { clipTo: () => clip } };
  return source as unknown as MomentSource;
}

/** The link to a moment. */
const make = (moment: Moment): Promise<MadeMoment> => makeMoment(sourceOf(moment));

/** A checkpoint with these tensors, filled with noise. */
function checkpointOf(tensors: Record<string, { dtype: "F32" | "F64"; shape: number[] }>): Uint8Array {
  const entries: Record<string, unknown> = {
    __metadata__: { learnery: '{"format":1,"checksum":"00000000","header":{}}' },
  };
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const [name, { dtype, shape }] of Object.entries(tensors)) {
    const numbers = noise(
      shape.reduce((product, size) => product * size, 1),
      parts.length + 1,
    );
    const part = new Uint8Array((dtype === "F32" ? Float32Array.from(numbers) : Float64Array.from(numbers)).buffer);
    entries[name] = { dtype, shape, data_offsets: [offset, (offset += part.length)] };
    parts.push(part);
  }
  const header = new TextEncoder().encode(JSON.stringify(entries));
  const length = new Uint8Array(new BigUint64Array([BigInt(header.length)]).buffer);
  return new Uint8Array([length, header, ...parts].flatMap((part) => [...part]));
}

/** Numbers that the agent sees, and outputs of its actor. */
const WORLDS = { cartpole: [4, 2], mountaincar: [2, 3], pendulum: [3, 1], acrobot: [6, 3] } as const;

/** An agent with this many hidden units and random weights. It also normalises what it sees, which takes more room. */
function actorOf([seen, outputs]: readonly [number, number], hidden: number, hasSpread = false): Uint8Array {
  const layer = (i: number, from: number, to: number) => ({
    [`network/actor/${i}/bias`]: { dtype: "F32" as const, shape: [to] },
    [`network/actor/${i}/weight`]: { dtype: "F32" as const, shape: [from, to] },
  });
  return checkpointOf({
    ...layer(0, seen, hidden),
    ...layer(1, hidden, hidden),
    ...layer(2, hidden, outputs),
    ...(hasSpread && { "network/actor/log_spread": { dtype: "F32", shape: [1] } }),
    "network/normaliser/count": { dtype: "F64", shape: [1] },
    "network/normaliser/mean": { dtype: "F64", shape: [seen] },
    "network/normaliser/squares": { dtype: "F64", shape: [seen] },
  });
}

/** Reads the moment of a link, and returns its agent. */
async function agentIn({ link }: MadeMoment): Promise<Uint8Array | null> {
  assert.ok(link.length <= MAX_PACKED, `${link.length} characters`);
  const packed = new URLSearchParams(link.split("?")[1]).get("moment") ?? "";
  const read = await readMoment(packed, { units: UNITS, lab: CONTROL }, (problem) => assert.fail(problem));
  return read?.agent ?? null;
}

const SHORTER = roundedActor.shorter?.words ?? "";

for (const [i, world] of (Object.keys(WORLDS) as (keyof typeof WORLDS)[]).entries())
  test(`actor of ${world} with random weights fits into a link up to 69 hidden units, with 6 bits up to 78`, async (context) => {
    const made = (hidden: number) =>
      make({
        lab: CONTROL,
        own: control as LabMoment,
        bytes: actorOf(WORLDS[world], hidden, world === "pendulum"),
        clip: clipOf([i, 0], 7, 50),
        settings: { world, hidden, normalise_observations: "true" },
      });
    // Random weights hardly compress, so trained ones take less room; the widths are told in docs/links.md too.
    for (const [hidden, words] of [
      [64, roundedActor.words],
      [69, roundedActor.words],
      [73, SHORTER],
      [78, SHORTER],
    ] as const) {
      const link = await made(hidden);
      assert.ok(link.moment.agent && link.holds.includes(words), `${hidden} hidden units: ${link.holds.join()}`);
      assert.deepEqual([link.leftOut.filter((each) => !each.includes("pictures")), link.cannotHold], [[], []]);
      assert.deepEqual(await agentIn(link), link.moment.agent);
      context.diagnostic(`${hidden} hidden units: ${link.link.length} characters`);
    }
    const { moment, leftOut, cannotHold } = await made(90);
    assert.equal(moment.agent, null);
    assert.deepEqual([leftOut, cannotHold], [[roundedActor.words], []]);
  });

/** The examples of worlds with what their agents see and do, read from their texts. */
const EXAMPLES = new URL("../../crates/world-rules/examples/", import.meta.url);
const worldTexts = readdirSync(EXAMPLES)
  .filter((name) => name.endsWith(".world"))
  .map((name) => ({ name, text: readFileSync(new URL(name, EXAMPLES), "utf8") }));

test("actor of each example of a world of one's own fits into a link beside its text", async (context) => {
  assert.ok(worldTexts.length > 10);
  const picture = [0, 0, 4, ...noise(90, 3).flatMap((x) => [1, 2, NaN, 3, x, -x, 0.2])];
  const view = { own: { shapes: new Uint8Array(Float32Array.from(picture).buffer), texts: [] }, stage: { steps: 9 } };
  const frame = ownFrame(view as unknown as ControlView);
  const bytes = new Uint8Array([...frame, ...frame]);
  for (const { name, text } of worldTexts) {
    const made = await make({
      lab: CONTROL,
      own: control as LabMoment,
      // As wide as the agents of the widest examples, with the hidden units of a run by default.
      bytes: actorOf([7, 4], 64),
      clip: { bytes, frameSize: frame.length, rate: 12.5 },
      settings: { world: "own", hidden: 64 },
      changes: [{ unit: 0, settings: {}, seed: null, data: { type: "world", name, text } }],
    });
    assert.deepEqual(made.cannotHold, []);
    assert.ok(made.holds.includes(SHORTER) || made.holds.includes(roundedActor.words), `${name}: ${made.holds.join()}`);
    assert.deepEqual(await agentIn(made), made.moment.agent);
    assert.match(made.link, /&data=0:/);
    context.diagnostic(`${name}: ${made.link.length} characters, ${made.holds.at(-1)}`);
  }
});

test("what no link can hold of a moment is said with its reason", async () => {
  const shown = { lab: CONTROL, own: control as LabMoment, clip: clipOf([0, 0], 7, 3) };
  const said = async (moment: Moment) => {
    const { holds, leftOut, cannotHold, moment: made } = await make(moment);
    assert.equal(made.agent, null);
    assert.deepEqual(leftOut, []);
    assert.ok(!holds.includes(moment.own.copy?.words ?? ""));
    return cannotHold.join(" ");
  };
  const actor = actorOf(WORLDS.cartpole, 8);
  assert.deepEqual((await make({ ...shown, bytes: actor })).cannotHold, []);
  const diverged = actor.map((byte, at) => (at >= actor.length - 8 ? 255 : byte)); // the last number is NaN
  assert.match(await said({ ...shown, bytes: diverged }), /, because this agent has diverged, [^.]*\.$/);
  assert.match(await said({ ...shown, bytes: new Uint8Array() }), /, because its checkpoint cannot be read\.$/);
  const view = { attempt: 101, gates: { layers: [2], kinds: new Uint8Array(2) } };
  const circuit = {
    lab: LOGIC,
    own: logic as LabMoment,
    bytes: golden("logic-life"),
    clip: clipOf([8, 8, 1], 11, 3),
    view,
  };
  assert.match(await said(circuit), /^It does not hold the decided circuit, .*, because this is attempt 101, [^.]*\.$/);
  assert.deepEqual((await make({ ...circuit, view: { ...view, attempt: 1 } })).cannotHold, []);
  // A picture of a world of one's own that is too large for a frame is an empty frame.
  const none = await make({ ...shown, bytes: actor, clip: clipOf([], 0, 0) });
  assert.deepEqual(none.cannotHold, ["It does not hold the picture, because this one cannot be drawn from a link."]);
});

test("run that went on from a loaded network has no link, which is said with what works, and has a picture", async () => {
  const moment = {
    lab: CONTROL,
    own: control as LabMoment,
    bytes: actorOf(WORLDS.cartpole, 8),
    clip: clipOf([0, 0], 7, 3),
    networkSince: 40,
  };
  await assert.rejects(
    make(moment),
    /^Error: There is no link to this run: .* a network that was trained before\. “Save a picture for chats” .* “Save checkpoint”/,
  );
  const { moment: seen, words } = await seenMoment(sourceOf(moment));
  assert.deepEqual([seen.unit, seen.clip, seen.agent], [UNITS, moment.clip, null]);
  assert.equal(seen.headline?.measuredAt, UNITS);
  assert.ok(words.name.length > 0);
});
