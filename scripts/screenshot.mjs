// `node scripts/screenshot.mjs [LAB...]`, after `npm run build`: makes docs/screenshot.png. It opens the built site in
// Chromium, trains each lab for a while, and combines the screenshots of the labs into one picture.

import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { main, root } from "./commands.mjs";
import { labNames } from "./dev-bundles.mjs";
import { serve } from "../tests/browser/server.mjs";
import "../tests/page/typescript.mjs";

// Imported only now, because Node can read TypeScript only from here on.
const { mediaOf } = await import("../www/labs/media.ts");

/** The screenshot is taken after this time at the latest. */
const MAX_TRAINING_MS = 80_000;
/** The window in which a lab is shown. */
const WINDOW_SIZE = { width: 1280, height: 820 };
/** Width of a lab, and the space around it, in the combined picture. */
const LAB_WIDTH = 640;
const LAB_GAP = 16;
/** The key `]` makes the run faster. This many presses lead to max speed from anywhere. */
const FASTER_PRESSES = 25;

/** A screenshot of a lab as a data URL. */
async function takePicture(browser, address, lab) {
  const page = await browser.newPage({ viewport: WINDOW_SIZE });
  await page.goto(`${address}#/${lab}`);
  await page.locator(".dock").waitFor();
  for (let press = 0; press < FASTER_PRESSES; press++) await page.keyboard.press("]");
  // `learnery` is the page's global object for the open run.
  const { screenshotAt } = mediaOf(lab);
  const learned = page.waitForFunction((units) => globalThis.learnery?.progress.units >= units, screenshotAt, {
    timeout: 0, // none: the time is limited below
  });
  // The wait fails when the page is closed before, which no longer matters then.
  await Promise.race([learned.catch(() => undefined), page.waitForTimeout(MAX_TRAINING_MS)]);
  const taken = await page.screenshot();
  await page.close();
  return `data:image/png;base64,${taken.toString("base64")}`;
}

main(async () => {
  const names = process.argv.slice(2);
  const shown = labNames(root).filter((lab) => mediaOf(lab).screenshotAt);
  const labs = names.length > 0 ? names : shown;
  const unknown = labs.find((name) => !shown.includes(name));
  if (unknown) throw new Error(`no manifest says when \`${unknown}\` is shown; there are ${shown.join(", ")}`);
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    const pictures = [];
    for (const name of labs) pictures.push(await takePicture(browser, server.address, name));
    const page = await browser.newPage({ viewport: { width: 2 * LAB_WIDTH + 3 * LAB_GAP, height: 600 } });
    const images = pictures.map((source) => `<img src="${source}">`).join("");
    await page.setContent(`<style>
      body { margin: 0; padding: ${LAB_GAP}px; display: grid; grid-template-columns: 1fr 1fr; gap: ${LAB_GAP}px; background: #e9ece9 }
      img { width: 100%; border-radius: 8px; display: block }
      img:first-child:nth-last-child(odd) { grid-column: 1 / -1 }
    </style>${images}`);
    await page.screenshot({ path: join(root, "docs/screenshot.png"), fullPage: true });
  } finally {
    await browser.close();
    await server.close();
  }
});
