// Threads need a cross-origin isolated page. If the host does not send the headers for that, a service worker adds
// them, and the page is loaded a second time to pass through it.

const TRIED = "learnery-isolation-tried";
const PATIENCE_MS = 3000;

/**
 * Call this before anything costly. True means that the page is about to reload, so do nothing more. False means that
 * the page stays as it is, isolated or not.
 */
export async function reloadForIsolation(): Promise<boolean> {
  if (globalThis.crossOriginIsolated) {
    sessionStorage.removeItem(TRIED);
    return false;
  }
  // Only once: if it did not help, the page goes on with one thread.
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator) || sessionStorage.getItem(TRIED)) return false;
  try {
    const address = new URL("sw.js", document.baseURI);
    // Where service workers are blocked, some browsers refuse and others never get ready.
    if (!(await navigator.serviceWorker.register(address))) return false;
    if (!(await Promise.race([navigator.serviceWorker.ready, timeout()]))) return false;
  } catch {
    return false; // switched off in this browser
  }
  sessionStorage.setItem(TRIED, "yes");
  location.reload();
  return true;
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}
