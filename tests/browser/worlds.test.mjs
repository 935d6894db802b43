// Every world of the control lab can be chosen, is drawn, moves and can be pushed. The end of an episode is shown as a
// fall or as an arrival.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { untilLearning, untilText, state } from "./lab.mjs";

/**
 * Each world with its name on the page, a link that opens another world to switch from, and a text on its value map.
 */
const WORLDS = [
  { world: "cartpole", name: "CartPole", from: "#/control?world=acrobot", axis: "angular speed, rad/s" },
  { world: "mountaincar", name: "MountainCar", from: "#/control", axis: "position" },
  { world: "pendulum", name: "Pendulum", from: "#/control", axis: "−180°" },
  { world: "acrobot", name: "Acrobot", from: "#/control", axis: "angle of the upper rod" },
];

const choice = (page, name) => page.getByRole("group", { name: "World" }).getByRole("button", { name });

/** The number of different colours on a canvas. */
const colours = (page, selector) =>
  page.evaluate((selector) => {
    const canvas = document.querySelector(selector);
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, selector);

/** The moving parts of the large drawing, and the numbers beside it. */
const moving = (page) =>
  page.evaluate(() => {
    const transforms = [...document.querySelectorAll(".stage-svg [transform]")].map((e) => e.getAttribute("transform"));
    return [transforms.join(), document.querySelector(".stage-facts").textContent];
  });

for (const { world, name, from, axis } of WORLDS) {
  test(`${name} is chosen by keyboard, drawn, pushed, and remembered by the link`, async () => {
    const page = await openPage(hosts.isolated, from);
    await untilLearning(page);
    assert.notEqual((await state(page)).config.world, world);
    await choice(page, name).focus();
    await page.keyboard.press("Enter");
    await until("the other world", async () => (await state(page)).config.world === world);
    await untilLearning(page);
    assert.equal(await choice(page, name).getAttribute("aria-pressed"), "true");
    assert.equal(await page.locator(".choice[aria-pressed=true]").count(), 1);
    const focused = await page.evaluate(() => document.activeElement.textContent);
    assert.ok(focused.includes(name), "the focus stays");

    await page.locator(`.stage.${world} .stage-svg`).waitFor();
    await until("the training worlds are drawn", async () => (await colours(page, ".world-grid-canvas")) > 10);
    await until("the map is drawn", async () => (await colours(page, ".value-map-canvas")) > 10);
    await page.locator(".value-map", { hasText: axis }).waitFor();
    const before = await moving(page);
    await until("the drawing and its numbers move", async () => {
      const now = await moving(page);
      return now.every((part, i) => part !== before[i]);
    });

    const pushed = () => page.evaluate(() => document.querySelector(".arrow.visitor").classList.contains("shown"));
    await page.keyboard.down("ArrowRight");
    await until("the push is shown", pushed);
    await page.keyboard.up("ArrowRight");
    await until("the push is over", async () => !(await pushed()));

    const link = page.url();
    assert.equal(link.includes(`world=${world}`), world !== "cartpole", link);
    await page.reload();
    await untilLearning(page);
    assert.equal((await state(page)).config.world, world);
    await page.locator(`.stage.${world}`).waitFor();
    await page.assertNoErrors();
  });
}

/**
 * Presses at a fraction of the stage's width, which pulls the world there, until an element that matches `selector`
 * appears. Returns the text about the end of the episode.
 */
async function pullTo(page, fraction, selector) {
  const box = await page.locator(".stage-svg").boundingBox();
  await page.mouse.move(box.x + fraction * box.width, box.y + 0.5 * box.height);
  await page.mouse.down();
  await page.locator(selector).first().waitFor();
  const words = await page.locator(".stage-end").textContent();
  await page.mouse.up();
  return words;
}

test("fall and arrival are told apart", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  assert.match(await pullTo(page, 0.02, ".stage-svg.fell"), /^It (fell|left the track) after [\d,]+ steps?$/);
  assert.equal(await page.locator(".stage-svg.there").count(), 0);

  await choice(page, "MountainCar").click();
  await page.locator(".stage.mountaincar").waitFor();
  await untilLearning(page);
  assert.match(await pullTo(page, 0.98, ".stage-svg.there"), /^At the flag in [\d,]+ steps?$/);
  const fewest = page.locator(".stage-facts div", { hasText: "fewest" }).locator("dd");
  await untilText(fewest, /^\d+$/);
  await page.assertNoErrors();
});

test("world can be chosen after the learner crashed", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await page.evaluate(() => globalThis.learnery.fail("panic"));
  await page.locator(".card.failure").waitFor();
  await choice(page, "Pendulum").click();
  await page.locator(".stage.pendulum").waitFor();
  await untilLearning(page);
  assert.equal(await page.locator(".card.failure").count(), 0);
});
