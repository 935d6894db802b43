// The guide of each lab (www/ui/tour.ts): doing what its captions ask leads to its end, and so does the button that
// shows it; nothing is marked that was not done; it is offered once, can be skipped and replayed. Words that explain
// themselves (www/ui/term.ts) open when they are pointed at, focused or tapped.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { hosts, openPage, test, until } from "./harness.mjs";
import {
  KEEP_NOTICES,
  SMALL_CUBE,
  openTool,
  setFullSpeed,
  setRunning,
  state,
  untilLab,
  untilLearning,
} from "./lab.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The names of all rules of axe-core that the page breaks. */
const brokenRules = (page) =>
  page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
  });

const card = (page) => page.getByRole("dialog", { name: "Tour" });
const offer = (page) => page.getByRole("group", { name: "Tour" });

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
const watch = () => {};
const setRate =
  (rate, name = "learning rate") =>
  (page) =>
    openSettingsAndSet(page, name, rate);
/** Annealing, which lowers the learning rate in long runs, is switched off. */
const setRateWithoutAnnealing =
  (rate, name = "learning rate") =>
  async (page) => {
    await openSettingsAndSet(page, "annealing", "0");
    await setSetting(page, name, rate);
  };

/**
 * Points at another play until the caption is marked. A turn may have only one play, and the next turn follows by
 * itself; and while the page scrolls to the caption's target, a play moves away from the pointer.
 */
const pointAtPlay = (page) =>
  until("another play is pointed at", async () => {
    const other = page.locator("li.candidate:not(:first-child):not(.none)").first();
    if ((await other.count()) > 0) await other.hover();
    return (await marked(page, "3 of 8")) !== null;
  });

/** Brings the good agent back, unless it has recovered meanwhile. */
const bringBack = (page) => askToShow(page);

/** What the captions of each lab ask for, one after the other. */
const ACTS = {
  control: [watch, press("ArrowRight"), watch, press("ArrowLeft"), setRate("0.1"), watch, setRate("0.001"), bringBack],
  backgammon: [watch, press("n"), pointAtPlay, watch, setRate("0.1"), watch, setRate("0.002"), bringBack],
  cube: [
    press("u"),
    click(".turn-value"),
    setFullSpeed,
    watch,
    setRateWithoutAnnealing("0.1"),
    watch,
    setRate("0.003"),
    bringBack,
  ],
  logic: [
    watch,
    watch,
    watch,
    press("w"),
    setRate("1", "weight decay"),
    watch,
    setRate("0.01", "weight decay"),
    bringBack,
  ],
  language: [
    click(".language-grid-frame"),
    watch,
    (page) => page.getByRole("button", { name: "Generate again" }).click(),
    click(".language-reading .piece"),
    setRateWithoutAnnealing("0.5", "Muon rate"),
    watch,
    setRate("0.02", "Muon rate"),
    bringBack,
  ],
};

const count = (page) => page.locator(".tour-count").textContent();
const isMarked = async (page) => (await page.locator(".tour-task.done").count()) > 0;
/** The button that goes on: "Skip" or "End" while the task is open, "Next" or "Done" afterwards. */
const onward = (page) => page.locator(".tour-buttons .button").last();

/**
 * Starts the guide, and notes from then on what it shows, because its captions go on by themselves: whether each of
 * them had a target, and once its task is marked, the outcome and what the last button says.
 */
async function startGuide(page) {
  await page.evaluate(() => {
    const captions = (globalThis.notedCaptions = {});
    const note = () => {
      const read = (selector) => document.querySelector(selector)?.textContent;
      const place = read(".tour-count");
      if (!place) return;
      const caption = (captions[place] ??= { hasTarget: false, marked: null });
      caption.hasTarget ||= !document.querySelector(".tour-outline").hidden;
      if (document.querySelector(".tour-task.done"))
        caption.marked = { outcome: read(".tour-outcome"), label: read(".tour-buttons .button:last-child") };
    };
    const everything = { subtree: true, childList: true, characterData: true, attributes: true };
    new MutationObserver(note).observe(document.body, everything);
  });
  await offer(page).getByRole("button", { name: "Take the tour" }).click();
}

/** What was noted of a caption; undefined before it was shown. */
const noted = (page, place) => page.evaluate((place) => globalThis.notedCaptions[place], place);
/** What was noted when a caption's task was marked; null before that. */
const marked = async (page, place) => (await noted(page, place))?.marked;

/** Presses the button that does the task, or helps the run to do it, if there is one. */
const askToShow = (page) =>
  page.evaluate(() => {
    const isOne = ({ hidden, textContent }) => !hidden && /^(Show me|Run|Max speed|Bring it back)$/.test(textContent);
    [...document.querySelectorAll(".tour-buttons .button")].find(isOne)?.click();
  });

/**
 * Goes on from a caption that is done, unless the tour has done so by itself. A press just after the tour has gone on
 * is ignored, so it presses until another caption is shown, or none.
 */
const goOnFrom = (page, place) =>
  until(`the tour goes on from ${place}`, () =>
    page.evaluate((place) => {
      const isSame = document.querySelector(".tour-count")?.textContent === place;
      if (isSame && document.querySelector(".tour-task.done"))
        document.querySelector(".tour-buttons .button:last-child").click();
      return !isSame;
    }, place),
  );

/** Skips captions until one says this. It looks and presses at once, because captions go on by themselves. */
const skipTo = (page, words) =>
  until(words, () =>
    page.evaluate((words) => {
      const guide = document.querySelector(".tour-card");
      if (!guide) return false; // it is being loaded
      const isThere = guide.textContent.includes(words);
      if (!isThere) guide.querySelector(".tour-buttons .button:last-child").click();
      return isThere;
    }, words),
  );

/** The metric that shows in each lab that learning breaks, and whether it rises or falls. */
const OUTCOMES = {
  control:
    /^The (test score fell|jump in its choices \(KL divergence\) rose) from \S+ to \S+ within \d+ iterations?\.$/,
  backgammon: /^The error of its predictions \(loss\) rose from \S+ to \S+ within \d+ rounds?\.$/,
  cube: /^The share of solved states fell from \S+ to \S+ within \d+ iterations?\.$/,
  logic: /^The soft error rose from \S+ to \S+ within \d+ iterations?\.$/,
  language: /^The (share of right answers fell|training loss rose) from \S+ to \S+ within \d+ iterations?\.$/,
};

/**
 * Settings with which a run learns soon. The guides of two labs wait until something has been learned. For that, some
 * seeds need five times as many iterations in logic, and twice as many in the cube (tests/golden/curves). The cube is
 * tested after each iteration.
 */
const LEARNS_SOON = { logic: "?seed=7", cube: "?seed=2&judge_every=1" };

/** Opens a lab for its guide, at max speed unless the speed is itself a task. */
async function openForGuide(lab) {
  const page = await openPage(hosts.isolated, `#/${lab}${LEARNS_SOON[lab] ?? ""}`);
  await untilLearning(page);
  if (lab !== "cube") await setFullSpeed(page);
  return page;
}

/** So many captions go on by themselves in the control lab: one that is watched, and one that asks for an act. */
const ALONE = 2;

for (const [lab, acts] of Object.entries(ACTS)) {
  test(`guide runs to its end by what it asks for: ${lab}`, async () => {
    const page = await openForGuide(lab);
    await startGuide(page);
    for (const [index, act] of acts.entries()) {
      const place = `${index + 1} of ${acts.length}`;
      await until(`caption ${place} has a target`, async () => (await noted(page, place))?.hasTarget);
      if (act !== watch && act !== bringBack)
        assert.equal(await marked(page, place), null, `caption ${place} is marked before the act`);
      await act(page);
      const { outcome, label } = await until(`caption ${place} is done`, () => marked(page, place));
      const isLast = index === acts.length - 1;
      assert.equal(label, isLast ? "Done" : "Next");
      // The third from the end tells how learning broke.
      if (index === acts.length - 3) assert.match(outcome, OUTCOMES[lab]);
      // In one lab the first captions go on by themselves, after the time in which one reads them.
      if (lab !== "control" || index >= ALONE || isLast) await goOnFrom(page, place);
    }
    assert.equal(await card(page).count(), 0);
    await page.assertNoErrors();
  });

  test(`guide does every task on request: ${lab}`, async () => {
    const page = await openForGuide(lab);
    await startGuide(page);
    const before = (await state(page)).config;
    let last = "";
    while (last !== "Done") {
      const place = await count(page);
      const isDone = async () => {
        const found = await marked(page, place);
        if (!found) await askToShow(page);
        return found;
      };
      // A control may not be usable at once, such as a play where there is no choice, so it is asked again.
      const { label } = await until(`caption ${place} is done`, isDone, { every: 500 });
      await goOnFrom(page, place);
      last = label;
    }
    assert.equal(await card(page).count(), 0);
    assert.deepEqual((await state(page)).config, before, "the settings are what they were");
    await page.assertNoErrors();
  });
}

test("a task that is skipped is not marked, and nothing is said of what was not done", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await setRunning(page, false);
  await offer(page).getByRole("button", { name: "Take the tour" }).click();
  const seen = [];
  for (let isLast = false; !isLast;) {
    seen.push(await count(page));
    assert.equal(await isMarked(page), false, seen.at(-1));
    assert.equal(await page.locator(".tour-outcome").textContent(), "");
    const label = await onward(page).textContent();
    isLast = label === "End";
    if (!isLast) assert.equal(label, "Skip");
    await onward(page).click();
  }
  // The captions about a broken run are passed over, because nothing broke it.
  assert.deepEqual(
    seen,
    [1, 2, 3, 4, 5].map((index) => `${index} of 8`),
  );
  assert.equal(await card(page).count(), 0);
  assert.equal((await state(page)).config.learning_rate, 0.001);
  await page.assertNoErrors();
});

test("guide of a paused run asks for the run first", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await setRunning(page, false);
  await startGuide(page);
  await card(page).getByText("Training is paused. Press “Run training”.").waitFor();
  await card(page).getByRole("button", { name: "Run", exact: true }).click();
  await until("it runs", async () => (await state(page)).running);
  await until("the first caption is done", () => marked(page, "1 of 8"));
  await page.assertNoErrors();
});

test("who ends the guide after breaking the run is offered to mend it", async () => {
  const page = await openPage(hosts.isolated, "#/control", KEEP_NOTICES);
  await untilLearning(page);
  await startGuide(page);
  await skipTo(page, "Break it.");
  await card(page).getByRole("button", { name: "Show me" }).click();
  const rate = async () => (await state(page)).config.learning_rate;
  await until("the setting is turned up", async () => (await rate()) === 0.1);
  await page.keyboard.press("Escape");
  const notice = page.locator("[data-notice=tour]");
  // Whether it has got worse by now depends on the machine.
  await notice.getByText(/^The learning rate (is still set to|of) 0\.1.* 0\.001\.$/).waitFor();
  await notice.getByRole("button", { name: /^(Set it back|Bring it back in a new run)$/ }).click();
  await until("the setting is as it was", async () => (await rate()) === 0.001);
  await page.assertNoErrors();
});

test("guide of stories tells how probable is what it writes at a high temperature", async () => {
  const page = await openPage(hosts.isolated, "#/language?source=stories&width=32&layers=1&length=64&batch=8");
  await untilLearning(page);
  await startGuide(page);
  await skipTo(page, "Break it.");
  assert.equal(await marked(page, "4 of 5"), null);
  await card(page).getByRole("button", { name: "Show me" }).click();
  const { outcome } = await until("it has written enough", () => marked(page, "4 of 5"));
  assert.match(outcome, /^Mean probability of what it wrote: \S+%(; before: \S+%)?\.$/);
  await goOnFrom(page, "4 of 5");
  await card(page).getByText("Drag Temperature back.").waitFor();
  await card(page).getByRole("button", { name: "Show me" }).click();
  await until("the temperature is back", () => marked(page, "5 of 5"));
  await goOnFrom(page, "5 of 5");
  assert.equal(await card(page).count(), 0);
  await page.assertNoErrors();
});

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
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Tour");
  await page.reload();
  await untilLearning(page);
  assert.equal(await offer(page).isVisible(), false, "it is offered only once");
  // Other labs have guides of their own.
  await page.goto(page.address(SMALL_CUBE));
  await until("the offer of another lab", () => offer(page).isVisible());
  await page.goto(page.address("#/control"));
  await untilLab(page, "control"); // until then it is the other lab that learns
  await untilLearning(page);
  // In a paused run no caption goes on by itself.
  await setRunning(page, false);
  const replay = page.getByRole("button", { name: "Tour", exact: true });
  await replay.press("Enter");
  await card(page).waitFor();
  assert.ok(await page.evaluate(() => document.activeElement.matches(".tour-card")), "the card has the focus");
  await onward(page).click();
  assert.equal(await count(page), "2 of 8");
  await card(page).getByRole("button", { name: "Back" }).click();
  assert.equal(await count(page), "1 of 8");
  await page.evaluate(AXE);
  assert.deepEqual(await brokenRules(page), []);
  await page.keyboard.press("Escape");
  assert.equal(await card(page).count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Tour");
  await page.assertNoErrors();
});

test("guide of a phone lies above the dock and leaves its target in sight", async () => {
  const page = await openPage(hosts.isolated, "#/control", { viewport: { width: 360, height: 740 }, hasTouch: true });
  await untilLearning(page);
  await setRunning(page, false); // so that the first caption stays
  await offer(page).getByRole("button", { name: "Take the tour" }).tap();
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
  for (const button of [onward(page), card(page).getByRole("button", { name: "End the tour" })]) {
    const { width, height } = await button.boundingBox();
    assert.ok(width >= 44 && height >= 44, `${await button.textContent()} is ${width} by ${height}`);
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
  // The word may move away from under the pointer while parts of the page come that are loaded once the lab learns, so
  // all is read at one moment.
  const shown = await until(
    "the explanation is shown",
    async () => {
      await critic.hover();
      return critic.evaluate((word) => {
        const card = document.querySelector("[role=tooltip]");
        return card?.checkVisibility() && { text: card.textContent, expanded: word.getAttribute("aria-expanded") };
      });
    },
    { every: 1000 },
  );
  assert.match(shown.text, /predicts how much reward/);
  assert.equal(shown.expanded, "true");
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
