// Records the errors of a page for the test of every engine (engines.test.mjs), which adds this script to the page,
// because WebKit's driver reports no console. Some errors reach a page only as events.

globalThis.recorded = [];

const consoleError = console.error;
console.error = (...words) => {
  globalThis.recorded.push(words.map(String).join(" "));
  consoleError.apply(console, words);
};
addEventListener(
  "error",
  ({ message, target }) => globalThis.recorded.push(message ?? `${target.src ?? target.href} did not arrive`),
  true, // the event of a file that did not arrive does not bubble
);
addEventListener("unhandledrejection", ({ reason }) => globalThis.recorded.push(String(reason)));
addEventListener("securitypolicyviolation", ({ blockedURI, violatedDirective }) =>
  globalThis.recorded.push(`${violatedDirective} forbids ${blockedURI}`),
);
