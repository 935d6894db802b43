// A service worker that makes the site cross-origin isolated, and so enables threads, on hosts that cannot send the
// headers. It fetches every file of the site and adds the headers. It caches nothing.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (new URL(request.url).origin !== self.location.origin) return;
  // Requests of the developer tools, which would throw here.
  if (request.cache === "only-if-cached" && request.mode !== "same-origin") return;
  event.respondWith(isolated(request));
});

async function isolated(request) {
  const response = await fetch(request);
  if (response.type === "opaque" || response.type === "opaqueredirect") return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  const empty = [101, 204, 205, 304].includes(response.status);
  const { status, statusText } = response;
  return new Response(empty ? null : response.body, { status, statusText, headers });
}
