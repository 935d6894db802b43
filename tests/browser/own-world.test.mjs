// Worlds of a visitor's own in the control lab. The dialog "Your own world": a text that is checked as one types, its
// picture, parameters, keys and links; and that no text blocks the page. Runs that learn such a world.
//
// Uses: www/core/replay.ts

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateRawSync } from "node:zlib";
import { assertResponsive, hosts, openPage, test, until } from "./harness.mjs";
import { downloaded, openTool, state, untilLearning, untilText } from "./lab.mjs";

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
  const popup = page.locator(".cm-tooltip-autocomplete");
  await popup.getByText("circle").first().waitFor();
  // What is wrong with the line stands under it, and can be read beside the completion.
  await page.locator(".world-note").waitFor();
  const [note, list] = [await page.locator(".world-note").boundingBox(), await popup.boundingBox()];
  assert.ok(list.y + list.height <= note.y || list.y >= note.y + note.height, "the list covers the error");
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
  await dialog(page).waitFor({ state: "detached" }); // in a task after the press
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
  const best = page.locator(".own-world-facts div", { hasText: "Your best score" }).locator("dd");
  await untilText(best, /^–$/); // a score belongs to its text
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

/** A text with a mistake, whose message would quote it. */
const MISTAKEN = DOT.replace("reward gain", "reward secret_bonus");

test("own world: what is wrong in hidden rules does not tell them", async () => {
  const page = await openPage(hosts.plain, `${linkOf(MISTAKEN)}&hide=rules`);
  await untilText(status(page), /^This world cannot be played, because its rules have a mistake/);
  assert.doesNotMatch(await dialog(page).innerText(), /secret|line \d/i);
  assert.ok(await dialog(page).getByRole("button", { name: "Train on it" }).isDisabled());

  const failing = DOT.replace("reward gain", "reward 1 / (2 - x)").replace("fail when x > 3\n", "");
  await page.evaluate((link) => void (location.hash = link), `${linkOf(failing)}&hide=rules`);
  await isWorld(page);
  await surface(page).focus();
  await page.keyboard.down("ArrowRight");
  await untilText(status(page), /An episode has ended as a failure: a division by zero\./);
  await page.keyboard.up("ArrowRight");

  const data = packed(JSON.stringify({ type: "world", name: "dot.world", text: MISTAKEN }));
  const link = `#/control?seed=5&world=own&worlds=16&hide=rules&data=0:${data}`;
  const other = await openPage(hosts.plain, link);
  const mistake = /[Tt]his world cannot be used, because its rules have a mistake; ask whoever gave you the link/;
  await untilText(other.locator(".replay-words"), mistake);
  assert.doesNotMatch(await other.locator("body").innerText(), /secret/i);
  const embed = await openPage(hosts.plain, `embed.html?autoplay${link}`);
  await untilText(embed.locator(".embed-problems:not([hidden])"), mistake);
  assert.doesNotMatch(await embed.locator("body").innerText(), /secret/i);
  for (const each of [page, other, embed]) await each.assertNoErrors();
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

/** The dot at its goal: the agent learns to hold the key. */
const HOLD = DOT.replace("reward gain", "observe x scale 3\nreward x")
  .replace("fail when x > 3\n", "")
  .replace("limit 1000 steps", "limit 40 steps\nsolved at 100");
const stage = (page) => page.locator(".stage.own-run");
const stageFact = (page, label) => stage(page).locator(".stage-facts div", { hasText: label }).locator("dd");

/** Presses "Train on it", and waits until an agent learns. */
async function train(page) {
  await dialog(page).getByRole("button", { name: "Train on it" }).click();
  await stage(page).waitFor();
  await until("it learns", async () => (await state(page)).units > 1);
}

test("own world: an agent learns it in the second program, and the stage shows it", async () => {
  for (const host of [hosts.plain, hosts.isolated]) {
    const page = await openPage(host, linkOf(HOLD));
    await isWorld(page);
    const ofOwnWorlds = () => page.loaded().filter((file) => /control-own-worlds-[\w-]{8}\.wasm$/.test(file));
    assert.deepEqual(ofOwnWorlds(), [], "a first visit does without it");
    await train(page);
    assert.equal(ofOwnWorlds().length, 1);
    assert.equal((await state(page)).bundle, host.bundle);
    assert.equal(await dialog(page).count(), 0);
    await untilText(stage(page).locator(".stage-title"), /^Dot$/);
    await until("the dot is drawn", async () => (await painted(page)) > 100);
    await untilText(stageFact(page, "steps"), /^\d+ of 40$/);
    assert.match(await page.locator(".goal").textContent(), /100/, "the goal is that of the text");
    await page.assertNoErrors();
  }
});

/** 1 / x has no value three steps to the left, where an agent that tries everything soon comes. */
const TRAP = DOT.replace("state x = 0", "state x = 3")
  .replace("gain * (go - 1)", "go - 1")
  .replace("reward gain", "observe x scale 3\nreward 1 / x")
  .replace("fail when x > 3\n", "");

test("own world: faults in training name their line below the training worlds, and in the large world", async () => {
  const page = await openPage(hosts.plain, linkOf(TRAP));
  await isWorld(page);
  await train(page);
  const fault = page.locator(".own-run-fault");
  const line = 1 + TRAP.split("\n").findIndex((each) => each.startsWith("reward"));
  const words = new RegExp(`episodes? .* line ${line}, “reward 1 / x”: a division by zero`);
  await untilText(fault, words);
  // The visitor goes to where x is 0.
  await stage(page).locator(".own-run-surface").focus();
  await page.keyboard.down("ArrowLeft");
  await untilText(stage(page).locator(".stage-end.shown"), new RegExp(`^Failed: line ${line}.*: a division by zero`));
  await page.keyboard.up("ArrowLeft");
  await page.assertNoErrors();
});

test("own world: sliders, axes and the visitor change the stage", async () => {
  const page = await openPage(
    hosts.plain,
    linkOf(HOLD.replace("observe x scale 3", "observe x scale 3, gain scale 4")),
  );
  await isWorld(page);
  await train(page);
  const gain = page.getByRole("slider", { name: /The parameter gain/ });
  await gain.focus();
  await page.keyboard.press("End");
  const changes = () => page.evaluate(() => globalThis.learnery.changes.map(({ data }) => data?.command?.parameters));
  await until("the run has the value", async () => (await changes()).some((parameters) => parameters?.gain === 4));
  await page.getByRole("combobox", { name: "Observation on the horizontal axis" }).selectOption("gain");
  await untilText(page.locator(".value-map-x"), /gain/);
  await stage(page).locator(".own-run-surface").focus();
  await page.keyboard.down("ArrowLeft");
  await until("it goes to the left", async () => /^−/.test(await stageFact(page, "score").textContent()));
  await page.keyboard.up("ArrowLeft");
  // A race says in which world it is, and how it is played, before it begins.
  await page.getByRole("button", { name: "Race the agent" }).click();
  const race = page.getByRole("dialog", { name: "Race the agent: Dot" });
  await race.getByText("To play: ← or 1 for left, ").waitFor();
  await page.assertNoErrors();
});

test("own world: its rules are edited from the stage, and a restart learns the same world", async () => {
  const page = await openPage(hosts.plain, linkOf(HOLD));
  await isWorld(page);
  await train(page);
  await stage(page).getByRole("button", { name: "Edit the rules" }).click();
  await isWorld(page);
  assert.match(await editor(page).textContent(), /limit 40 steps/);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  const before = await page.evaluate(() => globalThis.learnery.note.id);
  await page.locator(".dock .restart").click();
  await until("another run", () => page.evaluate((id) => globalThis.learnery.note.id !== id, before));
  await until("it has its world", () => page.evaluate(() => globalThis.learnery.changes.some(({ data }) => data)));
  await untilText(stage(page).locator(".stage-title"), /^Dot$/);
  await page.assertNoErrors();
});

test("own world: a link hides the editor, so the rules are read, or hides the rules too", async () => {
  const page = await openPage(hosts.plain, `${linkOf(HOLD)}&hide=editor`);
  await isWorld(page);
  assert.match(await editor(page).textContent(), /limit 40 steps/);
  await editor(page).click();
  await page.keyboard.insertText("limit 9 steps");
  await page.keyboard.press("Tab");
  assert.doesNotMatch(await editor(page).textContent(), /limit 9/);
  assert.notEqual(await page.evaluate(() => document.activeElement.className), "own-world-text", "Tab leaves it");
  for (const name of ["New world", "Open a file", "Forget this text"])
    assert.equal(await dialog(page).getByRole("button", { name }).count(), 0, name);
  assert.equal(await page.locator(".own-world-card").count(), 0);
  await until("its link hides it too", async () =>
    (await page.locator("#own-world-link").inputValue()).endsWith("&hide=editor"),
  );
  await train(page);
  assert.ok(await page.locator(".own-world-open").isHidden());
  await until("the address hides it after a reload", () => page.url().includes("&hide=editor&data="));
  assert.equal(await page.evaluate(() => localStorage.getItem("learnery:own-worlds")), null, "nothing is kept");
  await stage(page).getByRole("button", { name: "Read the rules" }).click();
  await isWorld(page);
  assert.match(await editor(page).textContent(), /limit 40 steps/);

  await page.evaluate((link) => void (location.hash = link), `${linkOf(HOLD)}&hide=rules`);
  await dialog(page).getByRole("heading", { name: "This world", exact: true }).waitFor();
  await isWorld(page);
  await until("the dot is drawn", async () => (await painted(page)) > 100);
  assert.equal(await editor(page).count(), 0);
  assert.equal(await page.locator("#own-world-link").count(), 0);
  await page.getByRole("button", { name: "Play it yourself" }).click();
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await stage(page)
    .getByRole("button", { name: /the rules/ })
    .waitFor({ state: "hidden" });

  await page.evaluate(() => void (location.hash = "#/control?world=own"));
  await stage(page).getByRole("button", { name: "Edit the rules" }).waitFor();
  assert.ok(await page.locator(".own-world-open").isVisible());
  await page.assertNoErrors();
});

test("own world: a checkpoint is opened with the second program", async () => {
  const page = await openPage(hosts.plain, linkOf(HOLD));
  await isWorld(page);
  await train(page);
  const { path } = await downloaded(page, () => page.keyboard.press("s"));
  await page.locator('.control-worlds [data-value="cartpole"]').click();
  await page.locator(".stage.cartpole").waitFor();
  assert.equal(await stage(page).count(), 0);
  await page.evaluate(
    (bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], "dot.safetensors"));
      dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [...readFileSync(path)],
  );
  await untilText(stage(page).locator(".stage-title"), /^Dot$/);
  await page.assertNoErrors();
});

test("own world: a link with the text of a run is repeated, and stays in the address", async () => {
  const command = JSON.stringify({ type: "world", name: "dot.world", text: HOLD, parameters: { gain: 3 } });
  const page = await openPage(hosts.plain, `#/control?seed=5&world=own&worlds=16&horizon=16&data=0:${packed(command)}`);
  await untilText(stage(page).locator(".stage-title"), /^Dot$/);
  await until("it learns", async () => (await state(page)).units > 1);
  assert.equal(await page.evaluate(() => globalThis.learnery.changes[0].data.command.parameters.gain), 3);
  await until("the address has the text", () => page.evaluate(() => location.hash.includes("&data=0:")));
  await openTool(page, "Share and save");
  const link = page.locator("#share-link");
  await until("the link has it, too", async () => (await link.inputValue()).includes("&data=0:"));
  const other = await openPage(hosts.plain, new URL(await link.inputValue()).hash);
  await untilText(stage(other).locator(".stage-title"), /^Dot$/);
  await page.assertNoErrors();
  await other.assertNoErrors();
});

test("own world: an embed learns the world of its link", async () => {
  const command = JSON.stringify({ type: "world", name: "dot.world", text: HOLD });
  const data = `&data=0:${packed(command)}`;
  const page = await openPage(
    hosts.plain,
    `embed.html?autoplay&show=choice&hide=editor#/control?seed=5&world=own&worlds=16${data}`,
  );
  await untilText(stage(page).locator(".stage-title"), /^Dot$/);
  await until("it learns", async () => (await state(page)).units > 1);
  assert.equal(await page.evaluate(() => globalThis.learnery.changes[0].unit), 0);
  await until("the dot is drawn", async () => (await painted(page)) > 100);
  await until("its link has the world, and hides its editor", async () =>
    (await page.locator(".embed-link").getAttribute("href")).includes("&hide=editor&data=0:"),
  );
  // Another world needs the other program.
  await page.locator('.control-worlds [data-value="cartpole"]').click();
  await page.locator(".stage.cartpole").waitFor();
  await until("it learns CartPole", async () => (await state(page)).units > 1);
  assert.deepEqual(await page.evaluate(() => globalThis.learnery.changes), []);
  await page.assertNoErrors();
});
