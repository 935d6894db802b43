// The service worker. It keeps files of the site on the device, so that labs work without a network, and adds the
// headers for cross-origin isolation, which threads require, where the host does not send them.
//
// The build writes a line in front of this file (scripts/service-worker.mjs): `SITE`, the version of the site and, for
// each of its files, the hash, the size and the labs that it belongs to (scripts/site-parts.mjs). A file without labs
// is of the shell: the page itself, what all labs use, and the front. Kept are the shell and the labs that the visitor
// has opened, or all of them if the visitor has asked for that.
//
// Each version of the site has its own service worker, and the browser notices a new one by itself. Files in `assets/`
// have a hash in their names. They are kept under their addresses, for all versions together: a new version fetches
// only what has changed, and a page of an older version still finds its files. The page itself (index.html) is kept
// once per version, and is served only when the shell and the kept labs of its version are there. Before that the page
// comes from the network, and an older one from the device only where there is no network.
//
// core/offline.ts is the page's side: it asks for files to be kept, a few at a time. If anything fails here, such as
// the browser's storage, the answer comes from the network.

/* global SITE */

/** The address of the site's folder, with a slash at its end. */
const SCOPE = self.registration.scope;
/** Other sites on the same host may have caches too. */
const CACHE_NAME = `learnery ${SCOPE}`;
/** A page holds a lock of this name and its version as long as it is open (core/version.ts). */
const LOCK_PREFIX = `learnery ${SCOPE} `;
/** A service worker holds this lock while it notes what is kept or removes files: two versions can run at once. */
const CACHE_LOCK = `learnery-cache ${SCOPE}`;
const PAGE = "index.html";
/** How the names of a bundle's files begin. A browser uses one of the builds for the processor, and perhaps `gpu`. */
const BUNDLE_PATTERN = /^assets\/(threads-plain|threads|simple|gpu)-/;
/** How the names of files begin that belong to a lab's program for worlds of one's own, and not to its usual bundle. */
const OTHER_PROGRAM_PATTERN = /^assets\/[a-z-]+-own-worlds-/;
/**
 * The most files that are fetched per request of the page, and the time after which no further one is begun. The
 * browser ends a service worker that works for too long, and between the requests the page shows how much is there.
 */
const FILES_PER_REQUEST = 6;
const REQUEST_MS = 5_000;
/** Whether this is the active service worker is known after this time, though not all threads may be taken over yet. */
const MAX_CLAIM_MS = 5_000;
/** Responses with these statuses must not have a body. */
const WITHOUT_BODY = [101, 204, 205, 304];

self.addEventListener("install", (event) => event.waitUntil(install()));
// Until this event is over, the browser holds what the pages request. So it must not wait for `claim`, which in Firefox
// waits for threads that may in turn wait for such a request.
self.addEventListener("activate", () => void claim());

/**
 * If an older version is kept on the device, this one is fetched too: the shell and the labs that were kept. If a file
 * does not arrive, the installation fails and the older version stays. If the files cannot be stored, this version
 * begins without them. Otherwise the device would show the old page for ever, and labs that are not kept could not be
 * opened: the host no longer has their old files.
 */
async function install() {
  const before = await newestRecord().catch(() => undefined);
  try {
    if (before && !navigator.connection?.saveData) while ((await keepMore(before)).missing > 0);
  } catch (error) {
    if (failureOf(error) === "network") throw error;
  }
  // This service worker may take over open pages of the older version at once: their files are still kept.
  await self.skipWaiting();
}

/**
 * Whether the host lacks a file of this version. Then it has a newer version, and the page comes from there. A service
 * worker that the browser ends forgets this; until the newer one is installed, the next missing file tells it again.
 */
let isReplaced = false;

/** Requests are answered one at a time: two tabs that asked together would fetch the same files twice. */
let turn = Promise.resolve();

// The page asks for files to be kept, or only how many there are. The answer says which version this is, how many files
// are missing, and the bytes of those that are there and of all that were asked for; or what has failed.
self.addEventListener("message", (event) => {
  const { type, ...request } = event.data ?? {};
  const port = event.ports[0];
  if (!["keep", "count"].includes(type) || !port) return;
  const answer = async () => {
    if (!(await claim())) return { failure: "version" };
    if (request.version !== SITE.version) return {};
    return type === "keep" ? keepMore(request) : (await compare(request)).counts;
  };
  const answered = turn.then(answer).then(
    (counts) => port.postMessage({ version: SITE.version, ...counts }),
    (error) => port.postMessage({ version: SITE.version, failure: failureOf(error) }),
  );
  turn = answered;
  event.waitUntil(answered);
});

/**
 * Takes over the pages that are not under its control, such as one that was reloaded past the service worker. Returns
 * false if this is not the active service worker: it is being installed, or a newer one has replaced it.
 *
 * Firefox resolves `clients.claim` only when all threads of these pages have answered. The helpers of a pool of threads
 * wait in a module for work, and answer never. The page itself is taken over at once nevertheless, and browsers refuse
 * one that is not active without asking any page.
 */
function claim() {
  const claimed = self.clients.claim().then(
    () => true,
    () => false,
  );
  return Promise.race([claimed, new Promise((resolve) => setTimeout(resolve, MAX_CLAIM_MS, true))]);
}

/** A file did not arrive, or not the one of this version. */
class NotFetched extends Error {}

function failureOf(error) {
  if (error instanceof NotFetched) return "network";
  return error?.name === "QuotaExceededError" ? "full" : "storage";
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  // Developer tools send such requests, and fetching them would throw.
  if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
  // A part of a file comes from the network.
  if (request.headers.has("range")) return;
  event.respondWith(answer(event));
});

async function answer(event) {
  const { request } = event;
  const path = pathOf(request.url);
  if (request.mode === "navigate" && path === PAGE) return page(request);
  if (path?.startsWith("assets/")) {
    const kept = await keptFile(SCOPE + path);
    if (kept) return kept;
  }
  const response = await fetch(request);
  if (path?.startsWith("assets/") && path in SITE.files) {
    if (response.ok) event.waitUntil(keep(path, response.clone()).catch(() => {}));
    isReplaced ||= response.status === 404;
  }
  return isolated(response);
}

/** The path of a file of the site, or undefined for another address. */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  if (!(origin + pathname).startsWith(SCOPE)) return undefined;
  return (origin + pathname).slice(SCOPE.length) || PAGE;
}

/** The page of this version, from the device or the network, or else of an older version from the device. */
async function page(request) {
  const record = isReplaced ? undefined : await recordOf(SITE.version).catch(() => undefined);
  const kept = record && (await keptFile(addressOf(PAGE)));
  if (kept) return kept;
  try {
    // The host is asked, because the browser's own cache may have the page of another version.
    return isolated(await fetch(request, { cache: "no-cache" }));
  } catch {
    const before = await newestRecord().catch(() => undefined);
    const old = before && (await keptFile(before.page));
    return old ?? isolated(await fetch(request));
  }
}

/** A file from the device, or undefined. */
async function keptFile(address) {
  try {
    return await (await caches.open(CACHE_NAME)).match(address, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

/** The address under which a file is kept. */
function addressOf(path) {
  return path.startsWith("assets/") ? SCOPE + path : `${SCOPE}${path}?${encodeURIComponent(SITE.files[path].hash)}`;
}

/**
 * Fetches some of the files that are missing, and returns how many are missing still. Throws if a file cannot be
 * fetched or kept.
 */
async function keepMore(request) {
  const { missing } = await compare(request);
  const end = Date.now() + REQUEST_MS;
  for (const path of missing.slice(0, FILES_PER_REQUEST)) {
    await fetchAndKeep(path);
    if (Date.now() > end) break;
  }
  return alone(() => noteKept(request));
}

/** Notes that the wanted files are kept, unless some are missing, and returns how many are. */
async function noteKept(request) {
  const { cache, choice, wanted, missing, counts } = await compare(request);
  if (missing.length > 0) return counts;
  const record = { ...choice, page: addressOf(PAGE), files: wanted.map(addressOf), completeAt: Date.now() };
  await cache.put(recordAddress(SITE.version), new Response(JSON.stringify(record)));
  await removeUnused(cache);
  return counts;
}

/** Does `work` while no other service worker of this site notes what is kept or removes files. */
function alone(work) {
  return navigator.locks ? navigator.locks.request(CACHE_LOCK, work) : work();
}

/**
 * Compares the files that are wanted with those that are kept. Wanted are those of the request and those that were
 * wanted before, also by pages of other versions: a lab may be opened while a new version is being fetched.
 */
async function compare(request) {
  const cache = await caches.open(CACHE_NAME);
  const records = await allRecords();
  const choice = {
    bundle: request.bundle,
    labs: [...new Set([...request.labs, ...records.flatMap(({ labs }) => labs)])],
    all: request.all || records.some(({ all }) => all),
  };
  const present = new Set((await cache.keys()).map(({ url }) => url));
  const wanted = wantedFiles({ ...request, ...choice }, present);
  const missing = wanted.filter((path) => !present.has(addressOf(path)));
  const total = bytesOf(wanted);
  return { cache, choice, wanted, missing, counts: { missing: missing.length, kept: total - bytesOf(missing), total } };
}

const bytesOf = (paths) => paths.reduce((sum, path) => sum + SITE.files[path].bytes, 0);

/**
 * The files of the shell and of these labs, with the one bundle that this browser uses. What labs load only when it is
 * used is wanted once it has been: bundles for GPUs or for worlds of one's own, and data such as trained networks.
 * `used` are addresses that the page has loaded so far, some before there was a service worker; in `gpuLabs` it has
 * used the bundle for GPUs.
 */
function wantedFiles({ bundle, labs, all, used = [], gpuLabs = [] }, present) {
  const usedNames = new Set([...present, ...used].map(withoutHash));
  const usesGpu = gpuLabs.length > 0 || [...present].some((url) => url.startsWith(`${SCOPE}assets/gpu-`));
  const isWanted = ([path, { labs: of }]) => {
    if (!of) return true;
    const build = BUNDLE_PATTERN.exec(path)?.[1] ?? bundle;
    if (build !== bundle && build !== "gpu") return false;
    if (all) return build !== "gpu" || usesGpu;
    if (!of.some((lab) => labs.includes(lab))) return false;
    if (usedNames.has(withoutHash(SCOPE + path))) return true;
    if (OTHER_PROGRAM_PATTERN.test(path)) return false;
    return build === "gpu" ? of.some((lab) => gpuLabs.includes(lab)) : /\.(js|css|wasm)$/.test(path);
  };
  return Object.entries(SITE.files)
    .filter(isWanted)
    .map(([path]) => path);
}

/** The address of a file without the hash in its name, which differs between versions. */
function withoutHash(address) {
  return address.replace(/-[\w-]{8}(?=\.\w+$)/, "");
}

async function fetchAndKeep(path) {
  const address = path === PAGE ? SCOPE : SCOPE + path;
  // The browser's own cache may have a file of the right name already, or a page of another version.
  const modes = path.startsWith("assets/") ? ["default", "reload"] : ["reload"];
  for (const cache of modes) {
    const response = await fetch(address, { cache, priority: "low" }).catch(() => undefined);
    if (response?.ok && (await keep(path, response))) return;
  }
  throw new NotFetched(`${path} is not there, or not the one of this version`);
}

/** Keeps a file if it has arrived and is the one of this version, and returns whether it is. */
async function keep(path, response) {
  const bytes = await response.arrayBuffer().catch(() => new ArrayBuffer(0));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (btoa(String.fromCharCode(...hash)) !== SITE.files[path].hash) return false;
  const headers = { "content-type": response.headers.get("content-type") ?? "application/octet-stream" };
  await (await caches.open(CACHE_NAME)).put(addressOf(path), isolated(new Response(bytes, { headers })));
  return true;
}

// A record says what of a version is on the device: the addresses of its files (`files`) and of its page (`page`),
// whose labs they are beside the shell (`labs`, or all of them with `all`), and when that was complete.

function recordAddress(version) {
  return `${SCOPE}versions/${version}`;
}

async function recordOf(version) {
  return readRecord(await (await caches.open(CACHE_NAME)).match(recordAddress(version)));
}

/** Reads a record. Those of the first versions of the site name no labs: these versions kept all of them. */
async function readRecord(response) {
  const record = await response?.json();
  return record && { labs: [], all: !record.labs, ...record };
}

/** The record of the version that was complete last, or undefined. */
async function newestRecord() {
  return (await allRecords()).at(-1);
}

/** The records of all versions, in the order in which they were complete. */
async function allRecords() {
  const cache = await caches.open(CACHE_NAME);
  const keys = (await cache.keys()).filter(({ url }) => url.startsWith(recordAddress("")));
  const records = await Promise.all(keys.map(async (key) => readRecord(await cache.match(key))));
  return records.filter(Boolean).sort((a, b) => a.completeAt - b.completeAt);
}

/** Removes the files of versions that no open page uses. This version is complete. */
async function removeUnused(cache) {
  if (!navigator.locks) return;
  // A newer version is fetching its files into the same cache, has fetched them, or has replaced this service worker.
  const { installing, waiting } = self.registration;
  if (installing || waiting || !(await claim())) return;
  const { held } = await navigator.locks.query();
  const open = held
    .filter(({ name }) => name.startsWith(LOCK_PREFIX))
    .map(({ name }) => name.slice(LOCK_PREFIX.length));
  const windows = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  // A page that is still loading has no lock yet, so its version is not known.
  if (windows.filter(({ url }) => url.startsWith(SCOPE)).length > open.length) return;
  const used = [...new Set([SITE.version, ...open])];
  const records = await Promise.all(used.map(recordOf));
  // Which files an incomplete version has is not recorded.
  if (records.some((record) => !record)) return;
  // Files of this version that no record names are used by a lab that is open, or wait for others of their lab.
  const own = Object.keys(SITE.files).map(addressOf);
  const needed = new Set([...used.map(recordAddress), ...records.flatMap(({ files }) => files), ...own]);
  for (const request of await cache.keys()) if (!needed.has(request.url)) await cache.delete(request);
}

/** The response with the headers for cross-origin isolation. */
function isolated(response) {
  if (response.type === "opaque" || response.type === "opaqueredirect" || response.type === "error") return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  const { status, statusText } = response;
  return new Response(WITHOUT_BODY.includes(status) ? null : response.body, { status, statusText, headers });
}
