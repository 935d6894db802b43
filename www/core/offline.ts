// Lets the service worker (www/sw.js) keep the labs that the visitor opens on this device, so that they work without a
// network, or all labs if the visitor asks for it; and notices a new version of the site. It is loaded and called only
// when the first lab learns (or the front is shown), so that it does not compete with the first load.

import { VERSION } from "./version";
import type { BundleName } from "./worker-messages";

/** How much of what was asked for is on this device. */
export interface Counts {
  /** How many files are missing still. */
  missing: number;
  /** The bytes of the files that are there, and of all. */
  kept: number;
  total: number;
}

/**
 * Why files are not kept: the storage is full, or cannot be used; a file did not arrive; this page is of an older
 * version of the site; or the browser allows no service worker.
 */
export type KeepFailure = "full" | "storage" | "network" | "version" | "forbidden";

/** The answer of the service worker. */
type Answer = {
  /** The version of the site that the service worker belongs to. */
  version: string;
  failure?: KeepFailure;
} & Counts;

/** The wait before files are fetched, so that this does not disturb the first seconds of learning. */
const FIRST_PAUSE_MS = 3_000;
/** A page that is busy all the time fetches files after this long nevertheless. */
const MAX_IDLE_WAIT_MS = 5_000;
/** A new version is looked for when the visitor comes back to the page, but no more often than this. */
const UPDATE_INTERVAL_MS = 3_600_000;
/**
 * A service worker that was ended by the browser does not answer, and one that fetches a large file answers late. So it
 * is asked again after this time: it goes on with what is not stored yet.
 */
const MAX_ANSWER_MS = 120_000;
/** After so many requests in a row without an answer the network counts as lost. */
const MAX_UNANSWERED = 5;

/** The names of the errors with which browsers refuse service workers. */
const FORBIDDING_ERRORS = ["SecurityError", "NotSupportedError"];

/** The part of the browser's connection that not every browser has. */
type Connection = { saveData?: boolean } | undefined;

export class Offline {
  /** The labs that were opened in this page, and those of them that have used the GPU. */
  #labs = new Set<string>();
  #gpuLabs = new Set<string>();
  /** The service worker, once this page has asked for it; null where there can be none. A failure is forgotten. */
  #registration: Promise<ServiceWorkerRegistration | null> | null = null;
  /** Keeps what was opened. */
  #check = singly(async () => {
    const registration = await this.#register();
    if (registration) await this.#keep(registration, false);
  });
  #hasToldVersion = false;
  /** The keeping of all labs that is going on; null if none is. */
  #keepingAll: Promise<KeepFailure | null> | null = null;
  /** How much of all labs is there since it began; null before the first answer. */
  #countsOfAll: Counts | null = null;
  /** Is told how much is there. */
  #tellCounts: (counts: Counts) => void = () => {};

  /**
   * `bundle` is the one that this browser uses. `newVersion` is called once, when a newer version of the site has been
   * fetched.
   */
  constructor(
    readonly bundle: BundleName,
    readonly newVersion: () => void,
  ) {}

  /** Whether this page can have a service worker at all. The development server has none. */
  get isPossible(): boolean {
    // Some browsers throw where service workers are forbidden.
    try {
      return VERSION !== undefined && globalThis.isSecureContext && "serviceWorker" in navigator;
    } catch {
      return false;
    }
  }

  /**
   * Keeps the page and a lab that was opened; null for the front. Where service workers or storage are forbidden,
   * nothing happens.
   */
  async keepOpened(lab: string | null, usesGpu: boolean): Promise<void> {
    if (lab !== null) this.#labs.add(lab);
    if (lab !== null && usesGpu) this.#gpuLabs.add(lab);
    await idle(FIRST_PAUSE_MS);
    this.#check();
  }

  /** Whether all labs are being kept. */
  get isKeepingAll(): boolean {
    return this.#keepingAll !== null;
  }

  /**
   * Keeps all labs, or goes on with that, and calls `progress` meanwhile, in place of the function that was given
   * before. Returns why it has failed, or null.
   */
  keepAll(progress: (counts: Counts) => void): Promise<KeepFailure | null> {
    this.#tellCounts = progress;
    if (this.#keepingAll === null) this.#countsOfAll = null;
    else if (this.#countsOfAll) progress(this.#countsOfAll);
    return (this.#keepingAll ??= this.#keepEveryLab().finally(() => (this.#keepingAll = null)));
  }

  async #keepEveryLab(): Promise<KeepFailure | null> {
    const progress = (counts: Counts) => {
      this.#countsOfAll = counts;
      this.#tellCounts(counts);
    };
    try {
      const registration = await this.#register();
      return registration ? await this.#keep(registration, true, progress) : "forbidden";
    } catch (error) {
      return FORBIDDING_ERRORS.includes((error as Error).name) ? "forbidden" : "network";
    }
  }

  /** How much of all labs is on this device; without a service worker nothing is. */
  async countAll(): Promise<Counts> {
    const nothing = { missing: Infinity, kept: 0, total: siteBytes(this.bundle) };
    // While the service worker fetches files, it would answer late.
    if (this.isKeepingAll) return this.#countsOfAll ?? nothing;
    try {
      const registration = await ownRegistration();
      if (!registration?.active) return nothing;
      const answer = await ask(registration, this.#request("count", true));
      if (!answer) return nothing;
      return answer.version === VERSION && !answer.failure ? answer : nothing;
    } catch {
      return nothing;
    }
  }

  /** Registers the service worker, unless that was done before. Throws if it cannot be fetched or is forbidden. */
  #register(): Promise<ServiceWorkerRegistration | null> {
    return (this.#registration ??= this.#registerAndListen().catch((error: unknown) => {
      this.#registration = null;
      throw error;
    }));
  }

  async #registerAndListen(): Promise<ServiceWorkerRegistration | null> {
    if (!this.isPossible) return null;
    const { serviceWorker } = navigator;
    // What has failed without a network is tried again. A listener that is added again is still called once.
    addEventListener("online", this.#check);
    // A service worker that isolation.ts has registered is not registered again: Chromium may put that off for a
    // minute. Tests and some browsers block service workers by returning nothing.
    const present = await ownRegistration();
    const registration = present ?? (await serviceWorker.register(new URL("sw.js", document.baseURI)));
    if (!registration) return null;
    await serviceWorker.ready;
    serviceWorker.addEventListener("controllerchange", this.#check);
    let updatedAt = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - updatedAt < UPDATE_INTERVAL_MS) return;
      updatedAt = Date.now();
      registration.update().catch(() => {}); // there may be no network
    });
    return registration;
  }

  /** Lets the service worker fetch the missing files, a few at a time. Returns why it has failed, or null. */
  async #keep(
    registration: ServiceWorkerRegistration,
    all: boolean,
    progress?: (counts: Counts) => void,
  ): Promise<KeepFailure | null> {
    // Of a visitor who saves data only what is used is kept, unless it was asked for.
    const saveData = !all && (navigator as { connection?: Connection }).connection?.saveData;
    let unanswered = 0;
    for (;;) {
      const answer = await ask(registration, this.#request(saveData ? "count" : "keep", all));
      if (!answer) {
        if (++unanswered >= MAX_UNANSWERED) return "network";
        continue;
      }
      unanswered = 0;
      if (answer.version !== VERSION) break;
      if (answer.failure) return answer.failure;
      progress?.(answer);
      if (saveData || answer.missing === 0) return null;
      await idle(0);
    }
    // Either this page is the older, or it came from the network and the service worker is the older. In the second
    // case there is a newer service worker, and `controllerchange` follows. Without a network a page that is reloaded
    // may be the older one again; `online` follows.
    const hasNetwork = await registration.update().then(
      () => true,
      () => false,
    );
    if (!hasNetwork) return "network";
    if (!registration.installing && !registration.waiting && !this.#hasToldVersion) {
      this.#hasToldVersion = true;
      this.newVersion();
    }
    return "version";
  }

  #request(type: "keep" | "count", all: boolean): object {
    // Data that a lab loaded before the service worker was there is kept too.
    const used = performance.getEntriesByType("resource").map(({ name }) => name);
    return {
      type,
      version: VERSION,
      bundle: this.bundle,
      labs: [...this.#labs],
      gpuLabs: [...this.#gpuLabs],
      used,
      all,
    };
  }
}

/** The service worker of this site, if it is registered; others on the same host may be registered above it. */
async function ownRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const present = await navigator.serviceWorker.getRegistration();
  return present?.scope === new URL("./", document.baseURI).href ? present : undefined;
}

/** The size of all files that a browser with this bundle keeps; the build writes it into the page. */
function siteBytes(bundle: BundleName): number {
  const sizes = document.querySelector<HTMLMetaElement>("meta[name=site-bytes]")?.content.split(", ") ?? [];
  return Number(sizes.find((each) => each.startsWith(`${bundle} `))?.slice(bundle.length + 1) ?? 0);
}

/** Asks the service worker. Returns null if it does not answer in time. */
function ask(registration: ServiceWorkerRegistration, request: object): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const worker = registration.active;
    if (!worker) return reject(new Error("there is no service worker"));
    const { port1, port2 } = new MessageChannel();
    const end = (answer: Answer | null) => {
      clearTimeout(timer);
      worker.removeEventListener("statechange", followState);
      port1.close();
      resolve(answer);
    };
    // One that a newer version has replaced may not answer any more.
    const followState = () => worker.state === "redundant" && end(null);
    const timer = setTimeout(() => end(null), MAX_ANSWER_MS);
    worker.addEventListener("statechange", followState);
    port1.onmessage = ({ data }: MessageEvent<Answer>) => end(data);
    worker.postMessage(request, [port2]);
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
