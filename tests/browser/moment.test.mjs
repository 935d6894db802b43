// Links that carry the moment: what the sender saw is there before the lab has been loaded, and in the end the replay
// says whether it comes to the same agent. Copies of agents never train, and a damaged part is told in one sentence.
//
// Uses: www/core/replay.ts

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { hosts, openPage, test, until } from "./harness.mjs";
import { decoded, downloaded, SMALL_CUBE, state, untilLearning, untilTold } from "./lab.mjs";
import { line, linkOf, openHeld, recorded, recordedColours, viewOf } from "./moments.mjs";

/** A small run, whose units take a few milliseconds, with a quick test in each. */
const SMALL = "#/control?seed=3&worlds=16&horizon=16&hidden=16&eval_episodes=4";

/** Runs in the page: records the types of all requests to each worker. */
function recordRequests() {
  globalThis.workers = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    let of = globalThis.workers.find(({ worker }) => worker === this);
    if (!of) globalThis.workers.push((of = { worker: this, types: [] }));
    of.types.push(message.type);
    postMessage.call(this, message, ...rest);
  };
}

/** The requests to the worker of a copy: only its run is continued from a file. */
const requestsToCopy = (page) =>
  page.evaluate(() => globalThis.workers.find(({ types }) => types.includes("resume"))?.types ?? []);

/** Saves the moment as a picture for chats, and checks its file: the size that chats show, and that it is not empty. */
async function assertChatPicture(page, file) {
  const save = page.getByRole("button", { name: "Save a picture for chats" });
  const { name, path } = await downloaded(page, () => save.click());
  assert.equal(name, file);
  const bytes = readFileSync(path);
  assert.equal(bytes.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n", "the first bytes of a PNG");
  const { width, height, colours } = await decoded(page, bytes, "image/png");
  assert.deepEqual([width, height], [1200, 630]);
  assert.ok(colours > 20, `a picture of ${colours} colours`);
}

test("moment is seen before the lab is loaded, and its replay has the same bits", async () => {
  const { page: sender, hash } = await linkOf(`${SMALL}&units=4`);
  assert.match(hash, /&units=4&bits=fused:[0-9a-f]{16}&moment=[\w-]+$/);
  await assertChatPicture(sender, "learnery-control-4-chat.png");
  const { page, release } = await openHeld(hash);
  await recorded(page).getByText("Recorded by the sender").waitFor();
  await recorded(page)
    .getByText(/^Iteration 4: test score \(fresh episodes\) [\d.]+$/)
    .waitFor();
  await recordedColours(page);
  assert.equal((await state(page)).units, 0, "the worker has learned nothing");
  release();
  await line(page)
    .getByText(/^The run is verified: .* same agent at iteration 4, with the score and the curve/)
    .waitFor();
  assert.equal(await page.locator(".moment-picture").count(), 0, "the replayed agent takes its place");
  assert.deepEqual([(await state(page)).units, (await state(page)).running], [4, false]);
  assert.equal((await state(page)).score, (await state(sender)).score);
  assert.doesNotMatch(page.url(), /moment=/);
  await page.assertNoErrors();
});

test("rounded copy of an actor acts until the replay arrives, and is never trained", async () => {
  const { hash } = await linkOf(`${SMALL}&units=3`);
  // The replay does not arrive.
  const { page, release } = await openHeld(hash.replace("&units=3", "&units=900000"), {
    prepare: (page) => page.addInitScript(recordRequests),
  });
  release();
  await page.locator(".past-sign").getByText("A copy of the sender's agent with slightly rounded weights").waitFor();
  await line(page).getByText("It does not learn.").waitFor();
  await until("the replay goes on", async () => (await state(page)).units > 3);
  const requests = await requestsToCopy(page);
  assert.ok(requests.includes("view"));
  // None of these trains the copy.
  const allowed = ["load", "begin", "start", "save", "resume", "view", "pause"];
  assert.deepEqual(
    requests.filter((type) => !allowed.includes(type)),
    [],
  );
  assert.match(page.url(), /&moment=/, "a reload shows it again");
  await line(page).getByRole("button", { name: "Watch the replay" }).click();
  await until("the replay is seen", async () => (await page.locator(".past-sign").count()) === 0);
  await line(page).getByRole("button", { name: "Show the recording" }).click();
  await recorded(page).waitFor();
  await line(page).getByRole("button", { name: "Start afresh here" }).click();
  await untilLearning(page);
  assert.equal((await line(page).count()) + (await page.locator(".moment-picture").count()), 0);
  assert.ok(page.url().endsWith(SMALL), page.url());
  await page.assertNoErrors();
});

test("decided circuit of logic runs at once, and a cube is where the sender had it", async () => {
  // The second run has begun again with other gates and wires in its second iteration.
  for (const [settings, attempt] of [
    ["batch=1", 1],
    ["batch=1&anew_after=5", 2],
  ]) {
    const { page: sender, hash } = await linkOf(`#/logic?seed=1&${settings}&units=2`);
    assert.equal((await viewOf(sender)).attempt, attempt);
    await sender.close();
    const { page, release } = await openHeld(hash.replace("&units=2", "&units=900000"));
    release();
    await page.locator(".past-sign").getByText("The sender's decided circuit").waitFor();
    await page.assertNoErrors();
    await page.close();
  }

  const { page: sender, hash: cube } = await linkOf(`${SMALL_CUBE}&units=1`);
  const stickersOf = async (page) => (await viewOf(page)).stage.stickers;
  assert.match(cube, /&show=[URFDLB]{24}/);
  const stickers = await stickersOf(sender);
  const other = await openPage(hosts.isolated, cube);
  await line(other).getByText("The run is verified: ").waitFor();
  await until("it is the sender's cube", async () => (await stickersOf(other)) === stickers);
  await other.assertNoErrors();
});

test("damaged moment is told in one sentence, and its run is repeated", async () => {
  // Compressed JSON that has been cut off.
  const page = await openPage(hosts.isolated, `${SMALL}&units=2&moment=q1YqU7Iy`);
  await untilTold(page, /^The sender's picture in this link cannot be read/);
  await page.locator(".replay-line").getByText("Replayed to iteration 2.").waitFor();
  // Frames of another lab: `{"v":1,"n":3,"r":1,"f":"AAAA"}`.
  const foreign = await page.evaluate(async () => {
    const json = new Blob([JSON.stringify({ v: 1, n: 3, r: 1, f: "AAAA" })]);
    const stream = json.stream().pipeThrough(new CompressionStream("deflate-raw"));
    return btoa(String.fromCharCode(...new Uint8Array(await new Response(stream).arrayBuffer())));
  });
  const packed = foreign.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  await page.goto(page.address(`${SMALL}&units=3&moment=${packed}`));
  await untilTold(page, /^The sender's picture in this link is none of this lab/);
  await page.locator(".replay-line").getByText("Replayed to iteration 3.").waitFor();
  assert.equal(await page.locator(".moment-picture, .moment-line").count(), 0);
  await page.assertNoErrors();
});
