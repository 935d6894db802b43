// The trainer of the backgammon lab: mistakes of a match from a file become cards, which are due again after a reload;
// the positions of the day; the cards as a text for Anki; the cube at every score.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hosts, openPage, test, until } from "./harness.mjs";
import { setRunning, untilLearning } from "./lab.mjs";

const MATCH = fileURLToPath(new URL("../../crates/match-files/src/tests/match.mat", import.meta.url));

async function openBackgammon() {
  const page = await openPage(hosts.isolated, "#/backgammon", { viewport: { width: 1280, height: 960 } });
  await untilLearning(page);
  await setRunning(page, false); // the trainer needs no training
  await page.getByText("Matches and analysis").click();
  return page;
}

/** Chooses the option with this index, and waits for the verdict. */
async function answer(trainer, i) {
  await trainer.locator(".trainer-option").nth(i).click();
  await trainer
    .locator(".viewer-verdict")
    .getByText(/best|better/)
    .waitFor();
}

/** How many cards are due, in the words of the trainer. */
const status = (trainer) => trainer.locator("[role=status].quiet").first().textContent();

test("mistakes of a match become cards, and are due again after a reload", async () => {
  const page = await openBackgammon();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Analyse a match file" }).click();
  await (await chooser).setFiles(MATCH);
  const viewer = page.getByRole("dialog", { name: /^Ada against Ben/ });
  await viewer.getByRole("group", { name: "Practise the mistakes of" }).getByRole("button", { name: "Ada" }).click();
  const trainer = page.getByRole("dialog", { name: "Trainer" });
  await trainer.locator(".trainer-option").first().waitFor();
  const [, added, due] = /^(\d+) new cards?\. (\d+) of \d+ cards? (?:is|are) due\.$/.exec(await status(trainer)) ?? [];
  assert.ok(Number(added) > 2 && added === due, await status(trainer));
  assert.match(await trainer.locator(".viewer-text").textContent(), /Ada/);

  // The best answer: the card comes back on another day. It is found by its mark after a wrong one.
  await trainer.getByRole("button", { name: "Cube" }).click();
  const cubes = await trainer.locator(".trainer-option").allTextContents();
  assert.equal(cubes.length, 2, cubes.join());
  await answer(trainer, 0);
  const isRight = (await trainer.locator(".trainer-option.best.chosen").count()) === 1;
  await trainer.getByText(isRight ? "This card comes back tomorrow." : "This card comes back in this round.").waitFor();
  await trainer.getByRole("button", { name: "Next" }).click();
  await trainer.getByRole("button", { name: "All kinds" }).click();

  // A play: a wrong choice says what it costs.
  await until("a play is asked for", async () => {
    if (/has rolled/.test(await trainer.locator(".viewer-text").textContent())) return true;
    await trainer.locator(".trainer-option").first().waitFor();
    await answer(trainer, 0);
    await trainer.getByRole("button", { name: "Next" }).click();
    return false;
  });
  await trainer.locator(".trainer-option").nth(1).waitFor();
  assert.ok((await trainer.locator(".trainer-option").count()) <= 6);
  await answer(trainer, 0);
  assert.equal(await trainer.locator(".trainer-option.best").count(), 1);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    trainer.getByRole("button", { name: "Export for Anki" }).click(),
  ]);
  const text = readFileSync(await file.path(), "utf8");
  assert.equal(text.split("\n").filter((line) => line.startsWith("<svg ")).length, Number(added));
  await trainer.getByRole("button", { name: "Close" }).click();
  await page.assertNoErrors();

  await page.reload();
  await untilLearning(page);
  await page.getByRole("button", { name: "Trainer" }).click();
  await trainer.locator(".trainer-option").first().waitFor();
  const [, left] = /^(\d+) of \d+ cards? (?:is|are) due\.$/.exec(await status(trainer)) ?? [];
  assert.ok(Number(left) > 0 && Number(left) <= Number(added), await status(trainer));
  await page.assertNoErrors();
});

test("ten positions of the day are answered without cards of one's own", async () => {
  const page = await openBackgammon();
  await page.getByRole("button", { name: "Trainer" }).click();
  const trainer = page.getByRole("dialog", { name: "Trainer" });
  await trainer.getByText(/^You have no cards yet/).waitFor();
  await trainer.getByRole("button", { name: "Today's ten" }).click();
  for (let i = 0; i < 10; i++) {
    await trainer.getByText(new RegExp(`^${10 - i} of 10 positions are left today`)).waitFor();
    await trainer.locator(".trainer-option").nth(1).waitFor();
    await answer(trainer, 0);
    await trainer.getByRole("button", { name: "Next" }).click();
  }
  await trainer.getByText(/^That was all for today/).waitFor();
  await page.assertNoErrors();
});

test("the cube is judged at every score", async () => {
  const page = await openBackgammon();
  await page.getByRole("button", { name: "Look ahead" }).click();
  await page.getByRole("button", { name: "Cube at every score" }).click();
  const dialog = page.getByRole("dialog", { name: "The cube at every score" });
  await until("all scores are judged", async () => (await dialog.locator("td.advice").count()) === 49);
  const letters = await dialog.locator("td.advice").allTextContents();
  assert.ok(
    letters.every((letter) => ["N", "T", "P", "G", "–"].includes(letter)),
    letters.join(""),
  );
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.assertNoErrors();
});
