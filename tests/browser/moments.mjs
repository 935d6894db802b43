// Helpers for browser tests of links that carry a moment: they make such a link as its sender, read what it holds, and
// open it as somebody to whom the lab has not come yet.

import assert from "node:assert/strict";
import { inflateRawSync } from "node:zlib";
import { hosts, openPage, until } from "./harness.mjs";
import { holdBundles, openTool } from "./lab.mjs";

/** The line above the picture of a link, and that picture while it is seen. */
export const line = (page) => page.locator(".moment-line");
export const recorded = (page) => page.locator(".moment-picture:visible");

/** Makes a link of the moment that the page shows. Returns its hash. */
export async function momentLink(page) {
  await openTool(page, "Share and save");
  await page.getByRole("button", { name: "Make a link to this moment" }).click();
  // A press at once says that the link is being made, also in the place of what was said of an earlier one.
  await page.locator(".share-moment [role=status]").getByText("The link is ready.").waitFor();
  const link = await page.locator("#share-moment").inputValue();
  const message = await page.locator(".share-moment p").filter({ hasText: "The link holds " }).textContent();
  const length = link.length.toLocaleString("en-US");
  const pattern = `^The link holds (?:iteration|round) \\d+, with the .* It has ${length} characters\\.`;
  assert.match(message, new RegExp(pattern));
  await page.assertNoErrors();
  return new URL(link).hash;
}

/** Opens this link and waits for its last unit, at which the run stands still. */
export async function openAt(hash) {
  const page = await openPage(hosts.isolated, hash);
  await page.locator(".replay-line").getByText("Replayed to").waitFor();
  return page;
}

/**
 * Opens this link up to its last unit, and makes a link of the moment there. Returns the page and the hash of the link.
 */
export async function linkOf(hash) {
  const page = await openAt(hash);
  return { page, hash: await momentLink(page) };
}

/** What a link holds of the moment: the last pictures as bytes, the very last one at the end. */
export function framesOf(hash) {
  const packed = /&moment=([\w-]+)$/.exec(hash)[1];
  const { n: size, f } = JSON.parse(inflateRawSync(Buffer.from(packed, "base64url")).toString());
  const bytes = [...Buffer.from(f, "base64url")];
  return Array.from({ length: bytes.length / size }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

/** A view of the run that this page has open, for which its stage goes on for some seconds. */
export const viewOf = (page, seconds = 0) =>
  page.evaluate(
    (seconds) =>
      new Promise((resolve) => {
        const end = globalThis.learnery.on("view", (view) => (end(), resolve(view)));
        globalThis.learnery.requestView(seconds);
      }),
    seconds,
  );

/** Opens a link for a new visitor whose bundle does not come before `release` is called. */
export async function openHeld(hash, { prepare, ...options } = {}) {
  const held = holdBundles();
  const hold = async (page) => {
    await held.prepare(page);
    await prepare?.(page);
  };
  return { page: await openPage(hosts.isolated, hash, { prepare: hold, ...options }), release: held.release };
}

/**
 * Waits until the recorded picture is drawn. Returns its width, its height, and its colours at these points, which
 * `pointsOf`, a function for the page, makes from that size and from `of`.
 */
export async function recordedColours(page, pointsOf = () => [], of = null) {
  await recorded(page).getByText("Recorded by the sender").waitFor();
  return until("the recorded picture is drawn", () =>
    page.evaluate(`{
      const canvas = document.querySelector(".moment-picture canvas");
      const { width, height } = canvas ?? { width: 0, height: 0 };
      if (width > 0) {
        const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
        const points = (${pointsOf})({ width, height }, ${JSON.stringify(of)});
        const colours = points.map(([x, y]) => pixels[Math.floor(y) * width + Math.floor(x)]);
        new Set(pixels).size > 1 && { width, height, colours };
      }
    }`),
  );
}
