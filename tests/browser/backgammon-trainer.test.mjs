// The trainer of the backgammon lab: mistakes of a match from a file become cards, whose schedule is that of the answers
// after a reload; the positions of the day, also after a reload; the cards as a text for Anki; the cube at every score.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { hosts, openPage, test, until } from "./harness.mjs";
import { dropText, setRunning, untilLearning } from "./lab.mjs";

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

/** The kept cards, in the order in which they are asked. */
const keptCards = async (page) => {
  const text = await page.evaluate(() => localStorage.getItem("learnery:backgammon-cards"));
  return JSON.parse(text).cards.sort((a, b) => b.decision.cost - a.decision.cost);
};

const CUBE_LABELS = { roll: "No double", double: "Double", take: "Take", pass: "Pass" };

/** What was chosen in the match, and what is best, as the buttons name it. */
const labels = ({ decision: { cubeReview, notations } }) =>
  cubeReview ? [cubeReview.chosen, cubeReview.best].map((choice) => CUBE_LABELS[choice]) : notations;

/** Words of a card's question. */
const question = ({ decision: { dice, cubeReview } }) => (cubeReview ? "?" : `has rolled ${dice.join("-")}.`);

test("mistakes of a match become cards, and those that are due are so after a reload", async () => {
  const page = await openBackgammon();
  await dropText(page, "match.mat", readFileSync(MATCH, "utf8"));
  const viewer = page.getByRole("dialog", { name: /^Ada against Ben/ });
  await viewer.getByRole("group", { name: "Practise the mistakes of" }).getByRole("button", { name: "Ada" }).click();
  const trainer = page.getByRole("dialog", { name: "Trainer" });
  await trainer.locator(".trainer-option").first().waitFor();
  const cards = await keptCards(page);
  const count = cards.length;
  assert.ok(count > 3, `${count} cards`);
  assert.equal(await status(trainer), `${count} new cards. ${count} of ${count} cards are due.`);

  // The card that cost most is answered right, the next one as in the match, the next one right.
  const right = [cards[0], cards[2]];
  for (const card of cards.slice(0, 3)) {
    await trainer.locator(".viewer-text").getByText(question(card)).waitFor();
    const [played, best] = labels(card);
    const isRight = right.includes(card);
    await trainer.getByRole("button", { name: isRight ? best : played, exact: true }).click();
    const words = isRight ? "This card comes back tomorrow." : "This card comes back in this round.";
    await trainer.getByText(words).waitFor();
    assert.equal(await trainer.locator(".trainer-option.best").count(), 1);
    assert.equal(await trainer.locator(".trainer-option.best.chosen").count(), Number(isRight));
    assert.ok((await trainer.locator(".trainer-option").count()) <= 6);
    const before = card.decision.cubeReview ? "Before the decision" : "Before the roll";
    await trainer.getByRole("rowheader", { name: before }).waitFor();
    // The mistake costs here what it cost in the analysis.
    const options = await trainer.locator(".trainer-option").allTextContents();
    const cost = options.find((option) => option.startsWith(`${played}−`))?.slice(played.length + 1);
    assert.ok(Math.abs(Number(cost) - card.decision.cost) < 0.001, `${options.join()} ${card.decision.cost}`);
    await trainer.getByRole("button", { name: "Next" }).click();
  }

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    trainer.getByRole("button", { name: "Export for Anki" }).click(),
  ]);
  const text = readFileSync(await file.path(), "utf8");
  assert.equal(text.split("\n").filter((line) => line.startsWith("<svg ")).length, count);
  await trainer.getByRole("button", { name: "Close" }).click();
  await page.assertNoErrors();

  await page.reload();
  await untilLearning(page);
  await page.getByRole("button", { name: "Trainer" }).click();
  await trainer.locator(".trainer-option").first().waitFor();
  const due = count - right.length;
  assert.equal(await status(trainer), `${due} of ${count} cards ${due === 1 ? "is" : "are"} due.`);
  const now = Date.now();
  const later = (await keptCards(page)).filter((card) => card.due > now);
  assert.deepEqual(
    later.map(({ id, box }) => [id, box]),
    right.map(({ id }) => [id, 1]),
  );
  // The card that was answered wrong costs most of the others.
  await trainer.locator(".viewer-text").getByText(question(cards[1])).waitFor();
  await page.assertNoErrors();
});

test("ten positions of the day are answered without cards of one's own, and stay answered after a reload", async () => {
  const page = await openBackgammon();
  await page.getByRole("button", { name: "Trainer" }).click();
  const trainer = page.getByRole("dialog", { name: "Trainer" });
  await trainer.getByText(/^You have no cards yet/).waitFor();
  await trainer.getByRole("button", { name: "Today's ten" }).click();
  for (let i = 0; i < 10; i++) {
    await trainer.getByText(new RegExp(`^${10 - i} of 10 positions are left today`)).waitFor();
    await trainer.locator(".trainer-option").nth(1).waitFor();
    await answer(trainer, 0);
    if (i === 3) {
      await page.reload();
      await untilLearning(page);
      await page.getByRole("button", { name: "Trainer" }).click();
      await trainer.getByRole("button", { name: "Today's ten" }).click();
      continue;
    }
    await trainer.getByRole("button", { name: "Next" }).click();
  }
  await trainer.getByText(/^That was all for today/).waitFor();
  await page.assertNoErrors();
});

/**
 * A bear-off whose chances are known exactly, so that the agent of the moment does not matter, and what
 * `learnery backgammon scores --plies 1` says about it.
 */
const BEAR_OFF = "---B-A---------------ab---";
const ADVICE = ["–––––––", "PPTNTTT", "TPPTTTT", "PTTTTTT", "TTTTTTT", "PTTTTTT", "TTTTTTT"];

test("the cube is judged at every score", async () => {
  const page = await openBackgammon();
  await page
    .getByRole("group", { name: "Speed of the game on the board" })
    .getByRole("button", { name: "Stop" })
    .click();
  await page.goto(page.address(`#/backgammon?show=${BEAR_OFF}:0:0:1:00:0:0:0:0:10`));
  await until("the position is on the board", async () => {
    const pips = await page.locator(".seat-figure:nth-child(3) .num").allTextContents();
    return pips.join() === "11,10";
  });
  await page.getByRole("button", { name: "Look ahead" }).click();
  await page.getByRole("button", { name: "Cube at every score" }).click();
  const dialog = page.getByRole("dialog", { name: "The cube at every score" });
  await until("all scores are judged", async () => (await dialog.locator("td.advice").count()) === 49);
  const letters = await dialog.locator("td.advice").allTextContents();
  assert.equal(letters.join(""), ADVICE.join(""));
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.assertNoErrors();
});
