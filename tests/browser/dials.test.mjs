// The dials beside the picture, the settings panel, the sheet of a narrow window, and the speed of training.

import assert from "node:assert/strict";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { hosts, openPage, root, test, until } from "./harness.mjs";
import { SMALL_CUBE, anotherRun, openTool, setFullSpeed, state, untilLearning, untilViews } from "./lab.mjs";

/** Whether an element lies in the window, and not below the dock. */
const inSight = (page, selector) =>
  page.evaluate((selector) => {
    const { top, bottom, height } = document.querySelector(selector).getBoundingClientRect();
    const dock = document.querySelector(".dock").getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= (selector === ".dock" ? innerHeight + 1 : dock.top + 1);
  }, selector);

const dial = (page, name) => page.locator(".dial", { has: page.getByText(name, { exact: true }) });

test("picture, score and run controls are in sight while a dial is turned", async () => {
  for (const lab of labNames(root)) {
    const link = lab === "cube" ? SMALL_CUBE : `#/${lab}`;
    const page = await openPage(hosts.isolated, link, { viewport: { width: 1280, height: 800 } });
    await untilLearning(page);
    const sliders = page.locator(".lab-side .dial:visible input[type=range]");
    for (const slider of [sliders.first(), sliders.last()]) {
      await slider.focus();
      await page.keyboard.press("ArrowLeft");
      // Parts of the page come until some time after the lab learns.
      for (const part of [".score", ".dock"]) await until(`${lab}: ${part} is in sight`, () => inSight(page, part));
      await until(`${lab}: the picture is in sight`, async () => {
        const { y } = await page.locator(".picture").boundingBox();
        return y >= 0 && y < 400;
      });
    }
    await page.assertNoErrors();
    await page.close();
  }
});

test("dial changes a live setting at once, and its reset takes it back", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await page.getByRole("slider", { name: "learning rate" }).focus();
  await page.keyboard.press("ArrowRight");
  const rate = await until("the setting is applied", async () => {
    const { learning_rate } = (await state(page)).config;
    return learning_rate > 0.001 && learning_rate;
  });
  assert.equal(await dial(page, "learning rate").locator(".dial-value").textContent(), String(rate));
  assert.equal(await page.locator("#dial-preset").inputValue(), "", "the settings are those of no preset");
  await page.getByRole("button", { name: "Reset learning rate" }).click();
  await until("the setting is reset", async () => (await state(page)).config.learning_rate === 0.001);
  assert.equal(await page.locator("#dial-preset").inputValue(), "standard");
  // The value of a dial leads to the text box of its setting.
  await dial(page, "discount factor").locator(".dial-value").click();
  const box = page.getByRole("textbox", { name: "discount factor" });
  await box.waitFor();
  await until("the text box has the focus", () => box.evaluate((node) => node === document.activeElement));
  await page.assertNoErrors();
});

test("preset waits as a whole for the restart, and can be discarded", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  const preset = page.locator("#dial-preset");
  const waiting = page.locator(".dials-waiting");
  assert.equal(await waiting.isVisible(), false);
  await preset.selectOption("sprint"); // changes worlds and horizon, and the live settings epochs and minibatches
  await waiting.getByText("Waiting for a restart: 4 changes.").waitFor();
  await untilViews(page);
  const { epochs, worlds } = (await state(page)).config;
  assert.deepEqual([epochs, worlds], [10, 128], "nothing of it is applied");
  await waiting.getByRole("button", { name: "Discard" }).click();
  assert.equal(await waiting.isVisible(), false);
  assert.equal(await preset.inputValue(), "standard");
  await preset.selectOption("sprint");
  const { config } = await anotherRun(page, () => waiting.getByRole("button", { name: "Restart to apply" }).click());
  assert.deepEqual([config.epochs, config.worlds], [6, 32]);
  await page.assertNoErrors();
});

test("only settings that apply to the chosen learner are shown", async () => {
  const page = await openPage(hosts.isolated, "#/backgammon");
  await untilLearning(page); // when the run is opened, its settings take the place of those on the page
  await openTool(page, "Settings");
  const simulations = page.getByRole("textbox", { name: "simulations", exact: true });
  await dial(page, "hidden units").waitFor();
  assert.equal(await simulations.isVisible(), false);
  await page.locator("#dial-learner").selectOption("alphazero");
  await simulations.waitFor();
  await dial(page, "temperature").waitFor();
  await dial(page, "hidden units").waitFor({ state: "hidden" });
  await page.assertNoErrors();
});

test("settings are grouped and can be searched, and changed ones are marked", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await page.getByRole("button", { name: "All settings" }).click();
  const titles = page.locator(".group:visible h3");
  await titles.first().waitFor();
  assert.deepEqual(await titles.allTextContents(), ["Acting", "Learning", "Network", "Measuring", "Seed"]);
  const search = page.getByRole("searchbox", { name: "Search settings" });
  await search.fill("ppo clip");
  assert.deepEqual(await page.locator(".settings .setting:visible label").allTextContents(), ["clip"]);
  await page.getByRole("textbox", { name: "clip" }).fill("0.3");
  await page.keyboard.press("Enter");
  await page.getByText("1 change from the defaults").waitFor();
  await search.fill("no such thing");
  await page.getByText("No setting that has an effect here fits this search.").waitFor();
  await search.fill("");
  assert.ok((await page.locator(".settings .setting:visible").count()) > 15);
  await page.assertNoErrors();
});

test("speed is slow, normal or max, and its measured rate stands beside it", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  const speeds = page.getByRole("group", { name: "Speed of training" });
  const pressed = () => speeds.locator("[aria-pressed=true]").textContent();
  assert.equal(await pressed(), "Normal");
  await setFullSpeed(page);
  assert.equal(await pressed(), "Max");
  await until("the rate is measured", async () =>
    /[\d.]+ [kM]? ?world steps\/s/.test(await page.locator(".rate").textContent()),
  );
  await speeds.getByRole("button", { name: "Slow" }).click();
  assert.equal(await page.locator(".pace").textContent(), "10 steps/s");
  assert.equal(await pressed(), "Slow");
  await page.keyboard.press("Space");
  await until("the rate tells of the pause", async () => (await page.locator(".rate").textContent()) === "paused");
  await page.assertNoErrors();
});

for (const width of [360, 430]) {
  test(`sheet on a phone leaves picture and run controls in sight and in use: ${width} pixels`, async () => {
    const options = { viewport: { width, height: 780 }, hasTouch: true, reducedMotion: "reduce" };
    const page = await openPage(hosts.isolated, "#/control", options);
    await untilLearning(page);
    const open = page.getByRole("button", { name: "Dials" });
    await open.tap();
    const sheet = page.getByRole("dialog", { name: "Dials" });
    await sheet.waitFor();
    await until("the picture is at the upper edge", async () => {
      const { y } = await page.locator(".picture").boundingBox();
      return y >= 0 && y < 60;
    });
    await until("the sheet is between the picture and the dock", async () => {
      const [box, dock] = [await sheet.boundingBox(), await page.locator(".dock").boundingBox()];
      return box.y > 250 && box.y + box.height <= dock.y + 1;
    });
    await sheet.getByRole("slider", { name: "Training speed" }).waitFor();
    await page.getByRole("button", { name: "Pause" }).tap();
    await until("it is paused", async () => !(await state(page)).running);
    await sheet.getByRole("slider", { name: "discount factor" }).focus();
    await page.keyboard.press("ArrowLeft");
    await until("the setting is applied", async () => (await state(page)).config.gamma < 0.99);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    await until("the button has the focus", () => open.evaluate((node) => node === document.activeElement));
    await page.assertNoErrors();
  });

  test(`touch targets on a phone are 44 pixels: ${width} pixels`, async () => {
    const page = await openPage(hosts.isolated, "#/control", { viewport: { width, height: 780 }, hasTouch: true });
    await untilLearning(page);
    await page.getByRole("button", { name: "Dials" }).tap();
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll("button, select, summary, input[type=text], input[type=search], [role=tab]")]
          .map((node) => ({ name: `${node.className} ${node.textContent}`, box: node.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
          .map(({ name, box }) => `${name} ${box.width} × ${box.height}`),
      );
    assert.deepEqual(await small(), []);
    await page.keyboard.press("Escape");
    await openTool(page, "Settings");
    await page.locator(".group summary").first().click();
    assert.deepEqual(await small(), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    await page.assertNoErrors();
  });
}

test("dock does not cover the end of the page", async () => {
  for (const viewport of [
    { width: 375, height: 812 },
    { width: 1280, height: 800 },
  ]) {
    const page = await openPage(hosts.isolated, "#/control", { viewport });
    await untilLearning(page);
    await page.locator(".tools").waitFor();
    // The page grows while parts of it come.
    await until("the tools end above the dock, which is at the lower edge", async () => {
      const [tools, dock] = await page.evaluate(() => {
        scrollTo(0, document.documentElement.scrollHeight);
        return [".tools", ".dock"].map((name) => document.querySelector(name).getBoundingClientRect().toJSON());
      });
      return tools.bottom <= dock.top && Math.abs(dock.bottom - viewport.height) < 2;
    });
    await page.assertNoErrors();
  }
});

test("dials move between the column and the sheet with the width of the window", async () => {
  const page = await openPage(hosts.isolated, "#/control", { viewport: { width: 1280, height: 800 } });
  await untilLearning(page);
  assert.equal(await page.locator(".lab-side .dials").count(), 1);
  await page.setViewportSize({ width: 800, height: 800 });
  await until("they are in the sheet", async () => (await page.locator(".sheet .dials").count()) === 1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await until("they are beside the picture", async () => (await page.locator(".lab-side .dials").count()) === 1);
  await page.locator(".dock-fine .speed").waitFor({ state: "attached" });
  await page.assertNoErrors();
});
