// Threads need a cross-origin isolated page. Where the host does not send the headers for that, a service
// worker adds them; the page has to be loaded once more to come through it.

const TRIED = "learnery-isolation-tried";
const PATIENCE_MS = 3000;

/**
 * Call it before anything heavy. True means that the page is about to be reloaded: do nothing more. False
 * means that it stays as it is, isolated or not.
 */
export async function reloadForIsolation(): Promise<boolean> {
  if (globalThis.crossOriginIsolated) {
    sessionStorage.removeItem(TRIED);
    return false;
  }
  // Once only: where it did not help, the page goes on with one thread.
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator) || sessionStorage.getItem(TRIED)) return false;
  try {
    const address = new URL("sw.js", document.baseURI);
    // Where it is blocked, some browsers refuse and others never become ready.
    if (!(await navigator.serviceWorker.register(address))) return false;
    if (!(await Promise.race([navigator.serviceWorker.ready, timeout()]))) return false;
  } catch {
    return false; // Switched off in this browser.
  }
  sessionStorage.setItem(TRIED, "yes");
  location.reload();
  return true;
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}
