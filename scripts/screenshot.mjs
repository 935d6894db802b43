// `node scripts/screenshot.mjs [LAB]...` after `npm run build`: makes docs/screenshot.png, a picture of the labs after
// some training, each taken from the built site in Chromium.

import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";
import { main, root } from "./commands.mjs";
import { serve } from "../tests/browser/server.mjs";

/** Units after which the picture of each lab has something to show, at full speed. */
const LABS = { logic: 50, control: 25, backgammon: 60, cube: 25, language: 60 };
/** The picture is taken after this time even if a busy machine has not come that far. */
const LONGEST_MS = 80_000;
const SIZE = { width: 1280, height: 820 };
/** Width of each lab in the picture. */
const WIDTH = 640;
const GAP = 16;

async function picture(browser, address, lab) {
  const page = await browser.newPage({ viewport: SIZE });
  await page.goto(`${address}#/${lab}`);
  await page.locator(".dock").waitFor();
  for (let press = 0; press < 25; press++) await page.keyboard.press("]");
  const learned = page.waitForFunction((units) => globalThis.learnery?.progress.units >= units, LABS[lab], {
    timeout: 0,
  });
  await Promise.race([learned.catch(() => undefined), page.waitForTimeout(LONGEST_MS)]);
  const taken = await page.screenshot();
  await page.close();
  return `data:image/png;base64,${taken.toString("base64")}`;
}

main(async () => {
  const names = process.argv.slice(2);
  const labs = names.length > 0 ? names : Object.keys(LABS);
  const unknown = labs.find((name) => !(name in LABS));
  if (unknown) throw new Error(`there is no picture of \`${unknown}\`; there are ${Object.keys(LABS).join(", ")}`);
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    const pictures = [];
    for (const name of labs) pictures.push(await picture(browser, server.address, name));
    const page = await browser.newPage({ viewport: { width: 2 * WIDTH + 3 * GAP, height: 600 } });
    const images = pictures.map((source) => `<img src="${source}">`).join("");
    await page.setContent(`<style>
      body { margin: 0; padding: ${GAP}px; display: grid; grid-template-columns: 1fr 1fr; gap: ${GAP}px; background: #e9ece9 }
      img { width: 100%; border-radius: 8px; display: block }
      img:first-child:nth-last-child(odd) { grid-column: 1 / -1 }
    </style>${images}`);
    await page.screenshot({ path: join(root, "docs/screenshot.png"), fullPage: true });
  } finally {
    await browser.close();
    await server.close();
  }
});
