// Says in a notice that a part of the page has failed unexpectedly: a file that is loaded on demand and did not arrive,
// or an error in the page's own code. Failures before the page shows anything are the business of
// www/load-failure.js, those of a worker have cards of their own (cards.ts).

import type { Notices } from "./notices";

const NOTICE = "A part of the page has failed. If something is missing, reload the page.";

/** Shows a notice at every error that nothing else handles. */
export function reportUnexpected(notices: Notices): void {
  const show = () => {
    // The card of a worker's failure is in sight, which says more and has its own buttons.
    if (document.querySelector(".card.failure")) return;
    const reload = { label: "Reload the page", run: () => location.reload() };
    notices.show("unexpected", NOTICE, [reload], { tone: "wrong", stays: true, lab: null });
  };
  // An event without an error is no failure of the page: a ResizeObserver that continues in the next frame, or a script
  // of another origin, such as an extension. A module that does not arrive is a rejected `import()`.
  addEventListener("error", ({ error }) => {
    if (error) show();
  });
  addEventListener("unhandledrejection", show);
}
