// Makes the page cross-origin isolated, which threads (shared memory) require. If the host does not send the necessary
// headers, a service worker (sw.js) adds them, and the page is reloaded once so that it passes through it.

/** Key in the session storage: the page was already reloaded in this tab. */
const RELOADED_KEY = "learnery-isolation-tried";
/** The page waits this long for the service worker to become ready. */
const MAX_WAIT_MS = 3000;

/**
 * Returns true if the page is about to reload; the caller then does nothing more. Returns false if the page stays as it
 * is, isolated or not. Call it before any costly work.
 */
export async function reloadForIsolation(): Promise<boolean> {
  // Everything is inside `try`, because storage and service workers throw where a browser blocks them.
  try {
    if (globalThis.crossOriginIsolated) {
      sessionStorage.removeItem(RELOADED_KEY);
      return false;
    }
    // The development server sends the headers, and has no service worker.
    if (import.meta.env.DEV) return false;
    // The page is reloaded only once. If that did not help, it works with one thread.
    if (!globalThis.isSecureContext || !("serviceWorker" in navigator) || sessionStorage.getItem(RELOADED_KEY))
      return false;
    const address = new URL("sw.js", document.baseURI);
    // Where service workers are blocked, some browsers throw and others never become ready.
    if (!(await navigator.serviceWorker.register(address))) return false;
    if (!(await Promise.race([navigator.serviceWorker.ready, timeout()]))) return false;
    sessionStorage.setItem(RELOADED_KEY, "yes");
  } catch {
    return false;
  }
  location.reload();
  return true;
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS));
}

/** Whether the page came with the isolation headers. By this a page without isolation says the true reason for it. */
export async function isolationHeadersSent(): Promise<boolean> {
  if (globalThis.crossOriginIsolated) return true;
  try {
    // The page itself was loaded just now, so that the browser can often answer from its cache.
    const { headers } = await fetch(location.pathname + location.search, { cache: "force-cache" });
    return headers.has("cross-origin-opener-policy") && headers.has("cross-origin-embedder-policy");
  } catch {
    return false; // The connection is lost.
  }
}
