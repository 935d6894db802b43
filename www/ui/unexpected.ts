// Says in a notice that a part of the page has failed unexpectedly: a file that is loaded on demand and did not arrive,
// or an error in the page's own code. Failures before the page shows anything are the business of
// www/load-failure.js, those of a worker have cards of their own (cards.ts).

import type { Notices } from "./notices";

const TEXT = "A part of the page has failed. If something is missing, reload the page.";

/** Shows a notice at every error that nothing else handles. */
export function reportUnexpected(notices: Notices): void {
  const show = () => {
    // A card about the failure of everything says more.
    if (document.querySelector(".card.failure")) return;
    const reload = { label: "Reload the page", run: () => location.reload() };
    notices.show("unexpected", TEXT, [reload], { tone: "wrong", stays: true, lab: null });
  };
  // Some events have no error: a resource that did not arrive, or a ResizeObserver that continues in the next frame.
  addEventListener("error", ({ error }) => {
    if (error) show();
  });
  addEventListener("unhandledrejection", show);
}
