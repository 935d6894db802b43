// A service worker for hosts that do not send the headers for cross-origin isolation, which threads require. It fetches
// every file of the site and adds these headers. It caches nothing. www/core/isolation.ts registers it.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== self.location.origin) return;
  // Developer tools send such requests, and fetching them would throw.
  if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
  event.respondWith(isolated(request));
});

/** Fetches a file and adds the headers. */
async function isolated(request) {
  const response = await fetch(request);
  if (response.type === "opaque" || response.type === "opaqueredirect") return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  // Responses with these statuses must not have a body.
  const empty = [101, 204, 205, 304].includes(response.status);
  const { status, statusText } = response;
  return new Response(empty ? null : response.body, { status, statusText, headers });
}
