// The visitor's own score at the learning curve of the control lab: from the editor for worlds, from races, which are
// played by drag too, and from the large world.

import { deflateRawSync } from "node:zlib";
import { hosts, openPage, test, until } from "./harness.mjs";
import { setRunning, state, untilText } from "./lab.mjs";

/** A world that is played along both axes of the picture. Its steps are worth a point while the dot is to the right. */
const STEER = `world "Steer"
param pull = 1 from 0 to 2
state x = 0
action go from -1 to 1
action lift from -1 to 1
step 0.05 seconds
x' = go
reward if x' > 0.4 and lift > 0.4 then pull else 0
limit 12 steps
observe x
camera at (0, 0) height 8
draw circle at (3 * x, 0) radius 0.5
`;

/** Presses near the upper right corner of a picture. */
async function pressCorner(page, picture) {
  await picture.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await picture.boundingBox();
  await page.mouse.move(x + width * 0.5, y + height * 0.5);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.95, y + height * 0.1);
}

const levelsOf = (page) => page.locator(".goal .chart .unseen");

test("own world: the learning curve has the visitor's best score, and a race is steered by drag", async () => {
  const page = await openPage(hosts.plain, `#/control?show=world.${deflateRawSync(STEER).toString("base64url")}`);
  await untilText(page.locator(".own-world-status"), /^This is a world/);
  await pressCorner(page, page.locator(".own-world-surface"));
  const best = page.locator(".own-world-facts div", { hasText: "Your best score" }).locator("dd");
  await untilText(best, /^12$/);
  await page.mouse.up();
  await page.getByRole("button", { name: "Train on it" }).click();
  await page.locator(".stage.own-run").waitFor();
  await until("it learns", async () => (await state(page)).units > 1);
  const levels = levelsOf(page);
  await untilText(levels, /^Lines across the chart: your best score 12\.$/);
  const untilNoLine = () => until("the line is gone", async () => (await levels.textContent()) === "");

  // Other rules have no score yet.
  const pull = page.getByRole("slider", { name: /The parameter pull/ });
  await pull.focus();
  await page.keyboard.press("End");
  await untilNoLine();
  await page.getByRole("button", { name: "Race the agent" }).click();
  const race = page.getByRole("dialog", { name: "Race the agent: Steer" });
  await race.getByText("or press or drag in your picture").waitFor();
  await race.getByRole("button", { name: "Start" }).click();
  const again = race.getByRole("button", { name: "Race again" });
  await again.waitFor();
  await pressCorner(page, race.locator(".own-run-surface").first());
  await again.press("Enter");
  await race.getByText("You: 24 in 12 steps").waitFor();
  await page.mouse.up();
  await race.getByRole("button", { name: "Close" }).click();
  await untilText(levels, /^Lines across the chart: your best score 24\.$/);

  // In the large world the visitor acts in an episode from its first step to its last.
  await pull.focus();
  await page.keyboard.press("Home");
  await untilNoLine();
  await pressCorner(page, page.locator(".stage.own-run .own-run-surface"));
  await untilText(levels, /^Lines across the chart: your best score 0\.$/);
  await page.mouse.up();
  await page.getByRole("button", { name: "As in the text" }).click();
  await untilText(levels, /your best score 12\.$/);

  await page.locator('.control-worlds [data-value="cartpole"]').click();
  await page.locator(".stage.cartpole").waitFor();
  await untilText(levels, /^Lines across the chart: the goal [\d.]+\.$/);
  await page.assertNoErrors();
});

test("a race in a world of the lab leaves the visitor's score at the learning curve", async () => {
  const page = await openPage(hosts.plain, "#/control?seed=1&worlds=16&eval_episodes=5");
  await untilText(levelsOf(page), /^Lines across the chart: the goal 490\.$/);
  await setRunning(page, false); // a trained agent would play for longer
  await page.getByRole("button", { name: "Race the agent" }).click();
  const race = page.getByRole("dialog", { name: "Race the agent: CartPole" });
  await race.getByRole("button", { name: "Start", exact: true }).click();
  const verdict = await untilText(race.locator(".race-words"), /You: \d+ steps/);
  const [, steps] = /You: (\d+) steps/.exec(verdict);
  await race.getByRole("button", { name: "Close" }).click();
  await untilText(levelsOf(page), new RegExp(`the goal 490 and your best score ${steps}\\.$`));
  // Each world has its own.
  await page.locator('.control-worlds [data-value="pendulum"]').click();
  await untilText(levelsOf(page), /^Lines across the chart: the goal −?\d+\.$/);
  await page.assertNoErrors();
});
