// A class with `learnery class serve`: the teacher's page, tabs that join, one that leaves, one that comes late, one on
// an insecure origin, and somebody who sends forged results; and a class that does a lesson and hands in its answers.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { forged } from "./class-codes.mjs";
import { program, test } from "./command-line.mjs";
import { hosts, openPage, site, until } from "./harness.mjs";
import { downloaded, state, untilText, untilUnits } from "./lab.mjs";

/** The run of the class, whose iterations take a few milliseconds each, with a challenge. */
const RUN = `#/control?worlds=16&horizon=16&challenge=${encodeURIComponent("Begin~units>=3")}`;
const QUESTION = "When will it balance?";

/** A lesson with one run, of a moment. */
const LESSON = `lesson: Heads or tails
lab: control

# Predict
@choice toss
  ask: What comes up?
  option: Heads
  option: Tails

# Explain
@sentence why
  ask: Why?

@run moment
  title: A moment
  settings: worlds=16, horizon=16
  units: 2
  dials: learning_rate

@check trained
  text: It has trained twice.
  when: moment.units >= 2
`;

/** Another name of this machine. */
const INSECURE_HOST = "class.test";
test.use({ browserArguments: [`--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`] });

let child;
test.afterEach(() => child?.kill("SIGKILL"));

const certificateFile = (name) =>
  fileURLToPath(new URL(`../../crates/class/tests/certificates/${name}`, import.meta.url));
/** A certificate for `localhost`, which no browser trusts, and its key. */
const CERTIFICATE = ["--cert", certificateFile("room.pem"), "--key", certificateFile("room-key.pem")];

/** Starts the server. Returns its address, the teacher's link behind it, and the code. */
async function served(options = []) {
  const args = ["class", "serve", "--host", "127.0.0.1", "--port", "0", "--site", site, ...options];
  child = spawn(program, args);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  const [, code, address, teacher] = await until("the server has said where it is", () =>
    /the code (\w{4}):\n {2}(https?:\S+\/)join\n.*\n {2}https?:\/\/localhost:\d+\/(#\S+)/.exec(said),
  );
  return { code, server: address, teacher };
}

/** Opens a path of the server, whose certificate is trusted if it has one. */
const visit = (path, server) =>
  openPage(hosts.isolated, path, { server, serviceWorkers: "block", ignoreHTTPSErrors: true });

/** Joins with a name, and comes to the page that says what the class trains. */
async function joined({ server, code }, name, path = `#/class?join=${code}`) {
  const page = await visit(path, server);
  if (!path.endsWith(code)) await page.getByLabel("The code on the board").fill(code.toLowerCase());
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Join", exact: true }).click();
  return page;
}

/** Starts the run, and pauses it after some units. */
async function trained(page, answer = "") {
  await page.getByLabel(QUESTION).fill(answer);
  await page.getByRole("button", { name: "Start training" }).click();
  await untilUnits(page, 4);
  await page.evaluate(() => globalThis.learnery.pause());
  await until("it is paused", async () => !(await state(page)).running);
}

/** Hands in, and waits until the server has it. */
async function handIn(page) {
  await page.getByRole("button", { name: "Hand in my result" }).click();
  await untilText(page.locator(".class-bar"), /Handed in at iteration \d+/);
}

test("class with a server: a teacher, five tabs of which one leaves, one is late and one is insecure, and forged results", async () => {
  const room = await served();
  const { server, code } = room;
  const teacher = await visit(room.teacher, server);
  await untilText(teacher.locator(".class-board"), new RegExp(code));
  await untilText(teacher.locator(".class-board"), /Only this machine can open the address of this class/);
  assert.equal(new URL(teacher.url()).hash, "#/class?teach=", "the token stays in the address");

  // Ada is there before the class begins, and types the code.
  const ada = await joined(room, "Ada", "join");
  await untilText(ada.locator(".class-page"), /You have joined as Ada\. Your teacher has not begun yet\./);
  await teacher.getByLabel("Or a link").fill(RUN);
  await teacher.getByLabel("A question to the class").fill(QUESTION);
  await teacher.getByRole("button", { name: "Begin" }).click();
  await trained(ada, "<i>Never</i>");
  assert.deepEqual([(await state(ada)).seed, (await state(ada)).bundle], [1, "threads"]);
  await handIn(ada);

  const row = (name) => teacher.getByRole("row", { name: new RegExp(`^${name}`) });
  const outcome = (name) => row(name).locator(".class-outcome");
  const done = (name) => row(name).locator(".class-challenges");
  await untilText(outcome("Ada"), /^handed in at \d+$/);
  await untilText(done("Ada"), /^Begin \(iteration 3\)$/);
  await untilText(teacher.locator(".class-page"), /Challenge: Begin\. Goal: not before iteration 3\./);
  await untilText(teacher.locator(".compare-result"), /Challenge “Begin”: 1 of 1 has done it\.$/);
  assert.equal(await teacher.getByText("<i>Never</i>").isVisible(), true);

  // Bob closes his tab, and stays in the table.
  const bob = await joined(room, "Bob");
  await trained(bob);
  await untilText(done("Bob"), /^Begin \(iteration 3\)$/);
  await bob.assertNoErrors();
  await bob.close({ runBeforeUnload: true });
  await untilText(outcome("Bob"), /^left$/);

  // By this name the server is on an insecure origin, as on another machine that opens it by plain HTTP.
  const insecure = new URL(server);
  insecure.hostname = INSECURE_HOST;
  // Dan's tab gets one thread and plain arithmetic, says why, and can hand in.
  const dan = await joined({ ...room, server: insecure.href }, "Dan");
  await trained(dan);
  assert.equal(await dan.evaluate(() => globalThis.isSecureContext), false);
  assert.deepEqual([(await state(dan)).seed, (await state(dan)).bundle], [3, "simple"]);
  await untilText(dan.locator(".status-line"), /^1 thread.*One thread: this page was not loaded over HTTPS\./);
  await handIn(dan);
  await untilText(row("Dan"), /plain/);
  await untilText(outcome("Dan"), /handed in at \d+; not comparable: rounds differently/);

  // Eve hands nothing in, which the page says. Carol is late, and sees where the class is.
  const eve = await joined(room, "Eve");
  await trained(eve);
  await untilText(row("Eve"), /fused/);
  await teacher.getByText("A row without “handed in” shows what the pupil's tab tells").waitFor();
  const carol = await joined(room, "Carol");
  await untilText(
    carol.locator(".class-page"),
    /your run has seed 5\..* Half of those who train have reached iteration \d/,
  );
  await untilText(row("Carol"), /^Carol50––––/);
  await untilText(teacher.locator(".compare-result"), /^4 runs, 3 of them comparable\. 1 pupil has not begun\. /);
  await trained(carol);
  // Carol starts another run, with a seed of her choice: the row is that run.
  await carol.evaluate(() => void (location.hash = "#/control?worlds=16&horizon=16&seed=77"));
  await untilText(row("Carol"), /^Carol77.*another seed than this pupil was given \(5\)/);

  // Mallory sends Ada's result with another end, and as a run with a seed of her own, and numbers that no tab sends.
  const ask = (name, token, body) =>
    fetch(`${server}class/api/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
  const { token, seed } = await (await ask("join", "", { code, name: "Mallory" })).json();
  const adas = await teacher.evaluate(
    async ([address, teacherToken]) => {
      const headers = { authorization: `Bearer ${teacherToken}` };
      const response = await fetch(`${address}class/api/state`, { headers });
      return (await response.json()).pupils[0].result;
    },
    [server, new URLSearchParams(room.teacher.split("?")[1]).get("teach")],
  );
  const handInForged = async (from, to) => {
    const forgedCode = forged(adas, (body) => {
      // The recipe and the name.
      body[0] = body[0].replace(from, to);
      body[1] = "Mallory";
    });
    assert.equal((await ask("result", token, { code: forgedCode })).status, 200);
  };
  await handInForged(/units=(\d+)/, (_, units) => `units=${Number(units) + 5}`);
  await untilText(outcome("Mallory"), /^another seed than this pupil was given \(6\), handed in at \d+/);
  const sameSeed =
    "The 2 results of Ada and Mallory have the same seed (1), settings and arithmetic, but they differ: ";
  await teacher.locator(".class-same").getByText(sameSeed).waitFor();
  await handInForged("seed=1", `seed=${seed}`);
  await teacher.locator(".class-same").waitFor({ state: "hidden" });
  const curve = { units: [1], values: [1e300] };
  const progress = {
    recipe: "control?worlds=16&horizon=16",
    seed: 6,
    metric: "evalReturn",
    target: null,
    units: 9,
    bits: "fused",
  };
  assert.equal((await ask("progress", token, { ...progress, curve })).status, 400);
  const points = Array.from({ length: 65 }, (_, i) => i + 1);
  const long = { ...progress, units: 65, curve: { units: points, values: points } };
  assert.equal((await ask("progress", token, long)).status, 400);
  const beyond = { units: [progress.units + 1], values: [1] };
  assert.equal((await ask("progress", token, { ...progress, curve: beyond })).status, 400);
  // With no token, with one that nobody has, and with a pupil's where the teacher's is needed.
  const allowed = { ...progress, curve: { units: [9], values: [500] } };
  for (const wrong of ["", "0".repeat(token.length)]) assert.equal((await ask("progress", wrong, allowed)).status, 401);
  assert.equal((await ask("remove", token, { seat: 1 })).status, 404);
  // A name with a control character, which would turn the text around.
  assert.equal((await ask("join", "", { code, name: "\u202eEve" })).status, 409);
  assert.equal((await ask("join", "", { code: "WRNG", name: "Eve" })).status, 403);

  await untilText(outcome("Mallory"), /^handed in at \d+/);
  for (const name of ["Ada", "Mallory", "Dan"])
    await teacher.getByRole("button", { name: `Check the result of ${name}` }).click();
  await untilText(outcome("Ada"), /same, bit for bit$/);
  await untilText(outcome("Mallory"), /differs: edited, or made by another version of the page; not counted$/);
  await untilText(outcome("Dan"), /rounds differently .*; same, bit for bit$/);
  // Dan's is not compared, and Mallory's counts nowhere.
  const summary =
    /^6 runs, 4 of them comparable\. 1 result is not counted: a check found that it differs from the repeated run\. Control, .*: median .* Challenge “Begin”: 5 of 5 have done it\.$/;
  await untilText(teacher.locator(".compare-result"), summary);
  // This page keeps nothing of a class, so what checks have found goes with a reload.
  await teacher.reload();
  await untilText(teacher.locator(".compare-result"), /^6 runs, 5 of them comparable\. Control, /);

  // The teacher goes on with something else, and a tab that is loaded again still belongs to the class.
  await ada.reload();
  await untilText(ada.locator(".class-bar"), /Class \w{4}: you are Ada, with seed 1\. 5 pupils\./);
  await teacher.getByLabel("Or a link").fill("#/control?worlds=32");
  await teacher.getByRole("button", { name: "Begin" }).click();
  await ada.getByRole("link", { name: "Go on with the class" }).click();
  await untilText(ada.locator(".class-page"), /Every run has worlds 32\./);
  for (const page of [teacher, ada, carol, eve]) await page.assertNoErrors();
  // The browser says once for each load that it heeds no isolation headers on an insecure origin.
  const ignored = /Cross-Origin-Opener-Policy header has been ignored/;
  assert.deepEqual(
    dan.errors.filter((text) => !ignored.test(text)),
    [],
  );

  child.kill("SIGINT");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  await untilText(teacher.locator(".class-message").first(), /The server of the class does not answer/);
});

test("class over HTTPS that does a lesson: answers are sent only when they are handed in, and the teacher sees them counted", async () => {
  const room = await served(CERTIFICATE);
  const { server } = room;
  const teacher = await visit(room.teacher, server);
  // The list of lessons has been loaded.
  await teacher.getByRole("option", { name: "Lesson: How large a learning rate?" }).waitFor({ state: "attached" });
  const data = deflateRawSync(Buffer.from(LESSON)).toString("base64url");
  await teacher.getByLabel("Or a link").fill(`https://example.org/#/lesson/own?data=${data}`);
  await teacher.getByRole("button", { name: "Begin" }).click();
  await teacher.getByText("Now: the lesson “Heads or tails”, Control.").waitFor();

  const opened = async (name) => {
    const page = await joined(room, name);
    await page.getByRole("button", { name: "Open the lesson" }).click();
    await page.getByRole("heading", { level: 1, name: "Heads or tails" }).waitFor();
    await untilText(page.locator(".class-bar"), new RegExp(`Class \\w{4}: you are ${name}\\. `));
    return page;
  };
  const status = (page) => page.locator(".lesson-hand-in").getByRole("status");
  const handInButton = (page) => page.getByRole("button", { name: /^Hand in (my answers to the class|again)$/ });

  // Somebody types the address with `http:`.
  const typed = await visit("join", server.replace("https:", "http:"));
  assert.equal(typed.url(), `${server}#/class?join=`);
  await typed.close();

  // Ada answers both questions. What is too long for the class is said beside its field, and is not sent.
  const ada = await opened("Ada");
  await ada.getByRole("radio", { name: "Tails" }).check();
  await ada.getByRole("button", { name: "Next step" }).click();
  await ada.getByRole("textbox", { name: "Why?" }).fill("x".repeat(283));
  await ada.getByText("To hand it in to the class, shorten it by 3 characters (280 at most).").waitFor();
  await ada.locator(".lesson-sent").getByText("The answer has more than 280 characters.").waitFor();
  await ada.getByRole("textbox", { name: "Why?" }).fill("<i>Luck</i>");
  await ada.locator(".lesson-sent").getByText("<i>Luck</i>").waitFor();
  await untilText(status(ada), /^Nothing has been handed in yet\.$/);
  const row = (name) => teacher.getByRole("row", { name: new RegExp(`^${name}`) });
  // The name and the number of answers.
  await untilText(row("Ada"), /^Ada0/);
  await handInButton(ada).click();
  await untilText(status(ada), /^Handed in at .*: 2 answers\.$/);
  await untilText(row("Ada"), /^Ada2–/);
  await teacher.getByText("<i>Luck</i>").waitFor();

  // Bob hands in his prediction before the lesson goes on.
  const bob = await opened("Bob");
  await bob.getByRole("radio", { name: "Tails" }).check();
  await bob.getByText("hand in your answers").click();
  await handInButton(bob).click();
  const answers = teacher.getByRole("region", { name: "Answers" });
  await untilText(answers.getByRole("listitem").filter({ hasText: "Tails" }), /^Tails2Ada, Bob$/);
  await untilText(answers.getByRole("listitem").filter({ hasText: "Heads" }), /^Heads0$/);

  // What the lesson has measured is sent with the answers, unless it is unticked.
  await ada.getByRole("button", { name: "Start learning" }).click();
  const measured = ada.getByRole("checkbox", { name: "What this lesson has measured" });
  await untilText(ada.locator(".lesson-sent"), /Ticked: It has trained twice\.A moment: Learning rate .*: goal not/);
  await measured.uncheck();
  await untilText(status(ada), /^Handed in at .*: 2 answers\.$/);
  await measured.check();
  await handInButton(ada).click();
  await untilText(status(ada), /^Handed in at .*: 2 answers and 2 results\.$/);
  await untilText(row("Ada"), /^Ada21 of 1/);
  const results = teacher.getByRole("region", { name: "Checks and results" });
  await untilText(results.getByRole("listitem").first(), /^Ticked1Ada$/);
  await untilText(results.getByRole("listitem").last(), /^Learning rate .*: goal not reached in 2 iterations.*1Ada$/);

  // A run with another setting does not replace it.
  await ada.getByRole("slider", { name: "learning rate" }).press("Home");
  await ada.getByRole("button", { name: "Start again with these settings" }).click();
  await ada.getByRole("checkbox", { name: "Your earlier results with other settings" }).waitFor();
  await handInButton(ada).click();
  await untilText(status(ada), /^Handed in at .*: 2 answers and 3 results\.$/);
  const tried = results.getByRole("listitem").filter({ hasText: /^Learning rate / });
  await until("both results are shown", async () => (await tried.count()) === 2);
  await tried.filter({ hasText: /^Learning rate 0: goal not reached in 2 iterations.*1Ada$/ }).waitFor();

  // Handing in again replaces, and what was unticked is taken back.
  await ada.getByRole("textbox", { name: "Why?" }).fill("=1+1");
  await untilText(status(ada), /What is ticked now is different/);
  await ada.getByRole("checkbox", { name: "What comes up?" }).uncheck();
  await handInButton(ada).click();
  await untilText(answers.getByRole("listitem").filter({ hasText: "Tails" }), /^Tails1Bob$/);
  await teacher.getByText("=1+1").waitFor();
  const table = await downloaded(teacher, () =>
    teacher.getByRole("button", { name: "Save as a table with names (CSV)" }).click(),
  );
  // The apostrophe keeps a spreadsheet from computing the answer.
  assert.match(
    readFileSync(table.path, "utf8"),
    /^Name,Question,Answer\nAda,Why\?,'=1\+1\nAda,It has trained twice\.,Ticked\n(Ada,A moment,.*\n){2}Bob,What comes up\?,Tails\n$/,
  );
  // For a projector.
  await teacher.getByRole("button", { name: "Hide names" }).click();
  await teacher.getByRole("row", { name: /^Pupil 1/ }).waitFor();
  assert.ok(!/Ada|Bob/.test(await teacher.content()), "a name is shown");
  await teacher.getByRole("button", { name: "Hide answers" }).click();
  assert.ok(!(await answers.innerText()).includes("=1+1"), "answers are shown");

  await teacher.reload();
  await teacher.getByRole("row", { name: /^Pupil 2/ }).waitFor();
  assert.ok(!/Ada|Bob/.test(await teacher.content()), "a name is shown after a reload");
  await teacher.getByRole("button", { name: "Show names" }).click();

  // A tab that is loaded again knows what the class has of it; one that has left hands in no more.
  await ada.reload();
  await untilText(status(ada), /^The class has 1 answer and 3 results from you\./);
  await ada.getByRole("button", { name: "Leave" }).click();
  await ada.locator(".lesson-hand-in").waitFor({ state: "detached" });
  await untilText(row("Ada"), /left/);
  for (const page of [teacher, ada, bob]) await page.assertNoErrors();
});
