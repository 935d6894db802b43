// The service worker. It keeps the files of the site on the device, so that every lab works without a network, and adds
// the headers for cross-origin isolation, which threads require, where the host does not send them.
//
// The build writes a line in front of this file (scripts/service-worker.mjs): `SITE`, the version of the site and the
// hash of each of its files. So each version of the site has its own service worker, and the browser notices a new one
// by itself. Files in `assets/` have a hash in their names. They are kept under their addresses, for all versions
// together: a new version fetches only what has changed, and a page of an older version still finds its files. The page
// itself (index.html) is kept once per version, and is served only when all files of its version are there.
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
const PAGE = "index.html";
/** The first part of the names of the files of a lab's bundle, of which a browser uses one. */
const BUNDLE_PATTERN = /^assets\/(threads-plain|threads|simple|gpu)-/;
/** How many files are fetched per request of the page. The browser ends a service worker that works for too long. */
const FILES_PER_REQUEST = 6;
/** Responses with these statuses must not have a body. */
const WITHOUT_BODY = [101, 204, 205, 304];

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** If the device has a whole version, the new one is fetched as a whole too. If that fails, the old one stays. */
async function install() {
  const before = await newestRecord().catch(() => undefined);
  if (before && !navigator.connection?.saveData) while ((await keepMore(before.bundle)) > 0);
  // Open pages of the older version can have this service worker: it still has their files.
  await self.skipWaiting();
}

// The page asks for files to be kept. The answer says which version this is, and how many files are missing.
self.addEventListener("message", (event) => {
  const { type, version, bundle } = event.data ?? {};
  const port = event.ports[0];
  if (type !== "keep" || !port) return;
  const answer = async () => {
    // A page that was reloaded past the service worker is not under its control.
    await self.clients.claim();
    const missing = bundle && version === SITE.version ? await keepMore(bundle) : 0;
    port.postMessage({ version: SITE.version, missing });
  };
  // Storage may be full or forbidden. The page then asks no more.
  event.waitUntil(answer().catch(() => port.postMessage({ version: SITE.version, missing: 0 })));
});

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
  if (path?.startsWith("assets/") && path in SITE.files && response.ok) {
    event.waitUntil(keep(path, response.clone()).catch(() => {}));
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
  const record = await recordOf(SITE.version).catch(() => undefined);
  const kept = record && (await keptFile(addressOf(PAGE)));
  if (kept) return kept;
  try {
    return isolated(await fetch(request));
  } catch (error) {
    const before = await newestRecord().catch(() => undefined);
    const old = before && (await keptFile(before.page));
    if (old) return old;
    throw error;
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
  return path.startsWith("assets/") ? SCOPE + path : `${SCOPE}${path}?${encodeURIComponent(SITE.files[path])}`;
}

/**
 * Fetches some of the files that are missing, and returns how many are missing still. Of the labs' bundles only those
 * that this browser uses are kept. Throws if a file cannot be fetched or kept.
 */
async function keepMore(bundle) {
  const cache = await caches.open(CACHE_NAME);
  const present = new Set((await cache.keys()).map(({ url }) => url));
  // Bundles for GPUs are kept once a visitor has used one, of this version or an earlier one.
  const usesGpu = [...present].some((url) => url.startsWith(`${SCOPE}assets/gpu-`));
  const isWanted = (path) => {
    const of = BUNDLE_PATTERN.exec(path)?.[1] ?? bundle;
    return of === bundle || (of === "gpu" && usesGpu);
  };
  const wanted = Object.keys(SITE.files).filter(isWanted);
  const missing = wanted.filter((path) => !present.has(addressOf(path)));
  for (const path of missing.slice(0, FILES_PER_REQUEST)) await fetchAndKeep(path);
  if (missing.length > FILES_PER_REQUEST) return missing.length - FILES_PER_REQUEST;
  const files = wanted.map(addressOf);
  const record = { bundle, page: addressOf(PAGE), files, completeAt: Date.now() };
  await cache.put(recordAddress(SITE.version), new Response(JSON.stringify(record)));
  await removeUnused(cache);
  return 0;
}

async function fetchAndKeep(path) {
  const address = path === PAGE ? SCOPE : SCOPE + path;
  // The browser's own cache may have a file of the right name already, or a page of another version.
  const modes = path.startsWith("assets/") ? ["default", "reload"] : ["reload"];
  for (const cache of modes) {
    const response = await fetch(address, { cache, priority: "low" });
    if (response.ok && (await keep(path, response))) return;
  }
  throw new Error(`${path} is not there, or not the one of this version`);
}

/** Keeps a file if it is the one of this version, and returns whether it is. */
async function keep(path, response) {
  const bytes = await response.arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (btoa(String.fromCharCode(...hash)) !== SITE.files[path]) return false;
  const headers = { "content-type": response.headers.get("content-type") ?? "application/octet-stream" };
  await (await caches.open(CACHE_NAME)).put(addressOf(path), isolated(new Response(bytes, { headers })));
  return true;
}

// A record says that all files of a version are on the device.

function recordAddress(version) {
  return `${SCOPE}versions/${version}`;
}

async function recordOf(version) {
  return (await (await caches.open(CACHE_NAME)).match(recordAddress(version)))?.json();
}

/** The record of the version that was complete last, or undefined. */
async function newestRecord() {
  const cache = await caches.open(CACHE_NAME);
  const keys = (await cache.keys()).filter(({ url }) => url.startsWith(recordAddress("")));
  const records = await Promise.all(keys.map(async (key) => (await cache.match(key)).json()));
  return records.sort((a, b) => a.completeAt - b.completeAt).at(-1);
}

/** Removes the files of versions that no open page uses. This version is complete. */
async function removeUnused(cache) {
  if (!navigator.locks) return;
  // A newer version that is being installed is fetching its files into the same cache.
  if (self.registration.installing) return;
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
  const needed = new Set([...used.map(recordAddress), ...records.flatMap(({ files }) => files)]);
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
