// Lets the service worker (www/sw.js) keep the site on this device, so that every lab works without a network, and
// notices a new version of the site. It is loaded and called only when the first lab learns (or a returning
// visitor sees the front), so that it does not compete with the first load.

import { VERSION } from "./version";
import type { BundleName } from "./worker-messages";

/** The answer of the service worker to a request to keep files. */
interface Kept {
  /** The version of the site that the service worker belongs to. */
  version: string;
  /** How many files are missing still. */
  missing: number;
}

/** The wait before files are fetched, so that this does not disturb the first seconds of learning. */
const FIRST_PAUSE_MS = 3_000;
/** A page that is busy all the time fetches files after this long nevertheless. */
const MAX_IDLE_WAIT_MS = 5_000;
/** A new version is looked for when the visitor comes back to the page, but no more often than this. */
const UPDATE_INTERVAL_MS = 3_600_000;
/** A service worker that was ended by the browser does not answer. */
const MAX_ANSWER_MS = 120_000;

/** The part of the browser's connection that not every browser has. */
type Connection = { saveData?: boolean } | undefined;

/**
 * Keeps the files of the site, with the bundles that this browser uses. `newVersion` is called once, when a newer
 * version of the site has been fetched. Where service workers or storage are forbidden, nothing happens.
 */
export async function keepOffline(bundle: BundleName, newVersion: () => void): Promise<void> {
  try {
    if (!VERSION || !globalThis.isSecureContext || !("serviceWorker" in navigator)) return;
    await idle(FIRST_PAUSE_MS);
    const { serviceWorker } = navigator;
    // A service worker that isolation.ts has registered is not registered again: Chromium may put that off for a
    // minute. Tests and some browsers block service workers by returning nothing.
    const present = await serviceWorker.getRegistration();
    const isOurs = present?.scope === new URL("./", document.baseURI).href;
    const registration = isOurs ? present : await serviceWorker.register(new URL("sw.js", document.baseURI));
    if (!registration) return;
    await serviceWorker.ready;
    let hasTold = false;
    const tellOnce = () => {
      if (!hasTold) newVersion();
      hasTold = true;
    };
    const check = singly(() => keepAll(registration, bundle, tellOnce));
    serviceWorker.addEventListener("controllerchange", check);
    addEventListener("online", check);
    let updatedAt = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - updatedAt < UPDATE_INTERVAL_MS) return;
      updatedAt = Date.now();
      registration.update().catch(() => {}); // there may be no network
    });
    check();
  } catch {
    // Service workers are forbidden here. The page works without.
  }
}

/** Lets the service worker fetch the missing files, a few at a time. */
async function keepAll(
  registration: ServiceWorkerRegistration,
  bundle: BundleName,
  newVersion: () => void,
): Promise<void> {
  // A visitor who saves data gets only what is used.
  const saveData = (navigator as { connection?: Connection }).connection?.saveData;
  for (;;) {
    const kept = await ask(registration, { type: "keep", version: VERSION, bundle: saveData ? null : bundle });
    if (kept.version !== VERSION) break;
    if (kept.missing === 0) return;
    await idle(0);
  }
  // Either this page is the older, or it came from the network and the service worker is the older. In the second case
  // there is a newer service worker, and `controllerchange` follows.
  await registration.update();
  if (!registration.installing && !registration.waiting) newVersion();
}

function ask(registration: ServiceWorkerRegistration, request: object): Promise<Kept> {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    // A service worker that was ended never answers.
    const timer = setTimeout(() => reject(new Error("the service worker does not answer")), MAX_ANSWER_MS);
    port1.onmessage = ({ data }: MessageEvent<Kept>) => {
      clearTimeout(timer);
      port1.close();
      resolve(data);
    };
    const worker = registration.active;
    if (worker) worker.postMessage(request, [port2]);
    else reject(new Error("there is no service worker"));
  });
}

/**
 * A function that does the work, but never twice at the same time: calls during the work make it repeat once
 * afterwards. Errors are ignored.
 */
function singly(work: () => Promise<void>): () => void {
  let busy = false;
  let again = false;
  const repeat = async () => {
    busy = true;
    do {
      again = false;
      await work().catch(() => {}); // without a network or storage it stays as it is
    } while (again);
    busy = false;
  };
  return () => {
    if (busy) again = true;
    else void repeat();
  };
}

/** Waits for `ms`, and then until the page has nothing better to do. */
function idle(ms: number): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    setTimeout(
      () =>
        "requestIdleCallback" in globalThis
          ? requestIdleCallback(() => resolve(), { timeout: MAX_IDLE_WAIT_MS })
          : resolve(),
      ms,
    );
  });
}

/** Removes the service worker of a built site that was served at the address of the development server before. */
export async function forgetServiceWorkers(): Promise<void> {
  try {
    const registrations = await navigator.serviceWorker.getRegistrations();
    const site = new URL("./", document.baseURI).href;
    for (const registration of registrations) if (registration.scope === site) await registration.unregister();
    await caches.delete(`learnery ${site}`);
  } catch {
    // There are no service workers here.
  }
}
