// Unit tests of the colour ramps of both themes: text on any of their colours can be read.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { contrast, ramp, textOn } from "../../www/core/colour";

const palette = readFileSync(new URL("../../www/style/palette.css", import.meta.url), "utf8");
/** The four stops of the ramp in each theme, as they follow each other in the palette. */
const stops = [...palette.matchAll(/--ramp-\d: (#[0-9a-f]{6});/g)].map((match) => match[1] as string);

test("contrast is that of the guidelines", () => {
  assert.equal(contrast([0, 0, 0], [255, 255, 255]), 21);
  assert.equal(contrast([18, 52, 86], [18, 52, 86]), 1);
  assert.equal(contrast([255, 255, 255], [118, 118, 118]).toFixed(2), "4.54"); // a well-known pair
});

test("text on every colour of the ramps can be read", () => {
  assert.ok(stops.length >= 8 && stops.length % 4 === 0, `${stops.length} stops`);
  for (let first = 0; first < stops.length; first += 4) {
    for (const colour of ramp(stops.slice(first, first + 4), 256)) {
      const found = contrast(textOn(colour), colour);
      assert.ok(found >= 4.5, `rgb(${colour.join(" ")}): ${found.toFixed(2)}`);
    }
  }
});
