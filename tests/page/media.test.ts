// What the labs' manifests say to scripts (www/labs/media.ts).

import assert from "node:assert/strict";
import { test } from "node:test";
import { LABS } from "../../www/generated/labs";
import { mediaOf } from "../../www/labs/media";

test("labs that compute on a GPU in a tab say what is measured there, and only these", async () => {
  for (const { id, load } of LABS) {
    const { about, usesGpu } = await load();
    assert.equal(mediaOf(id).measuredOnGpu !== undefined, usesGpu, id);
    const presets = [null, ...about.presets.map(({ name }) => name)];
    for (const preset of mediaOf(id).measuredOnGpu ?? []) assert.ok(presets.includes(preset), `${id} ${preset}`);
  }
});
