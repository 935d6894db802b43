// Waits for a bundle that the development server is still building (scripts/dev-bundles.mjs). The built site has all
// bundles and does not contain this file.

import type { BundleName } from "./worker-messages";

/** How far the bundle is. `text` is a sentence for the page. */
export interface BuildNews {
  state: "waiting" | "building" | "ready" | "failed";
  fraction: number;
  text: string;
}

/**
 * Asks the server to build a bundle next, and calls `ready` when it is there. Until then it calls `report` with each
 * state, the last of which is a failure if the bundle cannot be built. Returns a function that ends the waiting.
 */
export function awaitBundle(
  bundle: BundleName,
  program: string,
  report: (news: BuildNews) => void,
  ready: () => void,
): () => void {
  const source = new EventSource(`/bundles/${bundle}/${program}`);
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const news = JSON.parse(data) as BuildNews;
    if (news.state === "ready" || news.state === "failed") source.close();
    if (news.state === "ready") ready();
    else report(news);
  };
  source.onerror = () => {
    // A closed source means that the server builds no bundles, because it was not started by `npm start`. In other
    // cases the browser connects again.
    if (source.readyState === EventSource.CLOSED) ready();
  };
  return () => source.close();
}
