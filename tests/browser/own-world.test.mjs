// The dialog "Your own world" of the control lab: a text that is checked as one types, its picture, parameters, keys and
// links; and that no text blocks the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateRawSync } from "node:zlib";
import { assertResponsive, hosts, openPage, test, until } from "./harness.mjs";
import { untilLearning, untilText } from "./lab.mjs";

/** The code of axe-core, which sets the global variable `axe`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A world without chance, in which a dot moves by `gain` while one holds a key. */
const DOT = `world "Dot"
about "It moves."
param gain = 1 from 0 to 4
state x = 0
action go: left, none, right
step 0.05 seconds
x' = x + gain * (go - 1)
reward gain
fail when x > 3
limit 1000 steps
camera at (0, 0) height 8
draw circle at (x, 0) radius 0.5
`;

const packed = (text) => deflateRawSync(text).toString("base64url");
const linkOf = (text) => `#/control?show=world.${packed(text)}`;

const dialog = (page) => page.locator("dialog.own-world");
const editor = (page) => page.getByRole("textbox", { name: "The rules of the world" });
const status = (page) => page.locator(".own-world-status");
const surface = (page) => page.locator(".own-world-surface");
const isWorld = (page) => untilText(status(page), /^This is a world/);
/** A fact beside the picture, such as the score. */
const fact = async (page, label) => {
  const named = page.locator(".own-world-facts div", { has: page.getByText(label, { exact: true }) });
  return Number((await named.locator("dd").textContent()).split(" ")[0]);
};

/** Opens the dialog by its card, as a visitor does. */
async function openDialog(page) {
  await page.locator(".own-world-open").click();
  await isWorld(page);
}

/** Replaces the whole text. */
async function type(page, text) {
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** How many pixels of the picture are not of the background. */
const painted = (page) =>
  page.evaluate(() => {
    const canvas = document.querySelector(".own-world-canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i] > 0) count++;
    return count;
  });

test("own world: a wrong line has its message, and the picture follows the text", async () => {
  const page = await openPage(hosts.plain, "#/control");
  await untilLearning(page);
  const before = page.loaded().filter((file) => /own-world|editor-dialog|world-/.test(file));
  assert.deepEqual(before, [], "nothing of the editor is loaded before it is opened");
  await openDialog(page);
  await type(page, DOT);
  await isWorld(page);
  await until("the dot is drawn", async () => (await painted(page)) > 100);
  const small = await painted(page);

  await type(page, DOT.replace("reward gain", "reward gian"));
  const note = page.locator(".world-note");
  await note.waitFor();
  assert.match(await note.textContent(), /gian.*gain/);
  assert.match(await status(page).textContent(), /^1 error;.*Line 8/);
  assert.equal(await page.locator(".cm-line").nth(7).textContent(), "reward gian");
  const [line, under] = [await page.locator(".cm-line").nth(7).boundingBox(), await note.boundingBox()];
  assert.ok(under.y >= line.y + line.height - 2 && under.y < line.y + 2 * line.height + 8, "it stands under its line");

  await type(page, DOT.replace("radius 0.5", "radius 2"));
  await isWorld(page);
  await until("a larger dot", async () => (await painted(page)) > 4 * small);
  await page.assertNoErrors();
});

test("own world: completion, help and the keys that leave the editor", async () => {
  const page = await openPage(hosts.plain, "#/control");
  await untilLearning(page);
  await openDialog(page);
  await type(page, DOT);
  await page.keyboard.type("draw cir");
  await page.locator(".cm-tooltip-autocomplete").getByText("circle").first().waitFor();
  await page.keyboard.press("Escape");
  assert.ok(await dialog(page).isVisible(), "Escape closes the completion only");
  const focused = () => page.evaluate(() => document.activeElement.className);
  assert.equal(await focused(), "own-world-text");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "own-world-text", "Tab indents");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.notEqual(await focused(), "own-world-text");
  await page.locator(".cm-line").nth(2).getByText("param").hover();
  await page.locator(".world-help").getByText("can be changed while the world runs").waitFor();
  await dialog(page).getByRole("button", { name: "Close" }).click();
  assert.equal(await dialog(page).count(), 0);
  await page.assertNoErrors();
});

test("own world: a link opens its text; it is played by keys, with parameters of one's own", async () => {
  const page = await openPage(hosts.plain, linkOf(DOT));
  await isWorld(page);
  assert.match(await editor(page).textContent(), /world "Dot"/);
  const link = page.locator("#own-world-link");
  await until("the link leads to the same text", async () =>
    (await link.inputValue()).includes("#/control?show=world."),
  );

  await page.getByRole("button", { name: "Play it yourself" }).click();
  const gain = page.getByRole("slider", { name: /The parameter gain/ });
  await gain.focus();
  await page.keyboard.press("Home");
  const still = await fact(page, "Score");
  await until("steps go on", async () => (await fact(page, "Steps")) > 20);
  assert.ok((await fact(page, "Score")) <= still + 3, "a gain of 0 is a reward of 0");
  await page.keyboard.press("End");
  await until("the reward has grown", async () => (await fact(page, "Score")) > still + 10);

  // The dot moves to the right by 4 a step, and the episode ends.
  await surface(page).focus();
  await page.keyboard.down("ArrowRight");
  await until("the episode has ended", async () => !Number.isNaN(await fact(page, "Your last score")));
  await page.keyboard.up("ArrowRight");
  assert.ok((await fact(page, "Your best score")) > 10);

  // What was opened and changed is there again.
  await editor(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("# changed\n");
  await until("it is kept", () =>
    page.evaluate(() => localStorage.getItem("learnery:own-worlds")?.includes("# changed")),
  );
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await openDialog(page);
  assert.match(await editor(page).textContent(), /# changed/);
  await page.assertNoErrors();
});

test("own world: every example is a world with a picture", async () => {
  const page = await openPage(hosts.plain, "#/control");
  await untilLearning(page);
  await openDialog(page);
  const cards = page.locator(".own-world-card");
  const count = await cards.count();
  assert.ok(count >= 12, `${count} examples`);
  for (let i = 0; i < count; i++) {
    const title = await cards.nth(i).locator(".own-world-name").textContent();
    await cards.nth(i).click();
    await until(`the text of ${title}`, async () => (await editor(page).textContent()).includes(`world "${title}"`));
    await isWorld(page);
    await until(`a picture of ${title}`, async () => (await painted(page)) > 100);
    assert.ok((await cards.nth(i).locator(".own-world-about").textContent()).length > 10);
  }
  await page.assertNoErrors();
});

test("own world: a fault names its line", async () => {
  const page = await openPage(hosts.plain, linkOf(DOT.replace("reward gain", "reward 1 / (x - x)")));
  const note = page.locator(".world-note", { hasText: "an episode has ended as a failure: a division by zero" });
  await note.waitFor();
  await page.assertNoErrors();
});

test("own world: hostile texts do not block the page", async () => {
  const page = await openPage(hosts.plain, "#/control");
  await untilLearning(page);
  await openDialog(page);
  const hostile = [
    "(".repeat(60_000),
    `${DOT}let a = ${"-".repeat(30_000)}1\n`,
    Array.from({ length: 300 }, (_, i) => `let v${i} = [sum(i * j for j in 0..256) for i in 0..256]`).join("\n"),
    `${DOT}draw text "<img src=x onerror=alert(1)>" at (0, 0)\n`,
  ];
  await assertResponsive(async () => {
    for (const text of hostile.slice(2)) {
      await type(page, text);
      await page.waitForTimeout(500);
    }
  });
  for (const text of hostile.slice(0, 2)) {
    await type(page, text);
    await untilText(status(page), /error/);
  }
  await type(page, DOT);
  await isWorld(page);
  await page.assertNoErrors();
});

test("own world: a program that does not arrive is asked for again", async () => {
  const page = await openPage(hosts.plain, "#/control");
  await untilLearning(page);
  await page.route("**/assets/world-*.wasm", (route) => route.abort());
  await page.locator(".own-world-open").click();
  await untilText(status(page), /could not be checked: the editor's program could not be loaded/);
  await page.unroute("**/assets/world-*.wasm");
  await page.forget();
  await type(page, DOT);
  await isWorld(page);
  await until("the dot is drawn", async () => (await painted(page)) > 100);
  await page.assertNoErrors();
});

test("own world: damaged links say so", async () => {
  const page = await openPage(hosts.plain, "#/control?show=world.AAAA");
  await untilText(status(page), /cannot be read/);
  await page.assertNoErrors();
});

test("own world: no serious findings of axe", async () => {
  const page = await openPage(hosts.plain, linkOf(DOT.replace("reward gain", "reward gian")));
  await page.evaluate(AXE);
  await untilText(status(page), /error/);
  for (const viewport of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const findings = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run("dialog", { resultTypes: ["violations"] });
        return violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
      });
      assert.deepEqual(findings, [], `${viewport.width}, ${colorScheme}`);
    }
  }
  await page.assertNoErrors();
});
