// Unit tests of what the page finds out about its browser: the reason for one thread, what is missing altogether, and a
// language that Intl refuses. The browser's globals are replaced by those of each case.

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { chooseBundle, chooseOneThread, unsupported } from "../../www/core/bundle";
import { ensureKnownLanguage } from "../../www/core/language";

/** Sets globals until the test ends. */
function withGlobals(context: TestContext, globals: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(globals)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    context.after(() => {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    });
  }
}

const ISOLATED = { isSecureContext: true, crossOriginIsolated: true, navigator: { hardwareConcurrency: 3 } };

test("bundle with threads is chosen on an isolated page", (context) => {
  withGlobals(context, ISOLATED);
  const { name, threads, reason } = chooseBundle();
  assert.match(name, /^threads/);
  assert.deepEqual([threads, reason], [3, "3 threads."]);
  assert.equal(chooseBundle("threads-plain").name, "threads-plain");
});

// Each case: globals that differ from an isolated page's, whether the headers came, and a word of the reason.
const CASES: [string, Record<string, unknown>, boolean, RegExp][] = [
  ["insecure page", { isSecureContext: false }, true, /not loaded over HTTPS/],
  [
    "host without headers",
    { crossOriginIsolated: false },
    false,
    /web server does not send the cross-origin isolation headers/,
  ],
  ["browser without isolation", { crossOriginIsolated: undefined }, true, /browser does not isolate the page/],
  ["browser that hides shared memory", { SharedArrayBuffer: undefined }, true, /browser hides shared memory/],
  ["browser without shared memory", { WebAssembly: { validate: () => false } }, true, /browser cannot share memory/],
];

for (const [name, globals, headersSent, reason] of CASES) {
  test(`one thread is explained: ${name}`, (context) => {
    withGlobals(context, { ...ISOLATED, ...globals });
    const choice = chooseBundle(undefined, headersSent);
    assert.deepEqual([choice.name, choice.threads], ["simple", 1]);
    assert.match(choice.reason, reason);
  });
}

test("embed has one thread and the bits of the isolated page, where shared memory can be had without isolation", (context) => {
  withGlobals(context, { ...ISOLATED, navigator: { hardwareConcurrency: 1 } });
  const { bits } = chooseBundle();
  withGlobals(context, { crossOriginIsolated: false, SharedArrayBuffer: undefined });
  const { name, bits: ofEmbed, threads } = chooseOneThread();
  assert.deepEqual([name, ofEmbed, threads], [bits === "fused" ? "threads" : "simple", bits, 1]);
});

test("embed falls back to the simple build", (context) => {
  withGlobals(context, ISOLATED);
  const shares = Object.create(WebAssembly) as typeof WebAssembly;
  shares.Memory = function () {
    throw new RangeError("shared memory is off");
  } as unknown as typeof WebAssembly.Memory;
  withGlobals(context, { WebAssembly: shares });
  assert.deepEqual([chooseOneThread().name, chooseOneThread().bits], ["simple", "plain"]);
  withGlobals(context, { WebAssembly: { validate: () => false } });
  assert.equal(chooseOneThread().name, "simple");
  withGlobals(context, { isSecureContext: false });
  assert.equal(chooseOneThread().name, "simple");
});

test("browser without WebAssembly, or without its SIMD, is told what to do", (context) => {
  assert.equal(unsupported(), undefined);
  withGlobals(context, { WebAssembly: { validate: () => false } });
  assert.match(unsupported() ?? "", /no WebAssembly SIMD.*Update the browser/);
  withGlobals(context, { WebAssembly: undefined });
  assert.match(unsupported() ?? "", /WebAssembly.*switched off.*use another browser/);
});

test("language that Intl refuses is replaced, and any other stays", (context) => {
  for (const [language, expected] of [
    ["C", "en-US"],
    ["", "en-US"],
    ["de-DE", "de-DE"],
    ["tlh", "tlh"],
  ]) {
    withGlobals(context, { navigator: { language } });
    ensureKnownLanguage();
    assert.equal(navigator.language, expected);
    assert.doesNotThrow(() => new Intl.NumberFormat(navigator.language));
  }
});
