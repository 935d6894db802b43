// While a lab loads for long, its recording plays. It is small, and goes when the lab is there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { labsInServiceWorker } from "../../scripts/service-worker.mjs";
import { gzipSize } from "../../scripts/sizes.mjs";
import { hosts, openPage, root, site, test, until } from "./harness.mjs";
import { holdBundles, untilLearning, untilUnits } from "./lab.mjs";

/** The size of all that is loaded to play a recording, compressed by gzip, is below this. */
const MAX_KB = 10;

const WORDS = "A recording of a real run, shown while the lab loads.";

const drawn = (page) => page.locator(".loading-recording canvas").evaluate((canvas) => canvas.toDataURL());

for (const lab of labNames(root)) {
  test(`recording plays while a lab loads for long: ${lab}`, async () => {
    const { prepare, release } = holdBundles();
    const page = await openPage(hosts.isolated, `#/${lab}`, { prepare });
    await page.getByText(WORDS).waitFor();
    // The first may be the canvas before anything is drawn, so two are not enough.
    const pictures = new Set();
    await until("the recording moves", async () => pictures.add(await drawn(page)).size > 2);
    const caption = await page.locator(".loading-recording .num").textContent();
    assert.match(caption, /^(Iteration|Round) \d+: /);

    const files = page.loaded().filter((file) => /picture-|loading-recording/.test(basename(file)));
    const size = files.reduce((sum, file) => sum + gzipSize(readFileSync(file)) / 1000, 0);
    console.log(`the recording of ${lab} and its player have ${size.toFixed(1)} kB by gzip`);
    assert.ok(size > 0 && size < MAX_KB, `the recording and its player have ${size.toFixed(1)} kB`);
    const labs = labsInServiceWorker(site);
    const others = files.map((file) => relative(site, file)).filter((path) => labs[path] && !labs[path].includes(lab));
    assert.deepEqual(others, [], "files of other labs");

    release();
    await page.locator(".dock").waitFor();
    await untilLearning(page);
    assert.equal(await page.getByText(WORDS).count(), 0);
    await page.assertNoErrors();
  });
}

/** A line of 400 kbit/s. */
const SLOW = { ...hosts.isolated, name: "slow line", bytesPerSecond: 50_000 };

// The lab whose first visit loads most: its recording comes over the same line, and has to be there before it.
test("recording is shown instead of a bar while a lab comes over a line of 400 kbit/s", async () => {
  const page = await openPage(SLOW, "#/backgammon");
  const shown = await until("the recording or the lab is there", () =>
    page.evaluate((words) => {
      const recording = document.querySelector(".loading-recording")?.textContent.includes(words);
      const loading = document.querySelector(".loading > .quiet")?.textContent;
      const isThere = recording || document.querySelector(".dock") !== null;
      return isThere && { recording, loading };
    }, WORDS),
  );
  assert.ok(shown.recording, "the lab was there before its recording");
  assert.match(shown.loading, /^Loading the lab/);
  console.log(`the recording of backgammon appears at “${shown.loading}”`);
  await untilLearning(page);
  await page.assertNoErrors();
});

test("recording that does not arrive keeps no lab from loading", async () => {
  const { prepare, release } = holdBundles();
  let refused = 0;
  const page = await openPage(hosts.isolated, "#/control", {
    prepare: async (page) => {
      await prepare(page);
      await page.context().route("**/picture-*.js", (route) => {
        refused++;
        return route.abort();
      });
    },
  });
  await until("the recording was asked for", () => refused > 0);
  assert.equal(await page.getByText("Loading the lab").count(), 1);
  release();
  await untilLearning(page);
  await untilUnits(page, 1);
  assert.equal(await page.getByRole("alert").count(), 0);
});
