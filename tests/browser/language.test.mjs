// The language lab: tasks that are solved exactly, a text written during training, the inspector, and a visitor's own
// text.
//
// Uses: www/core/replay.ts, www/move-run.ts

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { state, untilLearning, untilText, untilTold, untilViews } from "./lab.mjs";

/** Opens the lab and records the latest view (the data that the lab sends to be drawn) as `seen`. */
async function openLanguage(host, options = { viewport: { width: 1280, height: 1000 } }, hash = "#/language") {
  const page = await openPage(host, hash, options);
  await untilLearning(page);
  await page.evaluate(() => globalThis.learnery.on("view", (view) => (globalThis.seen = view)));
  await until("a view comes", () => page.evaluate(() => globalThis.seen !== undefined));
  return page;
}

/** A link to stories with a small network, which takes a third of the processor time that the default one takes. */
const SMALL_STORIES = "#/language?source=stories&width=32&layers=1&length=64&batch=8";

/** The latest view. */
const seen = (page) => page.evaluate(() => globalThis.seen);

/** Chooses what the network learns from, by the name of its button, and waits until it learns. */
async function choose(page, name, source) {
  await page.getByRole("group", { name: "Training data" }).getByRole("button", { name, exact: true }).click();
  await until(name, async () => (await state(page)).config.source === source);
  await untilLearning(page);
  await until(`a view of ${source}`, async () => (await seen(page)).source === source);
}

/** The number of different colours on a canvas. */
const colours = (page, selector) =>
  page.evaluate((selector) => {
    const canvas = document.querySelector(selector);
    if (!canvas?.width) return 0;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, selector);

/** The panel with the headline: its name, value, unit, goal and what the value is compared with. */
const headline = (page) => page.locator(".goal .score-line");

/** The pieces (tokens) of the text in a part of the page. */
const pieces = (page, where) => page.locator(`${where} .language-text .piece`);

test("addition is learned: the grid fills, shows a problem, and a visitor asks one", async () => {
  const page = await openLanguage(hosts.isolated);
  await until("the problems have been asked", async () => (await seen(page)).grid.right !== undefined);
  await until("the grid is drawn", async () => (await colours(page, ".language-grid-canvas")) > 1);
  await until("some are right", async () => (await seen(page)).grid.share > 0);
  // The metrics may come after the view.
  await untilText(headline(page), /^Unseen problems answered right[\d.]+% · goal 99/);

  const { side, problems } = (await seen(page)).grid;
  const box = await page.locator(".language-grid-canvas").boundingBox();
  // The middle of the fourth cell in the first row.
  await page.mouse.move(box.x + (3.5 * box.width) / side, box.y + (0.5 * box.height) / side);
  const question = page.locator(".language-question");
  await until("the fourth problem is shown", async () => (await question.textContent()) === problems[3].question);
  assert.match(
    await page.locator(".language-verdict").textContent(),
    /^(Correct|The correct answer is \d+|Not answered yet)/,
  );
  await page.mouse.move(2, 2);
  await page.locator(".language-grid-frame").focus();
  await page.keyboard.press("ArrowDown");
  const shown = await question.textContent();
  await page.keyboard.press("ArrowRight");
  await until("the problem on its right is shown", async () => (await question.textContent()) !== shown);

  const own = problems[0].question;
  await page.getByRole("textbox", { name: "Your own problem" }).fill(own);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await until("it answers", async () => (await page.locator(".language-own").textContent()).startsWith(own));
  assert.equal((await seen(page)).grid.own.question, own);

  // What is no problem is refused below the field, in the place of the answer before.
  await page.getByRole("textbox", { name: "Your own problem" }).fill("12 plus cat");
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await until("the answer has gone", async () => (await page.locator(".language-own").textContent()) === "");
  assert.match(await page.locator(".language-answer").textContent(), /^[A-Z“].*\.$/);
  // Once more, and what is a problem is answered again.
  await page.getByRole("textbox", { name: "Your own problem" }).fill("1 + x");
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await page.getByRole("textbox", { name: "Your own problem" }).fill(own);
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await until("it answers again", async () => (await page.locator(".language-own").textContent()).startsWith(own));
  assert.equal(await page.locator("[data-notice]").count(), 0);

  await until("a training speed", async () => /\d/.test(await page.locator(".fact-speed dd").textContent()));
  // While the machine is busy with something else, the speed is low, and so may be the measurement of the peak.
  await until("a share of the machine's peak speed", async () => {
    const share = Number(/^([\d.]+)%$/.exec(await page.locator(".fact-share dd").textContent())?.[1] ?? 0);
    return share > 0.1 && share < 150;
  });
  await page.assertNoErrors();
});

test("text is written from a visitor's prompt during training, and can be inspected", async () => {
  const page = await openLanguage(hosts.isolated, undefined, SMALL_STORIES);
  await page.locator(".language-problems").waitFor({ state: "hidden" });
  // One number in plain words, beside what gzip and a perfect predictor need, and both losses in one chart.
  await until("the headline compares", async () =>
    /^Predicting a new story takes\d\.\d+bits per character · goal 0\.\d+Less is better: a plain file takes 8; gzip takes \d\.\d+; the least possible is 0\.\d+\./.test(
      await headline(page).textContent(),
    ),
  );
  const keys = page.locator(".goal .chart-keys .line-key");
  await until("the chart is there", async () => (await keys.count()) > 0);
  assert.deepEqual(await keys.allTextContents(), ["text it has not seen", "text it trains on"]);
  await until("both curves are drawn", async () => (await colours(page, ".goal .chart canvas")) > 2);
  await untilText(page.locator(".language-curve figcaption"), /^Loss in bits per character/);
  await untilText(page.locator(".fact-bits dt"), /^bits per character$/);
  await until("it writes", async () => (await pieces(page, ".language-stage").count()) > 20);
  await until("earlier texts are listed", async () => (await page.locator(".language-earlier li").count()) >= 2);
  const first = page.locator(".language-earlier button").first();
  await first.click();
  assert.equal(await first.getAttribute("aria-expanded"), "true");

  const before = (await state(page)).units;
  await page.getByRole("textbox", { name: "Prompt" }).fill("The old king");
  await until("the text begins with the prompt", async () => {
    const text = (await pieces(page, ".language-stage").allTextContents()).join("");
    return text.startsWith("The old king") && text.length > "The old king".length;
  });
  await until("it goes on learning", async () => (await state(page)).units > before);
  await page.getByRole("slider", { name: /^Temperature/ }).focus();
  await page.keyboard.press("Home");
  await until("the temperature is 0", async () => (await seen(page)).temperature === 0);
  await page.getByRole("button", { name: "Generate again" }).click();

  // A piece is inspected by click, then another one by key. A new text may take the piece's place meanwhile.
  await until("the piece is inspected", async () => {
    await pieces(page, ".language-stage").nth(5).click();
    await untilViews(page);
    return (await seen(page)).reading.chosen === 5;
  });
  await page.locator(".language-reading .language-text").focus();
  await page.keyboard.press("ArrowLeft");
  await until("the piece before it is inspected", async () => (await seen(page)).reading.chosen === 4);
  await page.locator(".language-stage .language-text").focus();
  // A new text may start between two key presses.
  await until("a piece of the written text is inspected by key", async () => {
    for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
    await untilViews(page);
    return (await seen(page)).reading.chosen === 2;
  });
  await page.getByRole("textbox", { name: "Text to inspect" }).fill("Once upon a time there was");
  await until("the visitor's text is inspected", async () =>
    (await seen(page)).reading.pieces.join("").startsWith("Once upon"),
  );
  const { reading, layers, heads } = await seen(page);
  assert.equal(reading.attention.length, layers * heads * (reading.chosen + 1));
  await until(
    "the predictions are drawn",
    async () => (await page.locator(".guess:not(.none)").count()) === reading.next.length,
  );
  assert.ok(reading.next.length > 1 && reading.next[0].probability >= reading.next[1].probability);
  await page.locator(".guess").first().press("Enter");
  await until("the predicted token is appended by key", async () =>
    /^Once upon a time there was./s.test((await seen(page)).reading.pieces.join("")),
  );
  await until("the heads are drawn", async () => (await colours(page, ".language-heads-canvas")) > 5);
  await page.locator(".language-heads-frame").focus();
  for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  const remark = page.locator(".language-heads .remark");
  await until("a head is selected by key", async () =>
    /^Layer 1, head 2 attends most to/.test(await remark.textContent()),
  );
  await page.keyboard.press("Escape");
  await until("no head is selected", async () => /^Point at a strip/.test(await remark.textContent()));
  await until("the curve is drawn", async () => (await colours(page, ".language-curve canvas")) > 2);
  await page.assertNoErrors();
});

/** Drops a file on the page. */
const drop = (page, name, bytes) =>
  page.evaluate(
    ([name, bytes]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name));
      document
        .querySelector("main")
        .dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, [...bytes]],
  );

const VERSE = Array.from({ length: 400 }, (_, i) => `Line ${i} of a text that a visitor brought along.\n`).join("");

test("text that is dropped, pasted or chosen is learned, and other files are refused in a sentence", async () => {
  const page = await openLanguage(hosts.isolated);
  await drop(page, "noise.bin", [0xff, 0xfe, 0x00, 0x80]);
  const wrong = page.locator(".language-dialog .wrong");
  await until("the file is refused", async () =>
    /^noise\.bin is not a text in UTF-8\.$/.test(await wrong.textContent()),
  );
  assert.equal((await state(page)).config.source, "addition", "nothing has changed");
  await page.getByRole("button", { name: "Cancel" }).click();

  await drop(page, "verse.txt", new TextEncoder().encode(VERSE));
  await until("the dropped text is learned", async () => (await seen(page)).textName === "verse.txt");
  assert.equal((await state(page)).config.source, "text");
  await until("it learns from it", async () => (await state(page)).units > 1);
  await until("the headline is about text that it has not seen", async () =>
    /^Predicting text it has not seen takes\d\.\d+bits per byteLess is better: a plain file takes 8; gzip takes/.test(
      await headline(page).textContent(),
    ),
  );

  await page.getByRole("group", { name: "Training data" }).getByRole("button", { name: "Your text" }).click();
  await page.getByRole("button", { name: "Train on it" }).click();
  assert.match(await wrong.textContent(), /^There is no text in/);
  await page.getByRole("textbox", { name: "The text" }).fill("Too short.");
  await page.getByRole("button", { name: "Train on it" }).click();
  assert.match(await wrong.textContent(), /is too short to learn from: 10 bytes, where at least 2,048 are needed\.$/);
  await page.getByRole("textbox", { name: "The text" }).fill(VERSE.replaceAll("Line", "Verse"));
  await page.getByRole("button", { name: "Train on it" }).click();
  await until("the pasted text is learned", async () => /pasted/.test((await seen(page)).textName));

  await page.getByRole("group", { name: "Training data" }).getByRole("button", { name: "Your text" }).click();
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Choose a file" }).click(),
  ]);
  await chooser.setFiles({ name: "chosen.txt", mimeType: "text/plain", buffer: Buffer.from(VERSE) });
  await until("the chosen text is learned", async () => (await seen(page)).textName === "chosen.txt");
  await page.assertNoErrors();
});

test("language lab writes on a phone and on one thread, and nothing overflows sideways", async () => {
  const page = await openLanguage(hosts.plain, { viewport: { width: 390, height: 844 }, hasTouch: true });
  assert.equal((await state(page)).bundle, "simple");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  const canvas = page.locator(".language-grid-canvas");
  await canvas.scrollIntoViewIfNeeded();
  await canvas.tap();
  await until("a problem is shown", async () => /\d/.test(await page.locator(".language-question").textContent()));
  await choose(page, "Stories", "stories");
  await until("it writes", async () => (await pieces(page, ".language-stage").count()) > 3);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);

  await page.getByRole("link", { name: "Learnery" }).click();
  await page.getByText(/^Your run: iteration \d/).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  await page.assertNoErrors();
});

test("link with a unit and a GPU that is not there is replayed on the CPU", async () => {
  const page = await openPage(
    hosts.isolated,
    "#/language?source=copy&size=3&width=16&layers=1&heads=2&batch=8&updates=2&device=gpu&units=5",
  );
  await untilTold(page, /GPU is not used/);
  await page.locator(".replay-line").getByText("Replayed to iteration 5.").waitFor();
  const { units, bundle, running } = await state(page);
  assert.deepEqual([units, bundle, running], [5, "threads", false]);
  await page.assertNoErrors();
});

test("GPU that is not there is refused in a sentence, and the run learns on the CPU", async () => {
  // Headless Chromium has WebGPU but no adapter.
  const page = await openPage(hosts.isolated, "#/language?source=copy&width=16&layers=1&device=gpu");
  await untilTold(page, /GPU is not used: .*no GPU/i);
  await until("it learns on the CPU", async () => {
    const { units, bundle } = await state(page);
    return units > 0 && bundle === "threads";
  });
  assert.doesNotMatch(page.url(), /device/);
  // The same by the switch; the run goes on where it was.
  const { units } = await state(page);
  await page.evaluate(() => globalThis.learnery.on("device", () => (globalThis.refusals = 1)));
  await page.locator(".device-switch").getByRole("button", { name: "GPU", exact: true }).click();
  await until("it is refused again", () => page.evaluate(() => globalThis.refusals === 1));
  await until("it is back", async () => (await state(page)).bundle === "threads");
  await until("it learns on", async () => (await state(page)).units > units);
  await page.assertNoErrors();
});
