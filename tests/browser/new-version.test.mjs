// New versions of the site: the service worker fetches them in the background, and pages of the old one go on.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { labsInServiceWorker } from "../../scripts/service-worker.mjs";
import { openPage, test, until } from "./harness.mjs";
import { FULL_CACHES, isolated, keptFiles, missingPart, untilKept } from "./kept.mjs";
import { SMALL_CUBE, setRunning, state, untilLab, untilLearning, untilStill } from "./lab.mjs";
import { copyOfSite, deployNextVersion, withServiceWorkerCode } from "./versions.mjs";

/** About as many frames as a page draws in a second (`openPage`). */
const FRAMES_OF_A_SECOND = 15;

test("new version is fetched in the background, and an old page goes on until it is reloaded", async () => {
  const folder = copyOfSite();
  const visit = await openPage(isolated, SMALL_CUBE, { folder });
  await untilLab(visit, "cube");
  await untilKept(visit, "cube");
  await visit.close();
  // Chromium puts off updates in the first minute of a visit, less often while the run is paused.
  const page = await openPage(isolated, "#/control?seed=8&units=1", { folder, context: visit.context() });
  const first = await untilKept(page, "control");
  // A file that the page asked for just before it was kept may still be sent.
  const before = await untilStill(page, () => page.loaded().length, FRAMES_OF_A_SECOND);

  const changed = deployNextVersion(folder, ["front", "view"]);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  const notice = page.locator("[data-notice=version]");
  await notice.getByText("A new version of Learnery is available.").waitFor();
  const fetched = new Set(
    page
      .loaded()
      .slice(before)
      .map((file) => basename(file)),
  );
  fetched.delete("sw.js");
  // Other builds are not needed here, what fleets and embeds load is never kept, and other labs were not opened.
  const labs = labsInServiceWorker(folder);
  const isKept = (name) =>
    !/^((simple|threads-plain|gpu)-|([a-z-]+-)?(fleet|embed)-)/.test(name) &&
    (labs[`assets/${name}`]?.some((lab) => ["control", "cube"].includes(lab)) ?? true);
  const expected = new Set(["index.html", ...changed].filter(isKept));
  const without = (names, others) => [...names].filter((name) => !others.has(name)).join(", ");
  const needless = without(fetched, expected);
  assert.equal(needless, "", `fetched, but not changed or never kept: ${needless}`);
  const missing = without(expected, fetched);
  assert.equal(missing, "", `changed, but not fetched: ${missing}`);
  await setRunning(page, true);
  await untilLearning(page);

  // A second page opens with the new version while the first still has the old one.
  const newer = await openPage(isolated, "#/control?seed=9", { folder, context: page.context() });
  await untilLearning(newer);
  const second = await untilKept(newer, "cube");
  assert.notEqual(second, first);
  assert.equal(await newer.locator("[data-notice=version]").count(), 0, "it has the new version");
  // Only one page at a time saves the runs of a lab. From now on that is the first one again.
  await newer.close();
  // The old page still finds the files that the host has no longer: another lab and the front.
  await page.goto(page.address("#/cube"));
  await untilLab(page, "cube");
  await page.goto(page.address("#/labs"));
  await page.getByRole("heading", { name: "Small agents that learn" }).waitFor();
  await page.goto(page.address("#/control"));
  await untilLab(page, "control");
  assert.ok((await keptFiles(page)).some((url) => url.endsWith(`versions/${first}`)));
  await notice.waitFor(); // after the notice that the run was continued

  const { units } = await state(page);
  await notice.getByRole("button", { name: "Reload" }).click();
  const version = () => document.querySelector("meta[name=version]").content;
  await until("the new page", async () => (await page.evaluate(version).catch(() => first)) === second);
  await untilLearning(page);
  assert.equal(await untilKept(page, "control"), second);
  assert.ok((await state(page)).units >= units);
  await until("the old files are removed", async () => {
    const kept = await keptFiles(page);
    return (
      !kept.some((url) => url.endsWith(`versions/${first}`)) && kept.filter((url) => /\/front-/.test(url)).length === 2
    );
  });
  await page.assertNoErrors();
  await page.setNetwork(false);
  await page.goto(page.address("#/cube"));
  await untilLab(page, "cube");
  await page.goto(page.address("#/logic"));
  await missingPart(page, "This lab").waitFor();
});

for (const [what, code, takesOver] of [
  [
    "whose service worker is not installed yet",
    `self.addEventListener("install", (event) => {
      event.stopImmediatePropagation(); // so that it does not fetch the new version either
      event.waitUntil(new Promise(() => {}));
    });`,
    false,
  ],
  ["for which the device has no room", FULL_CACHES, true],
]) {
  test(`lab whose files the host has no longer opens after a reload: new version ${what}`, async () => {
    const folder = copyOfSite();
    const page = await openPage(isolated, "#/control?seed=8&units=1", { folder });
    const first = await untilKept(page, "control");
    await until("the run is paused", async () => !(await state(page)).running);
    deployNextVersion(folder, ["front", "view"]);
    withServiceWorkerCode(folder, code);
    const html = readFileSync(join(folder, "index.html"), "utf8");
    const second = /<meta name="version" content="([^"]*)">/.exec(html)[1];
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    const isInstalling = async () => (await navigator.serviceWorker.getRegistration()).installing !== null;
    if (takesOver) await page.locator("[data-notice=version]").waitFor();
    else await until("the new service worker is being installed", () => page.evaluate(isInstalling));

    const version = () => document.querySelector("meta[name=version]").content;
    const other = await openPage(isolated, "#/labs", { folder, context: page.context() });
    assert.equal(await other.evaluate(version), takesOver ? second : first);
    await other.close();

    // The old page asks for files that are gone.
    await page.goto(page.address("#/logic"));
    await page.getByText("The lab could not be loaded").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await untilLab(page, "logic");
    assert.equal(await page.evaluate(version), second);

    // Without a network the device still has the old version.
    await page.setNetwork(false);
    const old = await openPage(isolated, "#/control", { folder, context: page.context() });
    await untilLab(old, "control");
    assert.equal(await old.evaluate(version), first);
  });
}
