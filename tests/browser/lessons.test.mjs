// Lessons: a pupil predicts, trains, compares and comes back; a teacher writes one, sees what is wrong and sends it as
// a link; damaged links are told in a sentence; axe finds nothing.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { deflateRawSync } from "node:zlib";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { hosts, openPage, root, test, until } from "./harness.mjs";
import { downloaded } from "./lab.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A lesson of seconds: small runs of the control lab. */
const SMALL = `lesson: Small steps
lab: control
> For the teacher: a note.

# Predict
The agent learns for a short time. <b>This is text</b>, and https://example.org is no link.

@number many
  ask: How many of two runs reach the goal?
  from: 0
  to: 2
  is: short.reached

# Train
@run one
  title: One run
  settings: worlds=8
  units: 2
  dials: learning_rate
  speed: max

@seeds short
  title: Two runs
  settings: worlds=8, eval_episodes=10
  seeds: 2
  units: 2
  dials: gamma

@check trained
  text: Both have been trained.
  when: short.median > 0

@check still
  text: The run has learned nothing.
  when: one.units >= 2 and one.learning_rate = 0

@compare many
  runs: short
  by: units

@sentence why
  ask: Why?
`;

const linkTo = (text) => `#/lesson/own?data=${deflateRawSync(Buffer.from(text)).toString("base64url")}`;

/** What axe calls serious or critical. */
async function assertAccessible(page, what) {
  await page.evaluate(AXE);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run("html", { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  });
  assert.deepEqual(found, [], what);
}

test("lesson by link: a prediction comes first, is compared with the runs, and is kept", async () => {
  const page = await openPage(hosts.isolated, linkTo(SMALL));
  await page.getByRole("heading", { level: 1, name: "Small steps" }).waitFor();
  assert.equal(await page.locator(".lesson-step b, .lesson-step a").count(), 0, "a text became HTML");
  await page.getByRole("button", { name: "Next step" }).press("Enter");
  const train = page.getByRole("button", { name: "Train 2 runs" });
  await page.getByText("First write down your prediction in the step “Predict”.").waitFor();
  assert.ok(await train.isDisabled(), "it trains before the prediction");
  await page.getByRole("button", { name: "Back" }).press("Enter");
  const prediction = page.getByRole("textbox", { name: /How many of two runs/ });
  await prediction.fill("7");
  await page.getByText("“7” is outside of the range that is asked for. Write a whole number from 0 to 2.").waitFor();
  await prediction.fill("1.5");
  await page.getByText("“1.5” is not a whole number. Write a whole number from 0 to 2.").waitFor();
  await prediction.fill("abc");
  await page.getByText("“abc” is not a number. Write a whole number from 0 to 2.").waitFor();
  await prediction.fill("1,0");
  await page.getByText("Kept on this device.").waitFor();
  await page.getByRole("button", { name: "Next step" }).press("Enter");
  assert.equal(await page.locator(".lesson-check.done").count(), 0, "ticked before anything was measured");
  await train.press("Enter"); // a click could miss while the picture above appears
  // The runs go on while another step is open.
  await page.getByRole("button", { name: "Back" }).press("Enter");
  await page.getByRole("button", { name: "Next step" }).press("Enter");
  await page.locator(".lesson-compare-words").getByText("You predicted: 1,0. What happened: 0.").waitFor();
  await page.locator(".lesson-check.done").waitFor();
  // The end of the lesson has the predictions and what happened. Each try stands with what it came to.
  await page.locator(".lesson-summary").getByText("You predicted: 1,0. What happened: 0.").waitFor();
  await page.locator(".lesson-tries").getByText("Discount factor 0.99: 0 of 2 runs reached the goal").waitFor();
  await page.getByRole("button", { name: "Train again" }).waitFor();
  await page.getByRole("slider", { name: "discount factor" }).press("Home");
  await page.getByRole("button", { name: "Train 2 runs" }).press("Enter");
  await page.locator(".lesson-tries li").nth(1).getByText("0 of 2 runs reached the goal").waitFor();
  // One run with its picture and curve. What is set before it begins is meant for it.
  await page.getByRole("slider", { name: "learning rate" }).press("Home");
  await page.getByRole("button", { name: "Start again with these settings" }).waitFor();
  await page.getByRole("button", { name: "Start learning" }).press("Enter");
  await page.getByText("The run has ended in iteration 2.").waitFor(); // not in a later one
  await until("the check of the run is ticked", async () => (await page.locator(".lesson-check.done").count()) === 2);
  // Whoever comes back to the step finds what was set and measured.
  const oneRun = page.locator(".lesson-run").filter({ hasText: "One run" });
  const rate = await oneRun.locator(".lesson-dial-value").innerText();
  await page.getByRole("button", { name: "Back" }).press("Enter");
  await page.getByRole("button", { name: "Next step" }).press("Enter");
  await page.getByText("Measured before, up to iteration 2, with learning rate 0: ").waitFor();
  await oneRun.locator(".lesson-dial-value").getByText(rate, { exact: true }).waitFor();
  await oneRun.locator(".chart-now").filter({ hasText: /\d/ }).waitFor(); // the curve is there again
  await page.getByRole("textbox", { name: "Why?" }).fill("Too short.");
  await page.getByRole("heading", { level: 2 }).click();
  await assertAccessible(page, "lesson");
  await page.reload();
  await page.locator(".lesson-compare-words").getByText("You predicted: 1,0. What happened: 0.").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Why?" }).inputValue(), "Too short.");
  assert.equal(await page.locator(".lesson-tab.done").count(), 2);
  // On a phone the steps stand in a line that scrolls, and none is narrower than its name.
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const isCut = (tabs) => tabs.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length;
  assert.equal(await page.locator(".lesson-tab").evaluateAll(isCut), 0);
  const isInSight = (tab) => tab.getBoundingClientRect().left >= 0 && tab.getBoundingClientRect().right <= innerWidth;
  const current = page.locator(".lesson-tab[aria-current]");
  await until("the open step is in sight in the row of steps", () => current.evaluate(isInSight));
  await page.setViewportSize(wide);
  await page.getByRole("button", { name: "Back" }).press("Enter");
  assert.equal(await prediction.getAttribute("readonly"), "", "the prediction can be changed afterwards");
  // On paper: the answers, and no buttons.
  await page.getByRole("button", { name: "Sheet to print" }).click();
  assert.ok(!(await page.locator(".lesson-sheet").innerText()).includes("Too short."));
  await page.locator(".lesson-sheet").getByText("Name:").waitFor();
  await page.getByText("with my answers").click();
  await page.locator(".lesson-sheet").getByText("Too short.").waitFor();
  await page.locator(".lesson-sheet").getByText("Name:").waitFor(); // answers on paper without a name are nobody's
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.getByRole("button").count(), 0, "buttons are printed");
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: "For teachers" }).click();
  await page.getByText("For the teacher: a note.").waitFor();
  await page.getByRole("button", { name: "Lesson", exact: true }).click();
  await page.getByRole("button", { name: "Clear my answers" }).click();
  await page.getByRole("button", { name: "Really clear all answers and results?" }).click();
  await until("nothing is kept", () =>
    page.evaluate(() => !Object.keys(localStorage).some((key) => key.includes("lesson:"))),
  );
  await page.assertNoErrors();
});

test("editor tells what is wrong with its line, shows the lesson, and sends it as a file and as a link", async () => {
  const page = await openPage(hosts.isolated, "#/lessons");
  for (const lab of labNames(root)) await page.locator(`.lesson-card a[href="#/lesson/${lab}"]`).waitFor();
  await assertAccessible(page, "list of lessons");
  await page.getByRole("link", { name: "Write your own" }).click();
  const text = page.getByRole("textbox", { name: "The text of the lesson" });
  await page.getByText("Nothing is wrong").waitFor();
  await text.fill(SMALL.replace("units: 2\n  dials", "units: two\n  dials"));
  await page.getByText("One thing is wrong").waitFor();
  await page.getByText("“two” is not allowed for units. Write a whole number from 1 to 5000.").waitFor();
  await page.getByRole("button", { name: "Line 18, column 10" }).click();
  assert.equal(await text.evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd)), "two");
  assert.ok(await page.getByRole("button", { name: "Open it as a lesson" }).isDisabled());
  // A mistake far below is scrolled into sight.
  const filler = Array(80).fill("This line of the text is long enough to be broken in the editor. ".repeat(4));
  const middle = (area) => area.scrollTop / (area.scrollHeight - area.clientHeight);
  await text.fill(
    `${SMALL}\n${filler.join("\n\n")}\n\n@sentence last\n  ask: ?\n  lines: many\n\n${filler.join("\n\n")}`,
  );
  await page.getByText("“many” is not allowed for lines.").waitFor();
  await page.getByRole("button", { name: /^Line 2\d\d, column 10$/ }).click();
  const place = await text.evaluate(middle);
  assert.ok(place > 0.4 && place < 0.6, `scrolled to ${place}`);
  await assertAccessible(page, "editor");
  await text.fill(SMALL);
  await page.getByRole("heading", { name: "Small steps" }).waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText(/^(The link to this lesson is copied\.|This browser does not let the page copy\.)/).waitFor();
  await page.reload(); // the draft is kept
  await page.getByRole("heading", { name: "Small steps" }).waitFor();
  // What was saved as a file is opened again with the same text, also in letters of more than one byte.
  const written = SMALL.replace("short time.", "short time – “Zoë”, 李, 🤖.");
  await text.fill(written);
  const saved = await downloaded(page, () => page.getByRole("button", { name: "Save as a file" }).click());
  assert.equal(saved.name, "Small steps.txt");
  const bytes = readFileSync(saved.path);
  assert.equal(bytes.toString(), written);
  await text.fill(SMALL.replaceAll("Small steps", "Another"));
  await page.getByRole("heading", { name: "Another" }).waitFor();
  const openFile = async (name, buffer) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Open a file" }).click();
    await (await chooser).setFiles({ name, mimeType: "text/plain", buffer });
  };
  await openFile(saved.name, bytes);
  await page.getByRole("heading", { name: "Small steps" }).waitFor();
  assert.equal(await text.inputValue(), written);
  // The text that it has replaced can be brought back.
  await page.getByRole("button", { name: "Bring back my earlier text" }).waitFor();
  // A file that is no text, or longer than a lesson may be in bytes or in letters, leaves the text alone.
  for (const [name, buffer, says] of [
    ["picture.txt", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]), "picture.txt is not a text in UTF-8."],
    ["letters.txt", Buffer.alloc(60_001, "a"), "letters.txt is too long to be a lesson."],
    ["bytes.txt", Buffer.alloc(180_001, "a"), "bytes.txt is too long to be a lesson."],
  ]) {
    await openFile(name, buffer);
    await page.getByRole("status").getByText(says, { exact: true }).waitFor();
    assert.equal(await text.inputValue(), written, name);
  }
  await page.getByRole("button", { name: "Open it as a lesson" }).click();
  await page.getByRole("heading", { level: 1, name: "Small steps" }).waitFor();
  // Links that hold no lesson lead to the list, with a sentence.
  for (const [hash, says] of [
    ["#/lesson/own?data=AAAA", "The lesson in this link cannot be read"],
    [linkTo("lesson: L\nlab: chess\n# One\nText"), "a mistake in line 2: There is no lab called “chess”"],
    ["#/lesson/chess", "There is no lesson called “chess”."],
  ]) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.getByRole("alert").getByText(says).waitFor();
  }
  await page.assertNoErrors();
});
