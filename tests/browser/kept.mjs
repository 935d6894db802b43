// Helpers for browser tests of the service worker: a host on which it works, and what it keeps on the device.

import { hosts, until } from "./harness.mjs";

/** Sends the isolation headers, and allows service workers. */
export const isolated = { ...hosts.isolated, name: "isolated, with service workers", serviceWorkers: "allow" };

/** The addresses that the service worker keeps. */
export const keptFiles = (page) =>
  page.evaluate(async () => {
    const caches = await Promise.all((await globalThis.caches.keys()).map((name) => globalThis.caches.open(name)));
    return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map(({ url }) => url);
  });

/** What the service worker notes of the page's version once it is kept: its labs, and whether all are; or null. */
export const keptRecord = (page) =>
  page.evaluate(async () => {
    const version = document.querySelector("meta[name=version]").content;
    for (const name of await globalThis.caches.keys()) {
      const cache = await globalThis.caches.open(name);
      const key = (await cache.keys()).find(({ url }) => url.endsWith(`versions/${version}`));
      if (key) return { version, ...(await (await cache.match(key)).json()) };
    }
    return null;
  });

/** Waits until a lab of the page's version is kept on the device, and returns the version. */
export async function untilKept(page, lab) {
  const record = await until(`the lab ${lab} is kept`, async () => {
    const record = await keptRecord(page);
    return record?.labs.includes(lab) && record;
  });
  return record.version;
}

/** The sentence about a part that is not on the device. */
export const missingPart = (page, part) =>
  page.getByText(`${part} is not stored on this device and there is no network.`);

/** Code for a service worker (`withServiceWorkerCode`) that finds the storage full. */
export const FULL_CACHES =
  "Cache.prototype.put = async () => { throw new DOMException('full', 'QuotaExceededError'); };";
