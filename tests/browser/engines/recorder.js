// Records the errors of a page for the test of every engine (engines.test.mjs), which adds this script to the page,
// because WebKit's driver reports no console. Some errors reach a page only as events.

globalThis.recorded = [];

const consoleError = console.error;
console.error = (...words) => {
  globalThis.recorded.push(words.map(String).join(" "));
  consoleError.apply(console, words);
};
/**
 * Not a failure: some sizes are reported in the next frame. WebKit says so while styles of a part of the page are on
 * their way, because it then measures new elements as empty at first. The page ignores it too (ui/unexpected.ts).
 */
const SIZES_COME_LATER = "ResizeObserver loop completed with undelivered notifications.";

addEventListener(
  "error",
  ({ message, target }) => {
    if (message === SIZES_COME_LATER) return;
    globalThis.recorded.push(message ?? `${target.src ?? target.href} did not arrive`);
  },
  true, // the event of a file that did not arrive does not bubble
);
addEventListener("unhandledrejection", ({ reason }) => globalThis.recorded.push(String(reason)));
addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
  globalThis.recorded.push(`${violatedDirective} forbids ${blockedURI}`),
);
