// Data of a visitor's own in links: packed, read again, and refused where they are damaged or too long.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { readLink, sameRun, writeLink } from "../../www/core/link";
import { MAX_PACKED, packData, packText, unpackText } from "../../www/core/packed";
import type { RecipeChange } from "../../www/core/recipe";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";

const WORLD = { type: "world", name: "Dot", text: 'world "Dot" # é', parameters: { gain: 2.5 } };
const change = (unit: number, rest: Partial<RecipeChange> = {}): RecipeChange => ({
  unit,
  settings: {},
  seed: null,
  data: null,
  ...rest,
});
/** Characters that cannot be compressed far. */
const noise = (length: number) => Array.from({ length }, (_, i) => Math.abs(Math.sin(i * i) * 1e9) | 0).join("");

const read = (link: string) => readLink(link, LABS);
const packed = (text: string) => deflateRawSync(text).toString("base64url");

test("data are in a link, and in that of the run that it starts", async () => {
  const changes = [
    change(0, { data: WORLD }),
    change(2, { settings: { clip: 0.3 }, data: { ...WORLD, text: "other" } }),
  ];
  const part = await packData(changes);
  assert.match(part ?? "", /^&data=0:[\w-]+&data=2:[\w-]+$/);
  const { request, problems } = await read(
    writeLink(LAB, { world: "own" }, 7, null, "cpu", { changes }) + (part ?? ""),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual([request?.seed, request?.settings, request?.explicit], [7, { world: "own" }, true]);
  assert.deepEqual(request?.changes, changes);
  const keys = Object.keys(request?.changes[0]?.data as object);
  assert.deepEqual(keys, ["name", "parameters", "text", "type"], "the order in which a run records them");
});

test("data that a terminal has packed are read", async () => {
  const packed = "q1YqqSxIVbJSKs8vyklR0lHKS8wFcV3yS5R0lEpSK0pgcgoxIMEYJSUdpYLEosTc1JLUomIlq2ql9MTMPCUrIz3T2loA";
  const { request, problems } = await read(`#/control?world=own&data=0:${packed}`);
  assert.deepEqual(problems, []);
  assert.deepEqual(request?.changes, [change(0, { data: { ...WORLD, text: 'world "Dot"' } })]);
});

test("data that cannot be read are left out, in one sentence", async () => {
  const bomb = packed(JSON.stringify({ type: "world", text: "x".repeat(1_000_000) }));
  assert.ok(bomb.length < MAX_PACKED);
  const damaged = ["0:", "0:A", "0:AAAA", "0:é", "0:eJw", `0:${"A".repeat(MAX_PACKED + 1)}`, `0:${bomb}`];
  const noCommand = ["1", "[]", "null", "{}", '{"type":1}', "{"].map((text) => `0:${packed(text)}`);
  for (const part of [...damaged, ...noCommand, "", "0", "x:AAAA", "-1:AAAA", "1.5:AAAA"]) {
    const { request, problems } = await read(`#/control?world=own&data=${part}`);
    assert.equal(problems.length, 1, part);
    assert.match(problems[0] ?? "", /data/, part);
    assert.deepEqual(request?.changes, [], part);
  }
  const late = await read(`#/control?world=own&units=3&data=5:${packed(JSON.stringify(WORLD))}`);
  assert.match(late.problems.join(), /after the last unit/);
});

test("hidden rules are given up only with the data of the run's beginning", async () => {
  const good = `0:${packed(JSON.stringify(WORLD))}`;
  const kept = async (query: string) => {
    const { request, problems } = await read(`#/control?world=own&hide=rules&${query}`);
    assert.equal(problems.length, 1, query);
    assert.equal(request?.lost ?? problems[0], problems[0], query);
    return [request?.hide, request?.isDataLost, request?.lost !== null];
  };
  assert.deepEqual(await kept("data=0:AAAA"), [null, true, true]);
  assert.deepEqual(await kept("data=AAAA"), [null, true, true]);
  // The world of the link is there, so its rules stay hidden.
  assert.deepEqual(await kept(`data=${good}&data=30:AAAA`), ["rules", false, false]);
  assert.deepEqual(await kept(`units=5&data=${good}&data=9:${good.slice(2)}`), ["rules", false, false]);
  // The run begins with the example, as its author wanted.
  assert.deepEqual(await kept("data=30:AAAA"), ["rules", false, false]);
});

test("data that are too long for a link, or not known, are not packed", async () => {
  assert.equal(await packText(noise(20_000)), null);
  assert.equal(await packData([change(0, { data: { ...WORLD, text: noise(20_000) } })]), null);
  const half = { ...WORLD, text: noise(900) };
  assert.ok(await packData([change(0, { data: half })]));
  assert.equal(await packData([change(0, { data: half }), change(1, { data: half }), change(2, { data: half })]), null);
  assert.equal(await packData([change(0, { data: {} })]), null, "the content of a long text is not in the changes");
  assert.equal(await packData([change(0, { settings: { clip: 0.1 } })]), "");
});

test("texts are packed and unpacked, up to a limit", async () => {
  const packed = (await packText("é\n".repeat(50))) ?? "";
  assert.equal(await unpackText(packed, 150), "é\n".repeat(50));
  assert.equal(await unpackText(packed, 149), null);
});

test("runs with other data are other runs", () => {
  const run = (data: RecipeChange["data"]) => ({ settings: {}, seed: 0, changes: [change(0, { data })] });
  assert.ok(sameRun(LAB, run(WORLD), run({ ...WORLD })));
  assert.ok(!sameRun(LAB, run(WORLD), run({ ...WORLD, text: "other" })));
  assert.ok(sameRun(LAB, run(WORLD), { settings: {}, seed: 0 }), "a link leaves out data that are too long");
});
