// Tabs that compute for a fleet: `learnery fleet serve` with a real nats-server on this machine, and fleet.html in
// Chromium. A *unit* is one training iteration; its jobs are tables of games.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { capture } from "../../scripts/commands.mjs";
import { program, test } from "./command-line.mjs";
import { hosts, openPage, site, temporaryFolder, until } from "./harness.mjs";
import { freePort } from "./ports.mjs";

const NATS_FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", ...(process.env.PATH ?? "").split(delimiter)];
const hasNats = NATS_FOLDERS.some((folder) => existsSync(join(folder, "nats-server")));

const NATS_IS_MISSING = "nats-server is missing; on Debian: apt-get install nats-server";
if (!hasNats && process.env.CI) throw new Error(NATS_IS_MISSING);

/** Skips a test that serves a fleet where that is impossible. */
const needsFleet = () => test.skip(!hasNats, NATS_IS_MISSING);

/** What programs of a test write into. */
let folder;
const processes = [];

test.beforeEach(() => void (folder = temporaryFolder()));
test.afterEach(async () => {
  for (const { child } of processes.splice(0)) await stop(child, "SIGTERM");
});

/** Three tables a unit. `horizon` is the turns of each game in it. */
const settings = (horizon) => {
  const values = { learner: "alphazero", games: 130, horizon, batch: 64, reuse: 0.2, replay: 4000, simulations: 8 };
  return Object.entries({ ...values, eval_every: 0 }).flatMap(([name, value]) => ["--set", `${name}=${value}`]);
};

async function stop(child, signal) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

/** Starts the command-line program. `said` is what it has written. */
async function learnery(...args) {
  const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const started = { child, said: "", ended: once(child, "exit") };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (started.said += data));
  processes.push(started);
  return started;
}

/** The checkpoint of a run of `learnery train`. */
async function alone(bits, horizon, units) {
  const out = join(folder, `alone-${bits}-${horizon}`);
  const run = [...settings(horizon), "--seed=7", `--units=${units}`, `--out=${out}`, `--bits=${bits}`];
  const trained = await capture(program, ["train", "backgammon", ...run]);
  assert.notEqual(trained, undefined, "the run on one machine");
  return checkpoint(out);
}

const checkpoint = (out) => readFileSync(join(out, "last.safetensors"));

/** Serves a run that has no last unit, and gives the link for the tabs of a page. */
async function serve(page, bits, horizon) {
  const out = join(folder, `fleet-${bits}-${horizon}-${readdirSync(folder).length}`);
  const [port, webPort] = [await freePort(), await freePort()];
  const where = [`--bits=${bits}`, `--port=${port}`, `--web-port=${webPort}`, `--site=${page.address("")}`];
  const run = [...settings(horizon), "--seed=7"];
  const started = await learnery("fleet", "serve", "backgammon", ...run, `--out=${out}`, ...where);
  const link = await until("the link for tabs", () => /\S+fleet\.html#\S+/.exec(started.said)?.[0]);
  const status = () => {
    const file = join(out, "fleet/status.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  };
  return Object.assign(started, { bits, horizon, out, where, link, status });
}

/** Resumes the run of a fleet whose learner has ended. */
async function resume(fleet, ...args) {
  Object.assign(fleet, await learnery("fleet", "serve", "--resume", fleet.out, ...args, ...fleet.where));
}

const serverOf = (fleet) => Number(readFileSync(join(fleet.out, "fleet/nats.pid"), "utf8"));

/**
 * Stops a fleet and resumes it for some more units, which the tabs of this page compute, and compares the run with one
 * of `learnery train`. A run whose length was fixed could end before the test has done to it what it wants to.
 */
async function finish(fleet, page) {
  await stop(fleet.child, "SIGINT");
  await resume(fleet, "--units=15");
  await says(page, "The run is complete.");
  const [code] = await fleet.ended;
  assert.equal(code, 0, fleet.said);
  const [row] = readFileSync(join(fleet.out, "metrics.jsonl"), "utf8").trim().split("\n").slice(-1);
  const expected = await alone(fleet.bits, fleet.horizon, JSON.parse(row).unit);
  assert.ok(checkpoint(fleet.out).equals(expected), "other bytes than those of `learnery train`");
}

/** Opens the page of a link in a tab, and joins. */
async function joinFleet(page, link) {
  await page.goto(link);
  await page.getByRole("button", { name: "Join the fleet" }).click();
}

const progress = (page) => page.evaluate(() => globalThis.learneryFleet.situation.progress);
const untilAccepted = (page, more = 0) =>
  until("a result is accepted", async () => (await progress(page))?.accepted > more);
const says = (page, text) => page.locator(".fleet-sentence", { hasText: text }).waitFor();

/** Whether Chromium fuses the multiply-add, without which a tab computes plain bits. */
const fuses = (page) => page.evaluate(() => globalThis.learneryFleet.choose(false).bits === "fused");

test("every page but fleet.html connects to the site alone", () => {
  const pages = readdirSync(site).filter((name) => name.endsWith(".html"));
  assert.ok(pages.includes("index.html") && pages.includes("fleet.html"));
  for (const name of pages) {
    const [policy, ...more] = readFileSync(join(site, name), "utf8").match(/default-src[^"]*/g) ?? [];
    assert.ok(policy && more.length === 0, `${name} has one policy`);
    const connect = /connect-src ([^;]*)/.exec(policy.replaceAll("&#39;", "'"))?.[1];
    const expected = name === "fleet.html" ? "'self' wss: ws://localhost:* ws://127.0.0.1:*" : "'self'";
    assert.equal(connect, expected, name);
    assert.match(policy, /default-src &#39;none&#39;/, name);
  }
});

test("nothing is connected and nothing of the fleet is loaded before the click; a damaged link is refused", async () => {
  const page = await openPage(hosts.isolated);
  const sockets = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await page.getByRole("link", { name: "Join the fleet" }).click();
  await page.getByRole("heading", { name: "Join a fleet" }).waitFor();
  const link = "fleet.html#server=wss%3A%2F%2Flocalhost%3A1&fleet=0123abcd&user=actor&key=0011";
  await page.goto(page.address(link));
  await page.getByText("“key” in the link should have 32 hexadecimal digits.").waitFor();
  await page.getByRole("button", { name: "Join the fleet" }).click();
  await page.getByText("Copy the whole link.").waitFor();
  assert.deepEqual(sockets, []);
  const loaded = page.loaded().filter((file) => /fleet-(worker|connection)|-fleet-/.test(file));
  assert.deepEqual(loaded, []);
  await page.assertNoErrors();
});

test("page is isolated by the service worker, which leaves its files to the network", async () => {
  const link = `fleet.html#server=wss%3A%2F%2Flocalhost%3A1&fleet=0123abcd&user=actor&key=${"0".repeat(32)}`;
  const page = await openPage(hosts.serviceWorker, link);
  const isIsolated = () => page.evaluate(() => globalThis.crossOriginIsolated).catch(() => false);
  await until("the page is isolated", isIsolated);
  const input = page.getByLabel("Link of the fleet");
  await until("the link is still there", async () => (await input.inputValue()).endsWith(link));
  const [line] = readFileSync(join(site, "sw.js"), "utf8").split("\n");
  const kept = Object.keys(JSON.parse(/^const SITE = (.*);$/.exec(line)[1]).files);
  const isOfFleet = (file) => /(^|[/-])fleet[-.]/.test(file);
  assert.ok(kept.length > 20 && !kept.some(isOfFleet), "files that are kept on the device");
  assert.ok(readdirSync(join(site, "assets")).filter(isOfFleet).length >= 5);
  await page.assertNoErrors();
});

test("tabs compute a run with the bytes of one machine, although one is closed, and the server and the learner are killed", async () => {
  needsFleet();
  const page = await openPage(hosts.isolated, "fleet.html");
  test.skip(!(await fuses(page)), "this browser does not fuse the multiply-add");
  const fleet = await serve(page, "fused", 24);
  const other = await openPage(hosts.isolated, "fleet.html", { context: page.context() });
  await joinFleet(other, fleet.link);
  await untilAccepted(other);
  await joinFleet(page, fleet.link);
  await until("both tabs are known", () => fleet.status()?.machines.length === 2);
  await untilAccepted(other);
  await other.close({ runBeforeUnload: true });
  // It leaves by itself. The host would miss it after a minute, and lease its jobs again after half of one.
  await until("the closed tab has left", () => fleet.status().machines.length < 2);
  process.kill(serverOf(fleet), "SIGKILL");
  await stop(fleet.child, "SIGKILL");
  await resume(fleet);
  await untilAccepted(page, ((await progress(page))?.accepted ?? 0) + 2);
  await page.getByRole("button", { name: "Pause" }).click();
  await says(page, "Paused.");
  await page.getByRole("button", { name: "Resume" }).click();
  await finish(fleet, page);
  const { accepted, work } = await progress(page);
  assert.ok(accepted > 0 && work.find(({ what }) => what === "turns").count > 0);
  await page.assertNoErrors();
});

test("tab without threads computes plain bits, and goes on when the server is back", async () => {
  needsFleet();
  const page = await openPage(hosts.plain, "fleet.html");
  const fleet = await serve(page, "plain", 8);
  await joinFleet(page, fleet.link);
  await untilAccepted(page);
  process.kill(serverOf(fleet), "SIGKILL");
  const { accepted } = await progress(page);
  // One more could have been on its way.
  await untilAccepted(page, accepted + 1);
  await finish(fleet, page);
  await page.forget(); // the lost connection is an error on the console
});

test("tab computes the runs of a sweep with the bytes of one machine", async () => {
  needsFleet();
  const page = await openPage(hosts.isolated, "fleet.html");
  test.skip(!(await fuses(page)), "this browser does not fuse the multiply-add");
  const [shared, local] = [join(folder, "sweep-shared"), join(folder, "sweep-local")];
  const values = ["worlds=16", "horizon=32", "hidden=16", "eval_every=10"].flatMap((value) => ["--set", value]);
  const sweep = ["fleet", "sweep", "control", "--seeds=0..3", "--set=gamma=0.9,0.99", ...values, "--units=60"];
  const where = [`--port=${await freePort()}`, `--web-port=${await freePort()}`, `--site=${page.address("")}`];
  const host = await learnery(...sweep, `--out=${shared}`, "--threads=0", ...where);
  const link = await until("the link for tabs", () => /\S+fleet\.html#\S+/.exec(host.said)?.[0]);
  await joinFleet(page, link);
  await says(page, "The sweep is complete.");
  await page.getByText("6 of 6 runs complete").waitFor();
  const [code] = await host.ended;
  assert.equal(code, 0, host.said);
  assert.notEqual(await capture(program, [...sweep, `--out=${local}`, "--local"]), undefined);
  const files = readdirSync(local, { recursive: true }).filter((name) => name.endsWith("last.safetensors"));
  assert.equal(files.length, 6);
  for (const file of files) {
    const [a, b] = [shared, local].map((out) => readFileSync(join(out, file)));
    assert.ok(a.equals(b), `${file} has other bytes`);
  }
  const { accepted, work } = await progress(page);
  assert.equal(accepted, 6);
  // Six runs of 60 iterations, each of 32 steps in 16 worlds.
  assert.ok(
    work.some(({ count }) => count === 6 * 60 * 16 * 32),
    JSON.stringify(work),
  );
  await page.assertNoErrors();
});

test("tab of another class of bits, and one with an old link, are told why", async () => {
  needsFleet();
  const page = await openPage(hosts.plain, "fleet.html");
  const fleet = await serve(page, "fused", 8);
  await joinFleet(page, fleet.link);
  await says(page, "This fleet computes fused bits, and this tab plain ones. One thread:");
  await page.getByRole("button", { name: "Back" }).click();
  await page
    .getByLabel("Link of the fleet")
    .fill(fleet.link.replace(/key=../, (key) => (key === "key=00" ? "key=11" : "key=00")));
  await page.getByRole("button", { name: "Join the fleet" }).click();
  await says(page, "The server does not accept this link's password.");
});

/** The code of axe-core, which sets the global variable `axe`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

test("page has no serious findings of axe, before and after joining", async () => {
  needsFleet();
  const page = await openPage(hosts.plain, "fleet.html", { viewport: { width: 390, height: 800 } });
  const assertAccessible = async (what) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const found = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run("html", { resultTypes: ["violations"] });
        return violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ help }) => help);
      });
      assert.deepEqual(found, [], `${what}, ${colorScheme}`);
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${what} is ${width} pixels wide`);
  };
  await page.evaluate(AXE);
  await assertAccessible("form");
  const fleet = await serve(page, "plain", 24);
  await page.goto(fleet.link); // only the part behind the # differs, so the page stays
  await page.getByRole("button", { name: "Join the fleet" }).click();
  await untilAccepted(page);
  await page.locator("summary", { hasText: "Settings" }).click();
  await assertAccessible("tab in a fleet");
});
