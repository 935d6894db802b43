// Unit tests of the replies to requests (core/requests.ts): which promise a reply resolves, and what rejects it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nextId, Refusal, Requests, Superseded } from "../../www/core/requests";
import type { FromWorker } from "../../www/core/worker-messages";

const saved = (id: number, units: number) =>
  ({ type: "saved", id, units, fingerprint: null, bytes: new Uint8Array() }) as FromWorker;

test("each request gets the reply with its number, in whatever order they come", async () => {
  const requests = new Requests();
  const [first, second] = [nextId(), nextId()];
  const replies = [requests.reply(first), requests.reply(second)];
  requests.receive(saved(second, 2));
  requests.receive({ type: "peak", operationsPerSecond: 1 }); // nobody has asked for it
  requests.receive(saved(first, 1));
  const units = (await Promise.all(replies)).map((reply) => (reply.type === "saved" ? reply.units : null));
  assert.deepEqual(units, [1, 2]);
});

test("a refused request rejects with the reason, and no other does", async () => {
  const requests = new Requests();
  const [first, second] = [nextId(), nextId()];
  const [refused, open] = [requests.reply(first), requests.reply(second)];
  requests.receive({ type: "refused", id: first, request: "save", message: "there is no room" });
  requests.receive(saved(second, 3));
  await assert.rejects(refused, (error) => error instanceof Refusal && error.message === "there is no room");
  assert.equal((await open).type, "saved");
});

test("another run supersedes what was asked of the run before, and nothing that was asked later", async () => {
  const requests = new Requests();
  const [before, start, after] = [nextId(), nextId(), nextId()];
  const [old, opening, next] = [requests.reply(before), requests.reply(start), requests.reply(after)];
  requests.receive({ type: "opened", id: start } as FromWorker);
  await assert.rejects(old, Superseded);
  assert.equal((await opening).type, "opened");
  requests.receive(saved(after, 1));
  assert.equal((await next).type, "saved");
});

test("requests to a worker that ends reject with the reason", async () => {
  const requests = new Requests();
  const open = requests.reply(nextId());
  requests.drop(new Error("it broke"));
  await assert.rejects(open, /it broke/);
});
