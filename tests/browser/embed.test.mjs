// Embeds: a lab in a frame on a page of a foreign origin, as a plain frame and as `<learnery-lab>`; the page that makes
// the snippet; and the headers with which `npm run preview` sends the site.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { preview } from "vite";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { headersOf, PAGES, policyOf } from "../../scripts/headers.mjs";
import { gzipSize } from "../../scripts/sizes.mjs";
import { hosts, openPage, root, site, test, until } from "./harness.mjs";
import { serve } from "./server.mjs";
import { isLoadedLater, state, untilStill, untilText, untilViews } from "./lab.mjs";

/** The most that an embed of a lab may load until it learns, in kilobytes compressed by gzip. */
const limit = (lab) => JSON.parse(readFileSync(join(root, "www/labs", lab, "load-limits.json"), "utf8")).embed;

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const servers = [];

test.afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Opens a page with this body on a foreign origin: another port, and 127.0.0.1 in place of localhost. */
async function openForeign(page, body) {
  const html = `<!doctype html><title>A page of somebody else</title><link rel="icon" href="data:,">${body}`;
  const replace = (path) => (path === "/" ? html : null);
  const server = await serve(site, { isolation: false, base: "/", replace });
  servers.push(server);
  await page.goto(server.address.replace("localhost", "127.0.0.1"));
}

/** The frame of an embed on a page, once its run is there. */
async function embedOf(page) {
  const isEmbed = (frame) => frame !== page.mainFrame() && frame.url().includes("/embed.html");
  return until("the frame has a run", async () => {
    const frame = page.frames().find(isEmbed);
    return (await frame?.evaluate(() => globalThis.learnery !== undefined).catch(() => false)) && frame;
  });
}

/** Everything that a page has put into the browser's storage. */
const stored = (page) =>
  page.evaluate(async () => {
    const files = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const workers = (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope);
    const own = [...Object.keys(localStorage), ...Object.keys(sessionStorage)];
    return [...own, ...files, ...databases, ...workers, ...(await caches.keys()), document.cookie].filter(Boolean);
  });

/** Waits until a page or frame has received the messages that have been posted to it. They arrive in order. */
const untilDelivered = (frame) =>
  frame.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener("message", ({ data }) => data === "delivered" && resolve());
        postMessage("delivered", "*");
      }),
  );

/** Serious and critical findings of axe. */
const findings = async (page) => {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { violations } = await globalThis.axe.run("html", { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).join(" | ")}`);
  });
};

test("element on a foreign page learns on one thread, and tells metrics and the goal", async () => {
  const page = await openPage(hosts.serviceWorker, "embed.html");
  const script = `<script async src="${page.address("learnery-lab.js")}"></script>`;
  const listeners = `<script>
    globalThis.events = [];
    for (const type of ["metrics", "solved"]) addEventListener(type, (event) => events.push({ type, ...event.detail }));
  </script>`;
  const element = '<learnery-lab lab="control" preset="sprint" seed="1" speed="max"></learnery-lab>';
  await openForeign(page, `${listeners}${script}${element}<div style="height: 3000px"></div>`);
  const frame = await embedOf(page);
  await frame.getByRole("button", { name: "Start learning" }).waitFor();
  assert.deepEqual(await page.evaluate("events"), [], "it waits for a click");

  await page.evaluate(() => document.querySelector("learnery-lab").run());
  await until("it learns", async () => (await state(frame)).units > 2);
  assert.deepEqual([(await state(frame)).bundle, page.workers().length], ["threads", 1]);
  assert.equal(await frame.evaluate(() => globalThis.crossOriginIsolated), false);

  // Out of sight it pauses, and goes on where it was.
  await page.evaluate(() => scrollTo(0, 2000));
  await until("it pauses", async () => !(await state(frame)).running);
  await page.evaluate(() => scrollTo(0, 0));
  await until("it goes on", async () => (await state(frame)).running);

  await until("it reaches its goal", () => page.evaluate(() => events.some(({ type }) => type === "solved")));
  const events = await page.evaluate("events");
  const metrics = events.filter(({ type }) => type === "metrics");
  assert.ok(metrics.length > 2 && metrics.every(({ lab, unit }) => lab === "control" && unit > 0));
  assert.ok(
    metrics.some(({ metrics }) => metrics.examReturn > 400),
    "the goal's metric is told",
  );
  const solved = events.find(({ type }) => type === "solved");
  assert.ok(solved.unit > 0 && solved.seconds > 0, JSON.stringify(solved));

  await page.evaluate(() => document.querySelector("learnery-lab").pause());
  await until("it pauses when asked", async () => !(await state(frame)).running);

  // Another window sends what an embed would send.
  const before = events.length;
  await page.evaluate(() => postMessage({ learnery: "embed", type: "solved", lab: "control", unit: 1, seconds: 1 }));
  await untilDelivered(page);
  const later = await page.evaluate("events");
  assert.deepEqual(
    later.slice(before).filter(({ type }) => type === "solved"),
    [],
  );

  // A changed attribute changes the frame.
  await page.evaluate(() => document.querySelector("learnery-lab").setAttribute("preset", "pendulum"));
  await until("the frame changes", () => page.frames().some((each) => each.url().includes("preset=pendulum")));
  await page.assertNoErrors();
});

test("element learns the world of its link, and tells its metrics", async () => {
  const world = `world "Dot"
state x = 0
action go: left, none, right
x' = x + go - 1
reward -abs(x')
limit 20 steps
camera at (0, 0) height 8
draw circle at (x, 0) radius 0.5
`;
  const command = JSON.stringify({ type: "world", name: "dot.world", text: world });
  const data = `0:${deflateRawSync(command).toString("base64url")}`;
  const link = `#/control?seed=5&amp;world=own&amp;worlds=16&amp;horizon=16&amp;data=${data}`;
  const page = await openPage(hosts.serviceWorker, "embed.html");
  const script = `<script async src="${page.address("learnery-lab.js")}"></script>`;
  const listener = `<script>
    globalThis.told = [];
    addEventListener("metrics", ({ detail }) => told.push(detail));
  </script>`;
  const element = `<learnery-lab link="${link}" hide="editor" speed="max" autoplay></learnery-lab>`;
  await openForeign(page, `${listener}${script}${element}`);
  const frame = await embedOf(page);
  await untilText(frame.locator(".stage.own-run .stage-title"), /^Dot$/);
  const { seed, config } = await state(frame);
  assert.deepEqual([seed, config.world, config.worlds], [5, "own", 16]);
  const [change] = await frame.evaluate(() => globalThis.learnery.changes);
  assert.deepEqual([change.unit, change.data.command.text], [0, world]);
  await until("its metrics are told", () =>
    page.evaluate(() => globalThis.told.some(({ unit, metrics }) => unit > 1 && metrics.examReturn <= 0)),
  );
  const href = await frame.locator(".embed-link").getAttribute("href");
  const [, opened] = /&hide=editor&data=0:([\w-]+)$/.exec(href) ?? assert.fail(href);
  assert.deepEqual(JSON.parse(inflateRawSync(Buffer.from(opened, "base64url"))), JSON.parse(command));

  // Another link is another world.
  const other = JSON.stringify({ type: "world", name: "other.world", text: world.replace("Dot", "Other") });
  const next = `#/control?world=own&worlds=16&data=0:${deflateRawSync(other).toString("base64url")}`;
  await page.evaluate((link) => document.querySelector("learnery-lab").setAttribute("link", link), next);
  await until("the frame has the other world", async () => {
    const title = page.frames().at(-1).locator(".stage.own-run .stage-title");
    return (await title.textContent({ timeout: 1000 }).catch(() => "")) === "Other";
  });
  await page.assertNoErrors();
});

test("embed computes the bits of the page, although it has one thread", async () => {
  const run = "#/control?seed=5&worlds=16";
  const units = 3;
  const page = await openPage(hosts.isolated, `${run}&units=${units}`);
  await until("the page has replayed", async () => (await state(page).catch(() => null))?.units === units);
  const foreign = await openPage(hosts.plain, "embed.html");
  await openForeign(foreign, `<iframe src="${foreign.address(`embed.html${run}`)}" width="640" height="400"></iframe>`);
  const frame = await embedOf(foreign);
  await until("the run is open", () => frame.evaluate(() => globalThis.learnery.open));
  for (let unit = 1; unit <= units; unit++) {
    await frame.evaluate(() => globalThis.learnery.finishUnit());
    await until(`unit ${unit}`, async () => (await state(frame)).units === unit);
  }
  const fingerprint = (place) =>
    place.evaluate(async () => (await globalThis.learnery.save({ fingerprint: true })).fingerprint);
  const [here, there] = [await fingerprint(frame), await fingerprint(page)];
  assert.match(here, /^[0-9a-f]{64}$/);
  assert.equal(here, there);
  await foreign.assertNoErrors();
});

test("page of another origin than the embed expects is neither heard nor told anything", async () => {
  const page = await openPage(hosts.plain, "embed.html");
  const address = page.address(`embed.html?lab=control&origin=${encodeURIComponent("https://example.org")}`);
  await openForeign(
    page,
    `<script>globalThis.heard = []; onmessage = ({ data }) => heard.push(data);</script>
     <iframe src="${address}" width="640" height="400"></iframe>`,
  );
  const frame = await embedOf(page);
  await until("the run is open", () => frame.evaluate(() => globalThis.learnery.open));
  await page.evaluate(() => frames[0].postMessage({ learnery: "embed", type: "run" }, "*"));
  await untilDelivered(frame);
  await untilViews(frame); // in which it would have begun to run
  assert.equal((await state(frame)).running, false);
  await frame.evaluate(() => parent.postMessage("the end", "*"));
  await until("the end is heard", () => page.evaluate(() => globalThis.heard.includes("the end")));
  assert.deepEqual(await page.evaluate("heard"), ["the end"]);
  // Chromium reports on the console that it has sent nothing to another origin.
  assert.ok(
    page.errors.every((error) => error.includes("'postMessage'")),
    String(page.errors),
  );
});

for (const lab of labNames(root)) {
  test(`embed fits into small and large frames and loads little: ${lab}`, async () => {
    const page = await openPage(hosts.plain, `embed.html?lab=${lab}&autoplay`, {
      viewport: { width: 320, height: 240 },
      reducedMotion: "reduce",
    });
    await until("it learns", async () => (await state(page)).work > 0);
    const needed = page.loaded().filter((file) => !isLoadedLater(file));
    const files = needed.map((file) => [relative(site, file), gzipSize(readFileSync(file)) / 1000]);
    if (process.env.LEARNERY_FILES) console.log(files.map(([file, kb]) => `${kb.toFixed(1)} ${file}`).join("\n"));
    const kb = files.reduce((sum, [, each]) => sum + each, 0);
    console.log(`${lab}: ${kb.toFixed(1)} kB by gzip`);
    assert.ok(kb < limit(lab), `an embed of ${lab} loads ${kb.toFixed(1)} kB`);
    await page.getByRole("button", { name: "Pause" }).press("Enter");
    for (const [width, height] of [
      [320, 240],
      [640, 400],
    ]) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        // The picture gets its size in the next frames.
        const measured = () =>
          page.evaluate(() => {
            const boxes = [...document.querySelectorAll(".embed > *, .embed-tools > *")].map((node) =>
              node.getBoundingClientRect(),
            );
            return {
              right: Math.max(document.documentElement.scrollWidth, ...boxes.map((box) => box.right)),
              bottom: Math.max(document.documentElement.scrollHeight, ...boxes.map((box) => box.bottom)),
              picture: document.querySelector(".embed-picture").getBoundingClientRect().height,
            };
          });
        const { right, bottom, picture } = await untilStill(page, measured);
        assert.ok(right <= width && bottom <= height, `${right} × ${bottom} in ${width} × ${height}`);
        assert.ok(picture > height / 2.5, `the picture is ${picture} high in ${height}`);
        assert.deepEqual(await findings(page), [], `${width} × ${height}, ${colorScheme}`);
      }
    }
    await page.assertNoErrors();
  });
}

test("what an address asks for in vain becomes a sentence in the embed", async () => {
  const page = await openPage(hosts.plain, "embed.html?lab=chess");
  await page.getByText(`There is no lab called “chess”; there are ${labNames(root).join(", ")}`).waitFor();
  assert.deepEqual(await findings(page), []);
  await page.goto(page.address("embed.html?lab=control&preset=moon&theme=dark&lang=fr"));
  await page.getByText("Control has no preset called “moon”").waitFor();
  await page.getByText("no captions in the language “fr”").waitFor();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.getByRole("button", { name: "Start learning" }).waitFor();
  await page.assertNoErrors();
});

test("?embed on the page leads to the embed with the run of the link, which stores nothing", async () => {
  // As a page of its own, because Chromium denies a frame on a foreign page all storage in tests.
  const path = "?embed&hide=title&autoplay#/control?seed=5&worlds=64";
  const page = await openPage(hosts.serviceWorker, path, { stopsAtGoal: true }); // nothing is stored for the test
  await until("it learns", async () => (await state(page)).units > 1);
  assert.equal(page.url(), page.address("embed.html?hide=title&autoplay#/control?seed=5&worlds=64"));
  await page.keyboard.press("Space");
  await until("it pauses", async () => !(await state(page)).running);
  const { seed, config } = await state(page);
  assert.deepEqual([seed, config.worlds], [5, 64]);
  assert.equal(await page.getByRole("heading").count(), 0);
  const link = page.getByRole("link", { name: "Open in Learnery" });
  assert.match(await link.getAttribute("href"), /^\.\/#\/control\?seed=5&worlds=64$/);
  assert.deepEqual(await stored(page), []);
  await page.assertNoErrors();
});

test("snippet of the maker works when it is pasted into a page", async () => {
  const page = await openPage(hosts.isolated, "embed-maker.html#/control?seed=3&worlds=64");
  await page
    .getByLabel("Preset")
    .locator("option", { hasText: "Settings from your link" })
    .waitFor({ state: "attached" });
  assert.match(await page.getByLabel("The snippet").inputValue(), /#\/control\?seed=3&amp;worlds=64"/);
  await page.getByLabel("Lab", { exact: true }).selectOption("logic");
  await page.getByLabel("Preset").locator("option", { hasText: "Game of life" }).first().waitFor({ state: "attached" });
  await page.getByLabel("Preset").selectOption("life");
  await page.getByLabel("Size").selectOption("0");
  await page.getByLabel("the title of the lab").uncheck();
  const preview = await embedOf(page);
  await until(
    "the preview follows",
    () => preview.url().includes("preset=life") && preview.url().includes("hide=title"),
  );
  assert.deepEqual(await findings(page), []);
  await page.getByLabel("Seed").fill("-1");
  await page.getByText("as the seed").waitFor();
  await page.getByLabel("Seed").fill("4");
  const snippet = await page.getByLabel("The snippet").inputValue();
  assert.match(
    snippet,
    /^<iframe src="http:\/\/localhost:\d+\/embed\.html\?lab=logic&amp;preset=life&amp;seed=4&amp;hide=title&amp;autoplay"/,
  );
  await page.assertNoErrors();

  await openForeign(page, snippet);
  const frame = await embedOf(page);
  await until("it learns", async () => (await state(frame)).work > 0);
  const { seed, config, bundle } = await state(frame);
  assert.deepEqual([seed, config.experiment, bundle], [4, "life", "threads"]);
  const box = await page.locator("iframe").boundingBox();
  assert.deepEqual([box.width, box.height], [320, 240]);
  await page.assertNoErrors();
});

test("npm run preview sends the headers of every file, and the pages have the same policy", async () => {
  const server = await preview({
    root,
    configFile: join(root, "vite.config.ts"),
    build: { outDir: site },
    logLevel: "warn",
  });
  servers.push(server);
  const address = server.resolvedUrls.local[0];
  for (const path of ["", ...PAGES, "learnery-lab.js", "sw.js"]) {
    const response = await fetch(address + path);
    for (const [name, value] of Object.entries(headersOf(path))) assert.equal(response.headers.get(name), value, path);
    const text = await response.text();
    if (!PAGES.includes(path)) continue;
    const meta = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)?.[1];
    assert.equal(meta?.replaceAll("&#39;", "'"), policyOf(path), path);
  }
  assert.ok(readFileSync(join(site, "_headers"), "utf8").includes(policyOf("embed.html")));
});
