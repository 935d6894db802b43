// A class without a server: result codes that the teacher's page collects and checks by replay, and lesson codes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { forged, LESSON, linkTo, scanned } from "./class-codes.mjs";
import { hosts, openPage, test, until } from "./harness.mjs";
import { downloaded, openTool, state, untilText, untilUnits } from "./lab.mjs";

/** The run of the class: iterations of milliseconds, with a challenge. */
const RUN = `#/control?worlds=16&horizon=16&challenge=${encodeURIComponent("Begin~units>=3")}`;
const QUESTION = "When will it balance?";

/** Opens a class without a server. Returns the teacher's page and the link for the pupils. */
async function openedClass() {
  const teacher = await openPage(hosts.isolated, "#/class");
  await teacher.getByLabel("Or a link").fill(RUN);
  await teacher.getByLabel("A question to the class").fill(QUESTION);
  await teacher.getByRole("button", { name: "Make the link for the pupils" }).click();
  const address = await teacher.getByLabel("Link for the pupils").inputValue();
  assert.equal(await scanned(teacher.getByRole("img", { name: "QR code for the pupils" })), address);
  return { teacher, link: address.slice(address.indexOf("#")) };
}

/** Joins by a class's link, trains some units, pauses, and returns the page. */
async function joined(host, link, { name, seat, answer = "", query = "" }) {
  const page = await openPage(host, query + link);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Your seat number").fill(seat);
  await page.getByLabel(QUESTION).fill(answer);
  await page.getByRole("button", { name: "Start training" }).click();
  await untilUnits(page, 4);
  await page.evaluate(() => globalThis.learnery.pause());
  await until("it is paused", async () => !(await state(page)).running);
  return page;
}

/** Hands in the result of a pupil's tab, and returns its code. */
async function handedIn(page) {
  await page.getByRole("button", { name: "Hand in my result" }).click();
  const code = await page.getByRole("textbox", { name: "Result code" }).inputValue();
  assert.match(code, /^LC1\.[0-9a-f]{8}\.[\w-]{100,900}$/);
  const link = page.address(`#/class?result=${code}`);
  const qr = page.getByRole("img", { name: "QR code of this result" });
  assert.equal(await scanned(qr), link.replace(/\?[^#]*#/, "#"));
  await page.getByRole("button", { name: "Enlarge the QR code" }).click();
  assert.equal(await scanned(page.locator(".class-large").getByRole("img")), link.replace(/\?[^#]*#/, "#"));
  await page.locator(".class-large").getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Close" }).click();
  return code;
}

test("class without a server: control results are collected by codes, and forged ones found by replay", async () => {
  const { teacher, link } = await openedClass();
  const ada = await joined(hosts.isolated, link, { name: "Ada", seat: "1", answer: "<b>Soon</b>" });
  assert.equal((await state(ada)).seed, 1);
  const good = await handedIn(ada);
  // A reload does not end it, and the tool "Share and save" makes codes too.
  await ada.reload();
  await untilText(ada.locator(".class-bar"), /you are Ada, with seed 1\./);
  await untilUnits(ada, 4);
  await ada.evaluate(() => globalThis.learnery.pause());
  await openTool(ada, "Share and save");
  await ada.getByRole("button", { name: "Result code for a class…" }).click();
  await ada.getByRole("button", { name: "Make the code" }).click();
  await untilText(ada.getByRole("dialog").getByRole("status"), /The name is empty/);
  await ada.getByLabel("Your name").fill("Grace");
  await ada.getByRole("button", { name: "Make the code" }).click();
  const other = await ada.getByRole("textbox", { name: "Result code" }).inputValue();
  await ada.getByRole("button", { name: "Close" }).click();
  await ada.getByRole("button", { name: "Leave" }).click();
  assert.equal(await ada.locator(".class-bar").count(), 0);
  await ada.assertNoErrors();
  await ada.close();

  const plain = await joined(hosts.isolated, link, { name: "Bob", seat: "2", query: "?bundle=simple" });
  const otherBits = await handedIn(plain);
  await plain.assertNoErrors();
  await plain.close();

  // A code holds the link of its run first, then the name (`writeCode` in www/class/code.ts).
  const withName = (name, change) =>
    forged(good, (body) => {
      body[1] = name;
      change(body);
    });
  const better = withName("Mallory", (body) => {
    body[4] = body[6] += 100; // the result, and the highest value of the curve
    body[8][body[8].length - 1] = 1023; // the level of the highest value: the curve ends with it
  });
  const copied = withName("Oscar", (body) => (body[0] = body[0].replace("seed=1", "seed=5")));
  const own = withName("Trudy", (body) => (body[0] = body[0].replace("worlds=16", "worlds=32")));
  const gpu = withName("Walter", (body) => (body[0] = body[0].replace("fused:", "gpu:")));
  const sooner = withName("Nina", (body) => (body.at(-1)[0][1] = 2)); // the challenge, done before it was
  const turned = withName("\u202eEve", () => {});
  // One by a link, as a phone's camera opens it, the others as a text.
  await teacher.goto(teacher.address(`#/class?result=${good}`));
  const message = teacher.getByRole("status").filter({ hasText: "Added" });
  await untilText(message, /^Added the result of Ada\.$/);
  assert.equal(new URL(teacher.url()).hash, "#/class");
  const all = [good, other, otherBits, better, copied, own, gpu, sooner, turned, `${good.slice(0, -1)}`];
  await teacher.getByLabel("Codes or links").fill(all.join("\n"));
  await teacher.getByRole("button", { name: "Add", exact: true }).click();
  await untilText(
    message,
    /^Added 7 results\. One was here already\. Code \d+ \(LC1\.[0-9a-f]{8}…\) of \d+: The name .* is not allowed.* Code \d+ .*damaged/,
  );
  const row = (name) => teacher.getByRole("row", { name: new RegExp(`^${name}`) });
  const outcome = (name) => row(name).locator(".class-outcome");
  assert.equal(await outcome("Ada").textContent(), "");
  assert.equal(
    await outcome("Bob").textContent(),
    "not comparable: rounds differently (another kind of browser or device)",
  );
  assert.equal(await outcome("Trudy").textContent(), "not comparable: other settings");
  await untilText(teacher.locator(".compare-result"), /^8 runs, 5 of them comparable\. Control, .*: median /);
  await untilText(teacher.locator(".compare-result"), / Challenge “Begin”: 8 of 8 have done it\.$/);
  assert.equal(await row("Ada").locator(".class-challenges").textContent(), "Begin (iteration 3)");
  assert.equal(await row("Nina").locator(".class-challenges").textContent(), "Begin (iteration 2)");
  // Ada and Grace are one pupil with one run, of which Mallory's and Nina's are edited copies.
  const [differ, same, ...more] = await teacher.locator(".class-same p").allTextContents();
  assert.match(
    differ,
    /^The 4 results of Ada, Grace, Mallory and Nina have the same seed \(1\), .*, but they differ: /,
  );
  assert.match(
    same,
    /^The 3 results of Ada, Grace and Nina have the same seed \(1\), .* the same run, .* count 3 times\.$/,
  );
  assert.deepEqual(more, []);
  assert.equal(await teacher.getByText("<b>Soon</b>").first().isVisible(), true);

  for (const name of ["Ada", "Bob", "Mallory", "Oscar", "Walter", "Nina"])
    await teacher.getByRole("button", { name: `Check the result of ${name}` }).click();
  await untilText(outcome("Ada"), /^same, bit for bit$/);
  await untilText(outcome("Bob"), /rounds differently .*; same, bit for bit$/);
  const edited = "edited, or made by another version of the page; not counted";
  await untilText(outcome("Mallory"), new RegExp(`^same run, but other values: ${edited}$`));
  await untilText(outcome("Oscar"), new RegExp(`^differs: ${edited}$`));
  await untilText(
    outcome("Nina"),
    new RegExp(`^same run, but a challenge in its code was not done, or not in that iteration: ${edited}$`),
  );
  await untilText(outcome("Walter"), /cannot be checked here: rounds differently/);
  // What differs counts nowhere, and the table that is saved says so.
  const counted =
    /^8 runs, 2 of them comparable\. 3 results are not counted: a check found that they differ from the repeated runs\..* Challenge “Begin”: 5 of 5 have done it\.$/;
  await untilText(teacher.locator(".compare-result"), counted);
  assert.match(await teacher.locator(".class-same").textContent(), /^The 2 results of Ada and Grace have[^.]*\.$/);
  const table = await downloaded(teacher, () => teacher.getByRole("button", { name: "Download as CSV" }).click());
  const lines = readFileSync(table.path, "utf8").split("\n");
  assert.match(
    lines.find((line) => line.startsWith("Ada,")),
    /,Begin \(iteration 3\),"same, bit for bit"$/,
  );
  assert.match(
    lines.find((line) => line.startsWith("Nina,")),
    /,Begin \(iteration 2\),"same run, but .*; not counted"$/,
  );
  assert.match(
    lines.find((line) => line.startsWith("Grace,")),
    /,Begin \(iteration 3\),not checked$/,
  );

  // For a projector.
  await teacher.getByRole("button", { name: "Hide names" }).click();
  await untilText(teacher.getByRole("row", { name: /^Pupil 1/ }), /same, bit for bit/);
  assert.ok(!/Ada|Bob|Mallory|Oscar|Trudy|Walter/.test(await teacher.content()), "a name is shown");

  // What was collected is there again after a reload, until it is forgotten.
  await teacher.reload();
  await untilText(teacher.locator(".compare-result"), counted);
  assert.match(await teacher.getByLabel("Link for the pupils").inputValue(), /ask=When/);
  await teacher.getByRole("button", { name: "Remove" }).first().click();
  await untilText(teacher.locator(".compare-result"), /^7 runs/);
  await teacher.getByRole("button", { name: "Forget all codes and the class" }).click();
  assert.equal(await teacher.locator(".class-results").isVisible(), true, "it asks first");
  await teacher.getByRole("button", { name: "Really forget all codes and the class?" }).click();
  assert.equal(await teacher.locator(".class-results").isVisible(), false);
  await teacher.reload();
  assert.equal(await teacher.getByRole("button", { name: "Add", exact: true }).isVisible(), true);
  assert.equal(await teacher.getByRole("button", { name: "Forget all codes" }).isVisible(), false);
  await teacher.assertNoErrors();
});

test("five tabs without a server: the teacher collects their codes, one forged, one late and one that rounds differently", async () => {
  const { teacher, link } = await openedClass();
  const pupils = [
    { name: "Ada", seat: "1" },
    { name: "Bob", seat: "2", query: "?bundle=simple" },
    { name: "Mallory", seat: "3" },
    { name: "Dan", seat: "4" },
    { name: "Eve", seat: "5" },
  ];
  const tabs = [];
  for (const pupil of pupils) tabs.push(await joined(hosts.isolated, link, pupil));
  const codes = [];
  for (const tab of tabs) codes.push(await handedIn(tab));
  assert.equal(new Set(codes).size, 5);
  const [ada, bob, honest, dan, eve] = codes;
  // The last value and the highest one of the curve, which ends with it (`writeCode` in www/class/code.ts).
  const better = forged(honest, (body) => {
    body[4] = body[6] += 100;
    body[8][body[8].length - 1] = 1023;
  });
  // Dan's tab is gone before his code is collected.
  await tabs[3].assertNoErrors();
  await tabs[3].close();

  await teacher.getByLabel("Codes or links").fill([ada, bob, better, dan].join("\n"));
  await teacher.getByRole("button", { name: "Add", exact: true }).click();
  const message = teacher.getByRole("status").filter({ hasText: "Added" });
  await untilText(message, /^Added 4 results\.$/);
  const result = teacher.locator(".compare-result");
  await untilText(result, /^4 runs, 3 of them comparable\. Control, /);
  const outcome = (name) => teacher.getByRole("row", { name: new RegExp(`^${name}`) }).locator(".class-outcome");
  await untilText(outcome("Bob"), /^not comparable: rounds differently/);
  const check = async (name, found) => {
    await teacher.getByRole("button", { name: `Check the result of ${name}` }).click();
    await untilText(outcome(name), found);
  };
  await check("Dan", /^same, bit for bit$/);
  await check("Mallory", /^same run, but other values: edited, .*; not counted$/);
  await untilText(result, /^4 runs, 2 of them comparable\./);

  // Eve's code comes later, and what was found stays.
  await teacher.goto(teacher.address(`#/class?result=${eve}`));
  await untilText(message, /^Added the result of Eve\.$/);
  await untilText(result, /^5 runs, 3 of them comparable\..* Challenge “Begin”: 4 of 4 have done it\.$/);
  await check("Eve", /^same, bit for bit$/);
  await untilText(outcome("Mallory"), /not counted$/);
  assert.equal(await teacher.locator(".class-same").textContent(), "", "each has a seed of its own");
  for (const page of [teacher, ...tabs.filter((tab) => !tab.isClosed())]) await page.assertNoErrors();
});

test("links of a class that cannot be used say so in a sentence", async () => {
  const page = await openPage(hosts.isolated, "#/class?run=control%3Fworlds%3D-3");
  await untilText(page.locator(".class-page"), /“-3” is not allowed for worlds/);
  await page.goto(page.address("#/class?result=LC1.00000000.AAAA"));
  await untilText(page.getByRole("status").filter({ hasText: "damaged" }), /its checksum is wrong/);
  await page.assertNoErrors();
});

test("class without a server that does a lesson: answers come to the teacher by lesson codes, each pupil once", async () => {
  const pupil = await openPage(hosts.isolated, linkTo(LESSON));
  await pupil.getByRole("radio", { name: "Tails" }).check();
  await pupil.getByRole("textbox", { name: "Why?" }).fill("<i>Luck</i>");
  await pupil.getByRole("button", { name: "Start learning" }).press("Enter");
  await pupil.locator(".lesson-check.done").waitFor();
  await pupil.getByRole("button", { name: "Lesson code for a class…" }).click();
  const dialog = pupil.getByRole("dialog");
  await untilText(dialog.locator(".lesson-sent"), /Tails.*<i>Luck<\/i>.*Ticked: It has trained twice\./);
  const make = async (name) => {
    await dialog.getByLabel("Your name").fill(name);
    await dialog.getByRole("button", { name: "Make the code" }).click();
    await untilText(dialog.getByRole("status"), new RegExp(`^${name}: `));
    assert.ok(await dialog.getByRole("img", { name: "QR code of this lesson code" }).isVisible());
    return dialog.getByRole("textbox", { name: "Lesson code" }).inputValue();
  };
  const all = await make("Ada");
  await untilText(dialog.getByRole("status"), /^Ada: 2 answers and 2 results\.$/);
  // What is unticked is in no code, and a code that was made is not shown with other ticks.
  await dialog.getByRole("checkbox", { name: "Why?" }).uncheck();
  await untilText(dialog.getByRole("status"), /Make the code again/);
  assert.equal(await dialog.getByRole("textbox", { name: "Lesson code" }).isVisible(), false);
  const bobs = await make("Bob");
  await dialog.getByRole("button", { name: "Close" }).click();
  await pupil.assertNoErrors();
  await pupil.close();

  const teacher = await openPage(hosts.isolated, "#/class");
  await teacher.getByLabel("Or a link").fill(linkTo(LESSON));
  await teacher.getByRole("button", { name: "Make the link for the pupils" }).click();
  await teacher.getByText("every pupil makes a lesson code").waitFor();
  // A phone's camera opens one as a link; the others are pasted together.
  await teacher.goto(teacher.address(`#/class?result=${all}`));
  const message = teacher.getByRole("status").filter({ hasText: "Added" });
  await untilText(message, /^Added the lesson code of Ada\.$/);
  // A code holds its lesson, the lesson's title, the name, the time and the answers (www/class/lesson-code.ts).
  const withName = (code, name, change) =>
    forged(code, (body) => {
      body[2] = name;
      change(body);
    });
  const later = withName(all, "ada", (body) => {
    body[3] += 60;
    body[4][3] = "=1+1";
  });
  const other = withName(all, "Eve", (body) => (body[0] = "own-0a"));
  const edited = withName(all, "Mallory", (body) => (body[4][1] = "Its edge"));
  const turned = withName(all, "\u202eOscar", () => {});
  const pasted = [all, later, bobs, other, edited, turned, bobs.slice(0, -1)];
  await teacher.getByLabel("Codes or links").fill(pasted.join(" "));
  await teacher.getByRole("button", { name: "Add", exact: true }).click();
  await untilText(
    message,
    /^Added 3 lesson codes\. One was here already\. .*does not fit .* The name .* is not allowed.* damaged/,
  );
  const row = (name) => teacher.getByRole("row", { name: new RegExp(`^${name}`) });
  await untilText(row("ada"), /^ada21 of 12 codes with this name: the newest counts; made /);
  await untilText(row("Bob"), /^Bob11 of 1made /);
  await untilText(row("Eve"), /^Eve2–from another version of this lesson; made /);
  assert.equal(await teacher.locator(".class-lessons tbody tr").count(), 3);
  const answers = teacher.getByRole("region", { name: "Answers to “Heads or tails”" });
  await untilText(answers.getByRole("listitem").filter({ hasText: "Tails" }), /^Tails3ada, Bob, Eve$/);
  assert.equal(await answers.getByText("<i>Luck</i>").count(), 1);
  const results = teacher.getByRole("region", { name: "Checks and results of “Heads or tails”" });
  await untilText(results.getByRole("listitem").first(), /^Ticked2ada, Bob$/);
  const table = await downloaded(teacher, () =>
    answers.getByRole("button", { name: "Save as a table with names (CSV)" }).click(),
  );
  assert.match(
    readFileSync(table.path, "utf8"),
    /^Name,Question,Answer\nada,What comes up\?,Tails\nada,Why\?,'=1\+1\nada,It has trained twice\.,Ticked\nada,A moment,/,
  );
  await teacher.reload();
  await untilText(row("ada"), /^ada21 of 12 codes with this name: the newest counts/);
  await teacher.getByRole("button", { name: "Hide names" }).click();
  await row("Pupil 3").waitFor();
  assert.ok(!/\b(ada|Bob|Eve)\b/i.test(await teacher.locator("main").innerText()), "a name is shown");
  await teacher.assertNoErrors();
});
