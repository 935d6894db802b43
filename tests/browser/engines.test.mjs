// Firefox and WebKit (Safari's engine) learn every lab, on hosts with the isolation headers and without. Each chooses
// the bundle and the number of threads that it should, writes no errors on the console, computes the bits that a
// terminal computes, and says in a sentence if the page's files do not arrive. A lesson, a class and a link to a moment
// work there too, and the service worker keeps a lab and takes a page over while its threads learn.
//
// Other files test the same in Chromium: first-visit.test.mjs that every lab learns and shows a curve,
// protocol.test.mjs the choice of bundle and threads, bits.test.mjs the bits, gpu.test.mjs and language.test.mjs the
// GPU, embed.test.mjs frames, load.test.mjs files that do not arrive, offline.test.mjs and new-version.test.mjs the
// service worker, lessons.test.mjs, class.test.mjs and moment.test.mjs the rest.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findBrowser } from "../../scripts/browsers.mjs";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { bareFolder } from "./bare.mjs";
import { LESSON, linkTo } from "./class-codes.mjs";
import { root, site, test, until } from "./harness.mjs";
import { keptRecord, untilKept } from "./kept.mjs";
import { serve } from "./server.mjs";
import { copyOfSite, deployNextVersion } from "./versions.mjs";

const golden = JSON.parse(readFileSync(join(root, "tests/golden/runs/runs.json"), "utf8"));
/** The first golden run of each lab. Their settings are small, so that they learn within a moment. */
const RUNS = labNames(root).map((lab) => golden.find((run) => run.lab === lab));
assert.ok(RUNS.every(Boolean), "every lab has a run");
const fingerprints = JSON.parse(readFileSync(join(root, "tests/golden/runs/fingerprints.json"), "utf8"));

/** `threads` is false where the browser hides shared memory. WebKitGTK does, unless this variable is set. */
const ENGINES = [
  { title: "Firefox", name: "firefox", threads: true },
  { title: "WebKit", name: "webkit", threads: false },
  { title: "WebKit with shared memory", name: "webkit", threads: true, env: { JSC_useSharedArrayBuffer: "1" } },
];

/** A small run, whose units take a few milliseconds. */
const SMALL = "#/control?worlds=16&horizon=16&hidden=16&eval_episodes=4";
/** The state of the active service worker, whether one controls the page, and whether a newer one waits. */
const SERVICE_WORKER = `navigator.serviceWorker.getRegistration().then(({ active, waiting }) => ({
  state: active?.state,
  controls: navigator.serviceWorker.controller !== null,
  waiting: waiting !== null,
}))`;

const HIDDEN = "One thread: this browser hides shared memory from pages.";
const NO_HEADERS =
  "One thread: this web server does not allow more, because it sends no cross-origin isolation headers.";
/** As many threads as www/core/bundle.ts takes at most. */
const MAX_THREADS = 16;
/**
 * What Firefox writes on the console when a page ends a worker that still loads its modules: that of a link's rounded
 * copy, when the replay arrives first. The page itself hears of no error.
 */
const ENDED_WHILE_LOADING = "uncaught exception: undefined ()";
/** Scrolls to the curves, which are drawn only in sight, and tells whether one is there. */
const CURVE_IS_SHOWN = `(document.querySelector(".curves")?.scrollIntoView(), document.querySelector(".uplot") !== null)`;
/** The page's messages when it cannot start itself, and when it cannot load a lab. */
const CANNOT_START = "The page could not start";
const CANNOT_LOAD = "The lab could not be loaded";

for (const { title, name, threads, env } of ENGINES) {
  const programs = installed(title, name);
  test.describe(title, () => {
    test.skip(programs === null, `${title} is not installed`);
    let engine;
    test.beforeAll(async () => {
      const { start } = await import(`./engines/${name}.mjs`);
      engine = await start({ ...programs, env });
      console.log(`${title}: ${engine.version}`);
    });
    test.afterAll(() => engine?.close());

    // Without the headers the variable of `env` changes nothing.
    for (const isolation of env ? [true] : [true, false]) {
      const host = isolation ? "host with isolation headers" : "host without";
      test(`labs learn, ${host}`, async () => {
        await served(site, { isolation, replace: (path) => recording(path, isolation) }, async (address) => {
          for (const { lab, link } of RUNS) {
            // A link with a unit pauses there.
            const page = await engine.open(address + link.replace(/&units=\d+/, ""));
            const seen = await learns(page, lab);
            await page.evaluate("learnery.pause()");
            const wanted = await expected(page, { isolation, threads });
            assert.deepEqual(
              { lab: seen.lab, bundle: seen.bundle, threads: seen.threads, reason: seen.reason },
              { lab, ...wanted },
            );
            await until(`${lab} shows a curve`, () => page.evaluate(CURVE_IS_SHOWN));
            const errors = [...page.errors(), ...(await page.evaluate("recorded"))];
            assert.deepEqual(errors, [], `errors of ${lab}: ${errors.join("; ")}`);
            console.log(`${lab}: ${seen.bundle}, threads: ${seen.threads}, units: ${seen.units}`);
            await page.close();
          }
        });
      });
    }

    test("computes the bits of a terminal", async () => {
      await served(await bareFolder(), { isolation: true }, async (address) => {
        const page = await engine.open(address);
        await until("the page is there", () => page.evaluate("globalThis.bare !== undefined"));
        for (const run of RUNS) {
          const { bundle, fingerprint } = await page.evaluate(training(run));
          const bits = bundle === "threads" ? "fused" : "plain";
          assert.equal(fingerprint, fingerprints[run.name][bits].started, `${run.name}, ${bits}`);
        }
        await page.close();
      });
    });

    if (env) return; // The rest is the same as without this variable.
    test("computes on a GPU, or says why not and goes on", async () => {
      await served(site, { isolation: true }, async (address) => {
        const page = await engine.open(`${address}#/language?source=copy&width=16&layers=1&device=gpu`);
        // What a notice says is kept, because the notice goes after some seconds.
        const outcome = await until("it is known", () =>
          page.evaluate(`(() => {
            const told = () => document.querySelector(".notices")?.textContent.match(/[^.]*GPU[^.]*/)?.[0];
            const watch = () => {
              new MutationObserver(() => (globalThis.told ??= told())).observe(document, { subtree: true, childList: true, characterData: true });
              return true;
            };
            globalThis.watched ??= watch();
            return globalThis.learnery?.gpu?.name ?? globalThis.told ?? told();
          })()`),
        );
        console.log(outcome);
        await until("it learns", () => page.evaluate("globalThis.learnery?.progress.units > 0"));
        await page.close();
      });
    });
    test("learns in a frame on a page of another origin, which hears of it", async () => {
      await served(site, {}, async (address) => {
        const element = `<script src="${address}learnery-lab.js"></script><learnery-lab lab="control" autoplay></learnery-lab>`;
        const listener = `document.querySelector("learnery-lab").addEventListener("metrics", (event) => (globalThis.heard = event.detail))`;
        const html = `<!doctype html><title>Another page</title><link rel="icon" href="data:,">${element}<script>${listener}</script>`;
        await served(site, { replace: (path) => (path === "/" ? html : null) }, async (foreign) => {
          const page = await engine.open(foreign.replace("localhost", "127.0.0.1"));
          await until("metrics arrive", () => page.evaluate("globalThis.heard !== undefined"));
          await page.close();
        });
      });
    });
    test("class without a server: a result becomes a code, which the teacher's page reads", async () => {
      await served(site, { isolation: true }, async (address) => {
        const page = await engine.open(`${address}#/class?run=${encodeURIComponent("control?worlds=16&horizon=16")}`);
        await until("the name is typed", () =>
          page.evaluate(`(() => {
            const field = document.querySelector(".class-page form input");
            if (field) field.value = "Ada";
            return field !== null;
          })()`),
        );
        await press(page, "Start training");
        await until("it learns", () => page.evaluate("globalThis.learnery?.progress.units > 1"));
        await page.evaluate("learnery.pause()");
        await press(page, "Hand in my result");
        await until("the QR code is drawn", () => page.evaluate(`document.querySelector(".class-qr path") !== null`));
        const code = await page.evaluate(`document.querySelector(".code-text").value`);
        assert.match(code, /^LC1\.[0-9a-f]{8}\.[\w-]+$/);
        const teacher = await engine.open(`${address}#/class?result=${code}`);
        await shows(teacher, ".class-page", "Added the result of Ada.");
        assert.deepEqual([...page.errors(), ...teacher.errors()], []);
        await page.close();
        await teacher.close();
      });
    });
    test("lesson is done: a prediction, a run and a check", async () => {
      await served(site, { isolation: true }, async (address) => {
        const page = await engine.open(address + linkTo(LESSON));
        await press(page, "Tails");
        await press(page, "Start learning");
        await shows(page, ".lesson-check.done", "It has trained twice.");
        assert.deepEqual(page.errors(), []);
        await page.close();
      });
    });
    test("link to a moment is made, and its run is verified", async () => {
      await served(site, { isolation: true }, async (address) => {
        const sender = await engine.open(`${address}${SMALL}&units=2`);
        await shows(sender, ".replay-line", "Replayed to iteration 2.");
        // What is loaded from then on passes through the service worker.
        await until("it is taken over", () => sender.evaluate("navigator.serviceWorker.controller !== null"));
        await press(sender, "Share and save");
        await press(sender, "Make a link to this moment");
        await shows(sender, ".share-moment", "The link is ready.");
        const link = await sender.evaluate(`document.querySelector("#share-moment").value`);
        const page = await engine.open(link);
        await shows(page, ".moment-line", "The run is verified: ");
        const errors = [...sender.errors(), ...page.errors()].filter((error) => error !== ENDED_WHILE_LOADING);
        assert.deepEqual(errors, []);
        await sender.close();
        await page.close();
      });
    });
    // Without isolation headers the service worker adds them, and the page reloads once for that.
    for (const isolation of [true, false]) {
      const host = isolation ? "host with isolation headers" : "host without";
      test(`service worker keeps a lab and is replaced while threads learn, ${host}`, async () => {
        const folder = copyOfSite();
        await served(folder, { isolation }, async (address) => {
          const page = await engine.open(address + SMALL);
          await until("it is isolated", () => page.evaluate("crossOriginIsolated").catch(() => false));
          await until("it learns", () => page.evaluate("globalThis.learnery?.progress.units > 1"));
          const first = await untilKept(pageOfFunctions(page), "control");
          assert.deepEqual(await page.evaluate(SERVICE_WORKER), { state: "activated", controls: true, waiting: false });
          await page.evaluate("(globalThis.first = navigator.serviceWorker.controller, true)");
          // The threads of this page belong to the older version, and the next one takes them over.
          deployNextVersion(folder, ["front"]);
          await page.evaluate(
            "navigator.serviceWorker.getRegistration().then((each) => each.update()).then(() => true)",
          );
          await until("the next version is active", () =>
            page.evaluate(
              `navigator.serviceWorker.controller !== first && (${SERVICE_WORKER}).then(({ state }) => state === "activated")`,
            ),
          );
          assert.equal(await page.evaluate(`fetch("preview.png").then(({ ok }) => ok)`), true);
          assert.deepEqual(page.errors(), []);
          await page.evaluate("(setTimeout(() => location.reload()), true)");
          await until("the page of the next version is kept", async () => {
            const record = await keptRecord(pageOfFunctions(page)).catch(() => null);
            return record?.labs.includes("control") && record.version !== first;
          });
          await until("it learns", () => page.evaluate("globalThis.learnery?.progress.units > 1"));
          await page.close();
        });
      });
    }
    for (const [file, sentence] of [
      [/^\/assets\/index-.*\.js$/, CANNOT_START],
      [/^\/assets\/page-.*\.js$/, CANNOT_START],
      [/^\/assets\/worker-.*\.js$/, CANNOT_LOAD],
      [/^\/assets\/(threads|threads-plain|simple)-.*\.js$/, CANNOT_LOAD],
    ]) {
      test(`says "${sentence}" if ${file.source} does not arrive`, async () => {
        let refused = 0;
        const replace = (path) => (file.test(path) ? (refused++, null) : undefined);
        await served(site, { isolation: true, replace }, async (address) => {
          const page = await engine.open(`${address}#/control`);
          await until(sentence, () =>
            page.evaluate(`document.querySelector("[role=alert]")?.textContent.includes(${JSON.stringify(sentence)})`),
          );
          assert.ok(refused > 0, "the page asked for the file");
          await page.close();
        });
      });
    }
  });
}

/** A page whose `evaluate` takes a function, as those of Playwright. */
const pageOfFunctions = (page) => ({ evaluate: (work) => page.evaluate(`(${work})()`) });

/** The programs of a browser, or null if it is not installed. Continuous integration must have it. */
function installed(title, name) {
  try {
    return findBrowser(name);
  } catch (error) {
    if (process.env.CI) throw error;
    console.log(`${title} is not tested. ${error.message}`);
    return null;
  }
}

/** Waits until an element of the page contains a text. */
const shows = (page, selector, text) =>
  until(`“${text}” is there`, () =>
    page.evaluate(
      `[...document.querySelectorAll("${selector}")].some((each) => each.textContent.includes(${JSON.stringify(text)}))`,
    ),
  );

/** Presses the button, tab or option with this text, once it is there. */
const press = (page, text) =>
  until(`“${text}” can be pressed`, () =>
    page.evaluate(`(() => {
      const all = [...document.querySelectorAll("button, [role=tab], label")];
      const isThere = (each) => !each.disabled && each.getClientRects().length > 0;
      const found = all.find((each) => each.textContent.trim() === ${JSON.stringify(text)} && isThere(each));
      found?.click();
      return found !== undefined;
    })()`),
  );

/** Calls `work` with the address of a server, which is closed afterwards. */
async function served(folder, options, work) {
  const server = await serve(folder, { base: "/", ...options });
  try {
    await work(server.address);
  } finally {
    await server.close();
  }
}

/**
 * Adds the recorder of errors to the page. Without isolation headers it also takes service workers away, because ours
 * would add the headers (learn.test.mjs tests that).
 */
function recording(path, isolation) {
  if (path === "/") {
    const html = readFileSync(join(site, "index.html"), "utf8");
    return html.replace("<meta charset", `<script src="./recorder.js"></script><meta charset`);
  }
  if (path !== "/recorder.js") return undefined;
  const recorder = readFileSync(join(root, "tests/browser/engines/recorder.js"), "utf8");
  return isolation ? recorder : `${recorder}delete Navigator.prototype.serviceWorker;`;
}

/** The state of the page's run, which is the global `learnery` (www/core/run.ts). It is set to max speed. */
function stateOf(page) {
  return page.evaluate(`globalThis.learnery?.ready && {
    fullSpeed: learnery.pace === null || learnery.setPace(null),
    lab: learnery.lab?.about.id,
    bundle: learnery.ready.bundle,
    threads: learnery.ready.build.threads,
    reason: learnery.bundle.reason,
    units: learnery.progress.units,
    shown: document.querySelector(".dock") !== null,
  }`);
}

/**
 * Waits until a lab has learned, and returns the page's state. If it does not, the error says where the page stands.
 */
async function learns(page, lab) {
  let last;
  try {
    return await until(`${lab} learns`, async () => {
      last = await stateOf(page).catch((error) => ({ error: error.message }));
      return last?.shown && last.units > 0 && last;
    });
  } catch (error) {
    const text = await page.evaluate(
      `[location.href, document.readyState, document.body.innerText.slice(0, 400), ...recorded]`,
    );
    throw new Error(`${error.message}; ${JSON.stringify(last)}; ${text.join("; ")}`, { cause: error });
  }
}

/** The bundle, number of threads and reason that a page should have chosen. */
async function expected(page, { isolation, threads }) {
  const isolated = await page.evaluate("crossOriginIsolated");
  assert.equal(isolated, isolation);
  if (!isolated) return { bundle: "simple", threads: 1, reason: NO_HEADERS };
  if (!threads) return { bundle: "simple", threads: 1, reason: HIDDEN };
  const cores = Math.min(await page.evaluate("navigator.hardwareConcurrency"), MAX_THREADS);
  const reason = cores === 1 ? "One thread: this machine has one core." : `${cores} threads.`;
  return { bundle: (await page.evaluate(FUSES)) ? "threads" : "threads-plain", threads: cores, reason };
}

/**
 * Whether the engine rounds a relaxed multiply-add once, found by a module of this test. Its function takes a and b,
 * fills vectors with them, and returns the first lane of a * a + b.
 */
const FUSES = `(() => {
  const code = [0x20, 0, 0xfd, 0x13, 0x20, 0, 0xfd, 0x13, 0x20, 1, 0xfd, 0x13, 0xfd, 0x85, 2, 0xfd, 0x1f, 0, 0x0b];
  const bytes = new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    1, 7, 1, 0x60, 2, 0x7d, 0x7d, 1, 0x7d, // a type: two f32 to one
    3, 2, 1, 0, // a function of this type
    7, 5, 1, 1, 0x66, 0, 0, // exported as f
    10, code.length + 3, 1, code.length + 1, 0, ...code, // its code, without local variables
  ]);
  if (!WebAssembly.validate(bytes)) return false;
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  // (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46, and 0 if the square is rounded.
  return f(1 + 2 ** -23, -(1 + 2 ** -22)) === 2 ** -46;
})()`;

/**
 * Code that starts a golden run in the page of bare/ and resolves to the bundle and the fingerprint after its units.
 */
function training({ lab, settings, seed, units }) {
  const start = JSON.stringify({ type: "start", lab, settings, seed });
  return `(async () => {
    const { bare } = globalThis;
    bare.replace("${lab}");
    await bare.waitFor(({ type }) => type === "ready" || type === "failed");
    await bare.ask(${start}, "opened", "refused");
    for (let unit = 0; unit < ${units}; unit++) await bare.ask({ type: "step", unit: true }, "progress");
    const save = { type: "save", networkOnly: false, wait: false, fingerprint: true };
    return { bundle: bare.choice.name, fingerprint: (await bare.ask(save, "saved")).fingerprint };
  })()`;
}
