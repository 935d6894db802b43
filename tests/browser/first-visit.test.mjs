// What a visitor loads until a lab learns: each lab opened first, with an empty cache, and each opened after another
// one.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { gzipSize } from "../../scripts/sizes.mjs";
import { hosts, openPage, root, site, test, until } from "./harness.mjs";
import { isLoadedLater, isWaitedFor, state } from "./lab.mjs";

/**
 * The most that a lab may load until it learns, opened first and after another lab, in kilobytes compressed by gzip,
 * which every host supports. The aim is 400 and 320 for every lab.
 */
const limits = (lab) => JSON.parse(readFileSync(join(root, "www/labs", lab, "load-limits.json"), "utf8"));

const labs = labNames(root);

/** Waits until the lab's screen is shown and its run has made a step, and returns the size of the files sent so far. */
async function loadedUntilLearning(page, lab, files) {
  await until(`${lab} learns`, async () => {
    const open = await page.evaluate(() => globalThis.learnery?.lab?.about.id);
    return open === lab && (await page.locator(".dock").count()) > 0 && (await state(page)).work > 0;
  });
  const needed = files().filter((file) => !isLoadedLater(file));
  const sized = needed.map((file) => [relative(site, file), gzipSize(readFileSync(file)) / 1000]);
  if (process.env.LEARNERY_FILES) console.log(sized.map(([file, kb]) => `${kb.toFixed(1)} ${file}`).join("\n"));
  return sized.reduce((sum, [, kb]) => sum + kb, 0);
}

for (const host of [hosts.isolated, hosts.plain]) {
  for (const [index, lab] of labs.entries()) {
    const second = labs[(index + 1) % labs.length];
    test(`visitor loads little: ${lab}, then ${second}, ${host.name} host`, async () => {
      const waits = [];
      const prepare = (page) => page.on("request", (request) => isWaitedFor(request) && waits.push(request.url()));
      const page = await openPage(host, `#/${lab}`, { prepare });
      const first = await loadedUntilLearning(page, lab, () => page.loaded());
      console.log(`${lab} first: ${first.toFixed(1)} kB by gzip`);
      const before = page.loaded().length;
      await page.evaluate((lab) => void (location.hash = `#/${lab}`), second);
      const then = await loadedUntilLearning(page, second, () => page.loaded().slice(before));
      console.log(`${second} second: ${then.toFixed(1)} kB by gzip`);
      assert.ok(first < limits(lab).first, `a first visit of ${lab} loads ${first.toFixed(1)} kB`);
      assert.ok(then < limits(second).second, `${second} after ${lab} loads ${then.toFixed(1)} kB`);
      // Else a function that a first visit calls is in a list of crates/web/later.
      assert.deepEqual(waits, [], "the later part of a module was needed before the run learned");
      assert.equal((await state(page)).bundle, host.bundle);
      await page.locator(".curves").scrollIntoViewIfNeeded(); // curves out of sight are not drawn
      await page.locator(".uplot").first().waitFor();
      await page.assertNoErrors();
    });
  }
}
