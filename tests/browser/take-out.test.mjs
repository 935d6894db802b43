// Pictures and curves that are taken out of the page: the files are what their names say.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { labNames } from "../../scripts/dev-bundles.mjs";
import { hosts, openPage, root, test } from "./harness.mjs";
import {
  decoded,
  downloaded,
  openTool,
  setFullSpeed,
  setRunning,
  untilLearning,
  untilSaved,
  untilUnits,
} from "./lab.mjs";

/** Presses a button of the section, and returns the file's name and bytes. */
async function taken(page, name) {
  const { path, name: file } = await downloaded(page, () => page.getByRole("button", { name, exact: true }).click());
  return { file, bytes: readFileSync(path) };
}

for (const lab of labNames(root)) {
  test(`picture of the lab is taken out as a PNG: ${lab}`, async () => {
    const page = await openPage(hosts.isolated, `#/${lab}?seed=2`);
    await untilLearning(page);
    await setFullSpeed(page); // a run that is paused at a slower pace is saved when it is left
    await setRunning(page, false);
    const units = await untilSaved(page);
    await openTool(page, "Share and save");
    const { file, bytes } = await taken(page, "Picture (PNG)");
    assert.equal(file, `learnery-${lab}-seed2-${units}.png`);
    const { width, height, colours } = await decoded(page, bytes, "image/png");
    const box = await page.locator(".picture").boundingBox();
    // Above the picture are the name of the lab, and a line or two with the score and the seed.
    const caption = height - box.height;
    assert.ok(Math.abs(width - box.width) <= 2 && caption > 55 && caption < 120, `${width} x ${height}`);
    // Letters have more colours than the background, because their edges are smooth.
    assert.ok((await decoded(page, bytes, "image/png", 30)).colours > 3, "there is a title");
    console.log(`${colours} colours`);
    assert.ok(colours > 20, `a picture of ${colours} colours`);
    await page.assertNoErrors();
  });
}

test("curves are taken out as CSV, SVG and PNG, and a clip is recorded", async () => {
  const page = await openPage(hosts.isolated, "#/control?seed=2&units=4");
  await untilUnits(page, 4);
  await openTool(page, "Share and save");
  const csv = await taken(page, "Curves (CSV)");
  assert.equal(csv.file, "learnery-control-seed2-4-curves.csv");
  const [head, ...rows] = csv.bytes.toString().trim().split("\n");
  assert.deepEqual(
    rows.map((row) => row.split(",")[0]),
    ["1", "2", "3", "4"],
  );
  assert.match(head, /^iteration,test score \(fresh episodes\),/);
  const svg = await taken(page, "Curves (SVG)");
  assert.match(
    svg.bytes.toString(),
    />Iteration 4 · test score \(fresh episodes\) ([\d.]+|not measured yet), goal 490 · seed=2</,
  );
  assert.match(svg.bytes.toString(), /^<svg .*<\/svg>\s*$/s);
  const png = await taken(page, "Curves (PNG)");
  assert.ok((await decoded(page, png.bytes, "image/png")).colours >= 4);
  const clip = await taken(page, "Clip of 6 seconds");
  assert.equal(clip.file, "learnery-control-seed2-4.webm");
  assert.equal(clip.bytes.subarray(0, 4).toString("hex"), "1a45dfa3", "the file is in the container of WebM");
  await page.assertNoErrors();
});
