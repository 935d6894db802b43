// Links that carry a moment of each lab that is not in moment.test.mjs: a drawing and a world of one's own, a match of
// backgammon, a text, a solved cube, and an agent before it collapsed. Each is seen before its lab is loaded, is what
// its sender saw, and in the end is where the replay has arrived.
//
// Uses: www/core/replay.ts

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test, until } from "./harness.mjs";
import { state, untilUnits, untilViews } from "./lab.mjs";
import { framesOf, line, momentLink, openAt, openHeld, recorded, recordedColours, viewOf } from "./moments.mjs";

const SMALL = "#/control?seed=3&worlds=16&horizon=16&hidden=16&eval_episodes=4";
const SMALL_BACKGAMMON = "#/backgammon?seed=1&games=8&horizon=8&replay=256&hidden=8&second=4&race=4&eval_every=0";
const SMALL_FIGURE = "#/logic?seed=1&experiment=figure&batch=1&steps=12";
const SMALL_STORIES =
  "#/language?seed=1&source=stories&width=16&layers=1&heads=2&length=64&batch=8&updates=2&judge_every=0";
const SMALL_LARGE_CUBE =
  "#/cube?seed=1&puzzle=3x3x3&learner=cayleypy&hidden_1=16&hidden_2=0&batch=64&updates=10&scramble=6" +
  "&judge_every=1&evaluate_states=2&evaluate_beam=16&evaluate_scramble=2";

/** A recorded picture stands still at the moment itself, and the page moves no cube for a visitor who prefers that. */
const STILL = { reducedMotion: "reduce" };

const bytesOf = (text) => [...Buffer.from(text, "latin1")];

/** Gives the run of this page data of the visitor's own, and trains on it for a unit. */
async function learnFrom(page, command) {
  const { units } = await state(page);
  await page.evaluate(async (command) => {
    await globalThis.learnery.setData(command);
    await globalThis.learnery.finishUnit();
  }, command);
  await untilUnits(page, units + 1);
}

/**
 * Records from now on, as JSON, what `read` returns of each view. It is a function that runs in the page. Returns a
 * function that says whether a value has been among them.
 */
async function recordViews(page, read) {
  await page.evaluate(`{
    const seen = new Set();
    globalThis.seenViews = seen;
    const read = ${read};
    globalThis.learnery.on("view", (view) => seen.add(JSON.stringify(read(view))));
  }`);
  await untilViews(page);
  return (value) => page.evaluate((text) => globalThis.seenViews.has(text), JSON.stringify(value));
}

/**
 * Runs in the page: the centres of the cells of a grid, which is in the middle of its picture and as large as the
 * shares in www/labs/logic/picture.ts allow.
 */
function centresOfCells({ width, height }, { columns, rows }) {
  const cell = Math.min((0.86 * height) / rows, (0.9 * width) / columns);
  return Array.from({ length: columns * rows }, (_, i) => [
    width / 2 + ((i % columns) - columns / 2 + 0.5) * cell,
    height / 2 + (Math.floor(i / columns) - rows / 2 + 0.5) * cell,
  ]);
}

/** Lets the lab load, and waits until the replay has come to the sender's agent. */
async function verified({ page, release }) {
  assert.equal((await state(page)).units, 0, "the worker has learned nothing");
  release();
  await line(page).getByText("The run is verified: ").waitFor();
  assert.equal(await page.locator(".moment-picture").count(), 0, "the replayed agent takes its place");
}

test("moment of logic has the drawing, its circuit and its cells", async () => {
  const sender = await openAt(`${SMALL_FIGURE}&units=1`);
  const { size } = await viewOf(sender);
  const planes = Array.from({ length: size * size }, (_, i) => Number(i % size > 4 && i % 3 > 0)).join("");
  await learnFrom(sender, { type: "target", planes });
  const saw = await recordViews(sender, ({ stage: { width, height, shown, hard } }) => [width, height, shown, ...hard]);
  const hash = await momentLink(sender);
  assert.match(hash, /&data=1:[\w-]+&units=2&bits=fused:\w+&moment=|&units=2&bits=fused:\w+&data=1:[\w-]+&moment=/);

  const held = await openHeld(hash, STILL);
  // The cells are bits, the lowest bit of a byte first.
  const [width, height, channels, ...bytes] = framesOf(hash).at(-1);
  const cells = Array.from({ length: width * height }, (_, i) => (bytes[i >> 3] >> (i & 7)) & 1);
  assert.ok(await saw([width, height, channels, ...cells]), "the cells are those that the sender saw");
  const { colours: drawn } = await recordedColours(held.page, centresOfCells, { columns: width, rows: height });
  const colours = [0, 1].map((bit) => new Set(cells.flatMap((each, i) => (each === bit ? [drawn[i]] : []))));
  assert.deepEqual([...colours.map(({ size }) => size)], [1, 1], "each cell is drawn as it is");
  assert.notDeepEqual([...colours[0]], [...colours[1]]);

  await verified(held);
  const { ownTarget, target } = await viewOf(held.page);
  assert.ok(ownTarget);
  assert.equal(Object.values(target).join(""), planes);
  await held.page.assertNoErrors();
});

/** A world in which a disc moves by chance, with a name on it. */
const DISC = `world "Disc"
about "It moves."
state x = uniform(-3, 3)
action go: left, right
step 0.05 seconds
x' = clamp(x + 0.1 * (2 * go - 1), -3, 3)
reward 1 - abs(x)
limit 100 steps
camera at (0, 0) height 8
draw circle at (x, 0) radius 1
draw text "disc" at (-1, 3) size 0.5
`;

test("moment of a world of one's own has its picture", async () => {
  const command = JSON.stringify({ type: "world", name: "disc.world", text: DISC, parameters: {} });
  const data = `data=0:${deflateRawSync(command).toString("base64url")}`;
  const sender = await openAt(`#/control?seed=3&world=own&worlds=16&horizon=16&hidden=16&units=2&${data}`);
  // The eighth number is the `x` of the disc, after the camera's three and the disc's kind, colour, line and count.
  const saw = await recordViews(sender, ({ own }) => new Float32Array(own.shapes.slice().buffer)[7].toFixed(3));
  const hash = await momentLink(sender);

  const held = await openHeld(hash, STILL);
  const frames = framesOf(hash);
  const frame = frames.at(-1);
  assert.equal(Buffer.from(frame.slice(-5)).toString(), "disc\n");
  // A frame has seven bytes, then three of each number (www/labs/control/own-world/moment-frames.ts).
  const centre = Buffer.from([...frame.slice(7 + 3 * 7, 10 + 3 * 7), 0]).readFloatBE();
  assert.ok(await saw(centre.toFixed(3)), `the disc is where the sender saw it, at ${centre}`);
  const { colours } = await recordedColours(
    held.page,
    ({ width, height }, x) => [
      [2, 2],
      [width / 2 + (x * height) / 8, height / 2],
    ],
    centre,
  );
  assert.notEqual(colours[0], colours[1], "the disc is drawn there");
  await held.page.getByRole("img", { name: "What the sender of this link saw: a world of one's own" }).waitFor();
  await verified(held);
  await held.page.assertNoErrors();

  // Until the replay has arrived the agent acts in its world, as a rounded copy.
  const far = await openHeld(hash.replace("&units=2", "&units=900000"));
  far.release();
  await far.page
    .locator(".past-sign")
    .getByText("A copy of the sender's agent with slightly rounded weights")
    .waitFor();
  await line(far.page).getByText("It does not learn.").waitFor();
  await far.page.locator(".shows-copy .own-run .stage-title").getByText("Disc").last().waitFor();
  await far.page.assertNoErrors();
});

test("moment of backgammon has the position that a link has shown, and goes on from there", async () => {
  const position = "-bb---B-------------bb---A:0:0:-1:62:0:0:0:0:10";
  const sender = await openAt(`${SMALL_BACKGAMMON}&units=1&show=${position}`);
  const saw = await recordViews(sender, ({ stage }) => [...stage.dice, stage.side, ...stage.board]);
  const hash = await momentLink(sender);
  assert.match(hash, /&show=[^&]+&moment=/);
  // A frame has the dice, the side, and the checkers on 26 places, those of the other side as negative numbers.
  const frames = framesOf(hash).map((frame) => frame.map((byte) => (byte > 127 ? byte - 256 : byte)));
  assert.ok(await saw(frames.at(-1)), "the picture is one that the sender saw");
  const checkers = (sign) =>
    frames
      .at(-1)
      .slice(3)
      .reduce((sum, count) => sum + Math.max(0, sign * count), 0);
  assert.ok(checkers(1) <= 3 && checkers(-1) <= 8, "it is no game from the start");

  const held = await openHeld(hash, STILL);
  await recordedColours(held.page);
  await verified(held);
  // A position whose side may still double has no dice yet, and is rolled for anew.
  const [dice, place] = [frames.at(-1).slice(0, 2), frames.at(-1).slice(2)];
  const { record, start, first, ...now } = (await viewOf(held.page)).stage;
  assert.deepEqual([first, ...Object.values(start)], place, "the stage goes on from the sender's position");
  if (dice[0] > 0) assert.deepEqual(record ? [...record.slice(0, 2)].map(Number) : [...now.dice], dice);
  await held.page.assertNoErrors();
});

test("moment of language has the text that the sender saw, and the prompt", async () => {
  const sender = await openAt(`${SMALL_STORIES}&units=1`);
  const saw = await recordViews(sender, ({ sample }) => sample.text);
  const prompt = "Once upon a time";
  await sender.evaluate((text) => globalThis.learnery.command({ type: "prompt", text }), prompt);
  const hash = await momentLink(sender);
  assert.match(hash, /&show=Once(%20|\+)upon(%20|\+)a(%20|\+)time&moment=/);
  const text = framesOf(hash).flat();
  assert.ok(text.length > prompt.length + 20, `${text.length} characters`);
  const views = await sender.evaluate(() => [...globalThis.seenViews].map((each) => JSON.parse(each)));
  const written = views.map((each) => bytesOf([...each].map((char) => (char <= "\u00ff" ? char : "?")).join("")));
  assert.ok(
    written.some((each) => String(each) === String(text)),
    "the text is one that the sender saw",
  );
  assert.ok(await saw(views.at(-1)));

  const held = await openHeld(hash, STILL);
  await recordedColours(held.page);
  await verified(held);
  await until("the prompt is the sender's", async () => (await viewOf(held.page)).prompt === prompt);
  await held.page.assertNoErrors();
});

test("moment of the 3×3×3 has the cube that the agent solved, with its turns", async () => {
  const solved = [..."URFDLB"].map((face) => face.repeat(9)).join("");
  const sender = await openAt(`${SMALL_LARGE_CUBE}&units=1&show=${solved}:R.U`);
  await momentLink(sender); // from now on the pictures of the cube are kept
  await sender.getByRole("button", { name: "Solve with the agent" }).click();
  await until("there is a solution", async () => (await sender.locator(".cube3-turns li").count()) > 0);
  while (!(await sender.locator(".cube-end.shown", { hasText: "Solved in" }).count())) {
    await sender.keyboard.press("n");
    await untilViews(sender);
  }
  const { made } = (await viewOf(sender)).stage;
  const hash = await momentLink(sender);
  const shown = decodeURIComponent(/&show=([^&]+)&moment=/.exec(hash)[1]);
  assert.equal(shown.split(":")[1], made.join("."));
  const frames = framesOf(hash);
  assert.deepEqual(frames.at(-1), bytesOf(solved), "the last picture is the solved cube");
  assert.ok(frames.length > 1, "the turns that led to it are there");

  const held = await openHeld(hash, STILL);
  await recordedColours(held.page);
  await verified(held);
  const { stage } = await until("the turns are made", async () => {
    const view = await viewOf(held.page);
    return view.stage.made.length === made.length && view;
  });
  assert.deepEqual([stage.stickers, stage.made], [solved, made]);
  await held.page.assertNoErrors();
});

test("moment that the sender looks back at is that of the agent before it collapsed", async () => {
  const sender = await openAt(`${SMALL}&units=4`);
  const score = (await state(sender)).score;
  await sender.evaluate(() => globalThis.learnery.configure({ learning_rate: 0.1 }));
  for (let units = 5; units <= 6; units++) {
    await sender.evaluate(() => globalThis.learnery.finishUnit());
    await untilUnits(sender, units);
  }
  assert.match(await momentLink(sender), /change=4:learning_rate=0\.1.*&units=6&/);
  await sender.getByRole("slider", { name: "Moment of the run" }).focus();
  for (let unit = 5; unit >= 4; unit--) await sender.keyboard.press("Shift+ArrowLeft");
  await until("the earlier agent is there", () => sender.getByRole("button", { name: /^Branch/ }).isEnabled());
  const hash = await momentLink(sender);
  assert.match(hash, /&units=4&bits=/);
  assert.doesNotMatch(hash, /change=/, "what came later is no part of it");
  assert.equal((await state(sender)).units, 6, "the open run has not moved");

  const held = await openHeld(hash, STILL);
  await recordedColours(held.page);
  await recorded(held.page)
    .getByText(/^Iteration 4: test score/)
    .waitFor();
  await verified(held);
  assert.deepEqual([(await state(held.page)).units, (await state(held.page)).score], [4, score]);
  await held.page.assertNoErrors();
});
