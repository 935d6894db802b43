// Whatever fails while the page loads becomes a sentence that says what to do, and what is not essential does not keep
// the lab from learning. engines.test.mjs tests in other browsers that files do not arrive.

import assert from "node:assert/strict";
import { hosts, openPage, test, until } from "./harness.mjs";
import { anotherRun, state, untilLearning, untilUnits } from "./lab.mjs";

/** Opens a page in which a function runs before anything else, with `argument`. */
const openWith = (script, path = "#/control", host = hosts.isolated, argument) =>
  openPage(host, path, { prepare: (page) => page.addInitScript(script, argument) });

/** Opens a page whose files of this name are handled by `handle`, by default as if the connection were lost. */
const openWithout = (file, path = "#/control", handle = (route) => route.abort()) =>
  openPage(hosts.isolated, path, { prepare: (page) => page.context().route(file, handle) });

const CANNOT_START = /^The page could not start.*Check the connection and reload the page/;
const CANNOT_LOAD = /^The lab could not be loaded.*Check the connection/;

/** Waits for a card of a failure with this text. */
async function untilCard(page, text) {
  const card = page.getByRole("alert");
  await card.waitFor();
  assert.match(await card.textContent(), text);
}

/** Functions that run first in the page, and make it fail before it shows anything. */
const THROWS = {
  "an error while a module is evaluated": () => (globalThis.matchMedia = undefined),
  "an error after the first wait": () => (URLSearchParams.prototype.get = undefined),
};

for (const [what, script] of Object.entries(THROWS)) {
  test(`start fails with a sentence: ${what}`, async () => {
    const page = await openWith(script);
    await untilCard(page, CANNOT_START);
    assert.ok(await page.getByRole("button", { name: "Reload the page" }).isVisible());
  });
}

for (const [file, text] of [
  [/\/assets\/index-.*\.js$/, CANNOT_START],
  [/\/assets\/page-.*\.js$/, CANNOT_START],
  [/\/assets\/worker-.*\.js$/, CANNOT_LOAD],
  [/\/assets\/(threads|threads-plain|simple)-.*\.js$/, CANNOT_LOAD],
]) {
  test(`failure is told if ${file.source} does not arrive`, async () => {
    let refused = 0;
    const page = await openWithout(file, "#/control", (route) => {
      refused++;
      return route.fulfill({ status: 404 });
    });
    await untilCard(page, text);
    assert.ok(refused > 0, "the page asked for the file");
  });
}

for (const [what, file] of [
  ["texts", /assets\/control-.*\.js/],
  ["pictures", /assets\/view-.*\.js/],
]) {
  test(`lab whose ${what} do not arrive is reported, and can be tried again`, async () => {
    // The control lab's picture comes with its texts.
    const page = await openWithout(file, what === "texts" ? "#/control" : "#/logic");
    await untilCard(page, CANNOT_LOAD);
    await page.context().unroute(file);
    await page.getByRole("button", { name: "Try again" }).click();
    // Some browsers remember that a module has failed. There the page reloads itself, which interrupts `evaluate`.
    const learns = () => globalThis.learnery?.progress.units > 0 && document.querySelector(".dock") !== null;
    await until("the lab learns", () => page.evaluate(learns).catch(() => false));
  });
}

test("text asks for a reload after a while if no script arrives", async () => {
  const page = await openWithout(/\.js$/);
  const late = page.getByText("check the connection and reload the page");
  assert.equal(await late.isVisible(), false);
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish())); // the while is over
  assert.ok(await late.isVisible());
});

for (const [what, globals, sentence] of [
  [
    "WebAssembly",
    () => (globalThis.WebAssembly = undefined),
    /WebAssembly.*is switched off in this browser.*use another browser/,
  ],
  ["SIMD", () => (WebAssembly.validate = () => false), /no WebAssembly SIMD.*Update the browser/],
]) {
  test(`browser without ${what} is told so`, async () => {
    const page = await openWith(globals);
    await page.getByText(sentence).waitFor();
    await page.assertNoErrors();
  });
}

test("learner that cannot be loaded is reported: workers are forbidden", async () => {
  const page = await openWith(() => {
    globalThis.Worker = function () {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  });
  await untilCard(page, CANNOT_LOAD);
});

for (const [what, options] of [
  ["cannot be created", { refused: true }],
  ["cannot load their script", { address: "missing.js" }],
]) {
  test(`learner that cannot be loaded is reported: its threads ${what}`, async () => {
    const page = await openWith(
      ({ refused, address }) => {
        const { Worker } = globalThis;
        globalThis.Worker = function (url, options) {
          if (options.name !== "thread") return new Worker(url, options);
          if (refused) throw new DOMException("The operation is insecure.", "SecurityError");
          return new Worker(address, options);
        };
      },
      "#/control",
      hosts.isolated,
      options,
    );
    await untilCard(page, CANNOT_LOAD);
  });
}

test("lab learns where workers cannot be modules", async () => {
  const page = await openWith(
    () => {
      const { Worker } = globalThis;
      globalThis.Worker = function (address) {
        return new Worker(address);
      };
    },
    "#/control",
    hosts.plain,
  );
  await untilLearning(page);
  await page.assertNoErrors();
});

test("learner that cannot be loaded is reported: its module is damaged", async () => {
  const damaged = { contentType: "application/wasm", body: "<!doctype html>" };
  const page = await openWithout(/\.wasm$/, "#/control", (route) => route.fulfill(damaged));
  await untilCard(page, CANNOT_LOAD);
  await page.context().unroute(/\.wasm$/);
  await page.getByRole("button", { name: "Try again" }).click();
  await untilLearning(page);
});

test("too little memory for the threads is reported", async () => {
  const page = await openWithout(/assets\/worker-.*\.js/, "#/control", async (route) => {
    const response = await route.fetch();
    const lack = `WebAssembly.Memory = class { constructor() { throw new RangeError("could not allocate memory"); } };`;
    await route.fulfill({ response, body: lack + (await response.text()) });
  });
  await untilCard(page, /^There is not enough memory.*Close other tabs or programs and try again/);
});

test("lab learns where every kind of storage is forbidden", async () => {
  const page = await openWith(() => {
    const forbid = (target, name) =>
      Object.defineProperty(target, name, {
        get() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) forbid(globalThis, name);
    for (const name of ["storage", "locks", "serviceWorker"]) forbid(Navigator.prototype, name);
    globalThis.BroadcastChannel = function () {
      throw new DOMException("The operation is insecure.", "SecurityError");
    };
  });
  await untilLearning(page);
  await untilUnits(page, 3);
  // A new run replaces one that cannot be saved.
  const restarted = await anotherRun(page, () => page.locator(".dock .restart").click());
  assert.equal(restarted.units, 0);
  await page.getByText("this browser cannot save runs").waitFor();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  assert.equal(await page.locator(".notice.wrong").count(), 0);
  await page.assertNoErrors();
});

test("curves are drawn where the browser's language is none", async () => {
  const page = await openWith(() => {
    Object.defineProperty(Navigator.prototype, "language", { get: () => "C", configurable: true });
  });
  await page.locator(".uplot").first().waitFor();
  await page.assertNoErrors();
});

for (const [what, file, act, sentence] of [
  ["chart library", /assets\/uPlot.*\.js/, () => {}, "The chart could not be loaded."],
  [
    "help",
    /assets\/help-.*\.js/,
    (page) => page.keyboard.press("?"),
    "The list of keyboard shortcuts could not be loaded.",
  ],
]) {
  test(`lab goes on, and a sentence says so, if the ${what} does not arrive`, async () => {
    const page = await openWithout(file);
    await untilLearning(page);
    await act(page);
    await page.getByText(sentence).first().waitFor();
    const { units } = await state(page);
    await untilUnits(page, units + 1);
  });
}

test("front that does not arrive is reported, and a button leads back to the lab, which has gone on", async () => {
  const page = await openWithout(/assets\/front-.*\.js/);
  await untilLearning(page);
  await page.getByRole("link", { name: "Learnery" }).click();
  await untilCard(page, CANNOT_LOAD);
  const { units } = await state(page);
  await page.getByRole("button", { name: "Back to Control" }).click();
  await page.locator(".dock").waitFor();
  await untilUnits(page, units + 1);
});

test("unexpected error of a page that works is told in a notice", async () => {
  const page = await openPage(hosts.isolated, "#/control");
  await untilLearning(page);
  await page.evaluate(() => void setTimeout(() => globalThis.noSuchFunction()));
  await page.getByText(/A part of the page has failed.*reload the page/).waitFor();
  const { units } = await state(page);
  await untilUnits(page, units + 1);
});
