// The version of the site that this page was loaded from. As long as the page is open, it holds a lock with the version
// in its name, so that the service worker (www/sw.js) keeps the files of this version.

/** The version, which the build writes into index.html; undefined on the development server. */
export const VERSION = document.querySelector<HTMLMetaElement>("meta[name=version]")?.content;

/** Holds the lock until the page is closed. */
export function holdVersion(): void {
  if (!VERSION) return;
  const site = new URL("./", document.baseURI).href;
  try {
    // A promise that never resolves holds the lock.
    const held = navigator.locks?.request(
      `learnery ${site} ${VERSION}`,
      { mode: "shared" },
      () => new Promise(() => {}),
    );
    held?.catch(() => {}); // a refusal has the same consequence as the error below
  } catch {
    // Locks may be forbidden. The service worker, which finds fewer locks than pages, then removes no files while this
    // one is open.
  }
}
