// The tags for chats and social networks, and the picture that they name.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PREVIEW_PICTURE, previewTags } from "../../scripts/link-preview.mjs";

const imageOf = (site) => previewTags(site).find(({ attrs }) => attrs.property === "og:image").attrs.content;

test("picture beside a link has an absolute address where the address of the site is known", () => {
  assert.equal(imageOf(""), "preview.png");
  assert.equal(imageOf("https://example.org/learnery/"), "https://example.org/learnery/preview.png");
  assert.equal(imageOf("https://example.org/learnery"), "https://example.org/learnery/preview.png");
  for (const wrong of ["example.org", "/learnery/", "javascript:alert(1)", "https://"])
    assert.throws(() => imageOf(wrong), /SITE_URL is/, wrong);
});

test("picture beside a link has the size that chats expect, and is small", () => {
  const png = readFileSync(new URL(`../../www/${PREVIEW_PICTURE}`, import.meta.url));
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630]);
  assert.ok(png.length < 150_000);
});
