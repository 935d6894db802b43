// The guide of each lab (www/ui/tour.ts): doing what its captions ask leads to its end; it is offered once, can be
// skipped and replayed. Words that explain themselves (www/ui/term.ts) open when they are pointed at, focused or
// tapped.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { hosts, openPage, test, until } from "./harness.mjs";
import { openTool, setFullSpeed, setRunning, untilLearning } from "./lab.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The names of all rules of axe-core that the page breaks. */
const brokenRules = (page) =>
  page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  });

const card = (page) => page.getByRole("dialog", { name: "Guide" });
const offer = (page) => page.getByRole("group", { name: "Guide" });

async function setSetting(page, name, value) {
  const box = page.getByRole("textbox", { name });
  await box.fill(value);
  await box.press("Enter");
}

async function openSettingsAndSet(page, name, value) {
  await openTool(page, "Settings");
  await setSetting(page, name, value);
}

const press = (key) => (page) => page.keyboard.press(key);
const click = (selector) => (page) => page.locator(selector).first().click();
const slide = (key) => (page) => page.getByRole("slider", { name: /^Temperature/ }).press(key);
const watch = () => {};
const tooFast = (rate) => (page) => openSettingsAndSet(page, "learning rate", rate);

/** What the captions of each lab ask for, one after the other. */
const ACTS = {
  control: [
    watch,
    press("ArrowRight"),
    watch,
    press("ArrowLeft"),
    (page) => openSettingsAndSet(page, "discount factor", "0"),
    (page) => setSetting(page, "discount factor", "0.99"),
  ],
  backgammon: [watch, press("n"), click(".candidate"), watch, tooFast("0.1"), watch],
  cube: [press("u"), click(".turn-value"), watch, press("]"), tooFast("0.1"), watch],
  logic: [watch, press("n"), press("w"), watch, tooFast("1"), watch],
  language: [
    click(".language-grid-frame"),
    watch,
    (page) => page.getByRole("button", { name: "Generate again" }).click(),
    click(".language-reading .piece"),
    slide("End"),
    slide("Home"),
  ],
};

/**
 * Presses "Next", unless the caption with this count has gone on by itself, as it does some seconds after its task is
 * done. Both in one task, because it could go on between them.
 */
const pressNext = (page, count) =>
  page.evaluate((count) => {
    const [shown] = document.querySelectorAll(".tour-count");
    if (shown.textContent === count) document.querySelector(".tour-card .primary").click();
  }, count);

for (const [lab, acts] of Object.entries(ACTS)) {
  test(`guide runs to its end by what it asks for: ${lab}`, async () => {
    const page = await openPage(hosts.isolated, `#/${lab}`);
    await untilLearning(page);
    await setFullSpeed(page);
    await offer(page).getByRole("button", { name: "Start" }).click();
    for (const [index, act] of acts.entries()) {
      const count = `${index + 1} of ${acts.length}`;
      const isShown = async () => (await page.locator(".tour-count").textContent()) === count;
      await until(`caption ${count}`, isShown);
      await until(`caption ${count} has a target`, () => page.locator(".tour-outline").isVisible());
      await act(page);
      // A caption that is done and read goes on by itself, perhaps before this sees that it is done.
      await until(
        `caption ${count} is done`,
        async () => (await page.locator(".tour-task.done").count()) > 0 || !(await isShown()),
      );
      // In one lab the captions go on by themselves.
      if (index === acts.length - 1) await card(page).getByRole("button", { name: "Done" }).click();
      else if (lab !== "control") await pressNext(page, count);
    }
    assert.equal(await card(page).count(), 0);
    await page.assertNoErrors();
  });
}

test("offer stays where it is when the first results come", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await offer(page).waitFor();
  const top = () => offer(page).evaluate((element) => element.getBoundingClientRect().top + scrollY);
  const before = await top();
  await page.locator(".story").getByText("It balances the pole").waitFor();
  assert.equal(await top(), before);
  await page.assertNoErrors();
});

test("guide is offered once, skipped by Escape, and replayed by its button", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await offer(page).getByRole("button", { name: "No thanks" }).click();
  assert.equal(await offer(page).isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Guide");
  await page.reload();
  await untilLearning(page);
  assert.equal(await offer(page).isVisible(), false, "it is offered only once");
  // Other labs have guides of their own.
  await page.goto(page.address("#/cube"));
  await until("the offer of another lab", () => offer(page).isVisible());
  await page.goto(page.address("#/control"));
  await untilLearning(page);
  await setRunning(page, false); // captions that wait for training do not go on by themselves
  const replay = page.getByRole("button", { name: "Guide", exact: true });
  await replay.press("Enter");
  await card(page).waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.matches(".tour-card")), "the card has the focus");
  await card(page).getByRole("button", { name: "Next" }).click();
  assert.equal(await page.locator(".tour-count").textContent(), "2 of 6");
  await card(page).getByRole("button", { name: "Back" }).click();
  assert.equal(await page.locator(".tour-count").textContent(), "1 of 6");
  await page.evaluate(AXE);
  assert.deepEqual(await brokenRules(page), []);
  await page.keyboard.press("Escape");
  assert.equal(await card(page).count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Guide");
  await page.assertNoErrors();
});

test("guide of a phone lies above the dock and leaves its target in sight", async () => {
  const page = await openPage(hosts.isolated, "#/control", { viewport: { width: 360, height: 740 }, hasTouch: true });
  await untilLearning(page);
  await offer(page).getByRole("button", { name: "Start" }).tap();
  await card(page).waitFor();
  const boxes = () =>
    page.evaluate(() =>
      [".tour-card", ".world-grid", ".dock"].map((name) =>
        document.querySelector(name).getBoundingClientRect().toJSON(),
      ),
    );
  await until("the target is above the card", async () => {
    const [guide, target, dock] = await boxes();
    return guide.bottom <= dock.top && target.top >= 0 && target.bottom <= guide.top;
  });
  for (const name of ["Next", "End the guide"]) {
    const { width, height } = await card(page).getByRole("button", { name }).boundingBox();
    assert.ok(width >= 44 && height >= 44, `${name} is ${width} by ${height}`);
  }
  await page.assertNoErrors();
});

const explanation = (page) => page.getByRole("tooltip");

test("a word explains itself when it is pointed at or focused, and Escape closes it", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  assert.ok(
    page.loaded().every((file) => !file.includes("explanation")),
    "explanations are loaded with the first word",
  );
  const critic = page.locator(".words").getByRole("button", { name: "critic", exact: true });
  // The word may move away from under the pointer while parts of the page come that are loaded once the lab learns.
  await until(
    "the explanation is shown",
    async () => {
      await critic.hover();
      return explanation(page).isVisible();
    },
    { every: 1000 },
  );
  assert.match(await explanation(page).textContent(), /predicts how much reward/);
  assert.equal(await critic.getAttribute("aria-expanded"), "true");
  await page.mouse.move(5, 5);
  await explanation(page).waitFor({ state: "hidden" });
  await critic.focus();
  await page.keyboard.press("Tab");
  await explanation(page).waitFor();
  assert.doesNotMatch(await explanation(page).textContent(), /^Critic/, "one at a time");
  await page.evaluate(AXE);
  assert.deepEqual(await brokenRules(page), []);
  await page.keyboard.press("Escape");
  await explanation(page).waitFor({ state: "hidden" });
  await page.assertNoErrors();
});

test("a setting's name tells by a tap what turning it up or down does", async () => {
  const page = await openPage(hosts.isolated, "#/control", { viewport: { width: 375, height: 740 }, hasTouch: true });
  await untilLearning(page);
  await openTool(page, "Settings");
  // The search opens the group of the setting, which is closed on a phone.
  await page.locator(".settings").getByRole("searchbox").fill("discount");
  const name = page.locator(".settings").getByRole("button", { name: "discount factor", exact: true });
  await name.tap();
  await explanation(page).waitFor();
  const text = await explanation(page).textContent();
  assert.match(text, /Discount factor.*γ.*Up.*ahead.*Down.*next/);
  const { x, width } = await explanation(page).boundingBox();
  assert.ok(x >= 0 && x + width <= 375, "it fits the window");
  await name.tap();
  await explanation(page).waitFor({ state: "hidden" });
  // The name is still the label of the control.
  assert.equal(await page.getByRole("textbox", { name: "discount factor" }).inputValue(), "0.99");
  await page.assertNoErrors();
});
