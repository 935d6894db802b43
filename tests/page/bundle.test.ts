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
    /web server does not allow more, because it sends no cross-origin isolation headers/,
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

/**
 * WebAssembly of a browser whose relaxed multiply-add is fused (rounded once), with or without shared memory. `f` is
 * the function by which core/bundle.ts finds that out: what it returns is lost where the product is rounded before the
 * sum.
 */
const fusing = ({ sharesMemory }: { sharesMemory: boolean }) => ({
  validate: () => true,
  Module: class {
    compiled = true;
  },
  Instance: class {
    exports = { f: () => 2 ** -24 };
  },
  Memory: function () {
    if (!sharesMemory) throw new RangeError("shared memory is off");
  },
});

test("embed has one thread and the bits of the isolated page", (context) => {
  for (const WebAssembly of [fusing({ sharesMemory: true }), { ...fusing({ sharesMemory: true }), Instance: Plain }]) {
    withGlobals(context, { ...ISOLATED, WebAssembly });
    const { bits } = chooseBundle();
    withGlobals(context, { crossOriginIsolated: false, SharedArrayBuffer: undefined });
    const embed = chooseOneThread();
    assert.deepEqual([embed.bits, embed.threads], [bits, 1]);
    assert.equal(embed.name, bits === "fused" ? "threads" : "simple");
    // The next pass needs shared memory again, of which only the existence is asked.
    withGlobals(context, { SharedArrayBuffer: ArrayBuffer });
  }
});

/** An instance whose multiply-add rounds twice. */
class Plain {
  exports = { f: () => 0 };
}

test("embed falls back to the simple build without shared memory, or on a page without HTTPS", (context) => {
  withGlobals(context, { ...ISOLATED, WebAssembly: fusing({ sharesMemory: true }) });
  assert.equal(chooseOneThread().name, "threads");
  withGlobals(context, { isSecureContext: false });
  assert.equal(chooseOneThread().name, "simple");
  withGlobals(context, { isSecureContext: true, WebAssembly: fusing({ sharesMemory: false }) });
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
