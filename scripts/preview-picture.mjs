// `node scripts/preview-picture.mjs`, after `npm run build`: makes www/preview.png, the picture that chats and social
// networks show beside a link to the site (`og:image`). It is a screenshot of the front, whose labs show their trained
// agents, in the size that these programs expect.

import { statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { main, root } from "./commands.mjs";
import { serve } from "../tests/browser/server.mjs";

const SIZE = { width: 1200, height: 630 };
/** Pixels of the picture for each pixel of the page: so small that most of the labs are in sight. */
const SCALE = 0.75;
/** Some programs load no larger pictures, and the site should stay small. */
const MAX_BYTES = 150_000;

main(async () => {
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    // With reduced motion the recordings are stills of the trained agents.
    const page = await browser.newPage({
      viewport: { width: SIZE.width / SCALE, height: SIZE.height / SCALE },
      deviceScaleFactor: SCALE,
      reducedMotion: "reduce",
      colorScheme: "light",
      bypassCSP: true, // for the style below
    });
    await page.goto(server.address);
    await page.waitForFunction(() => document.querySelectorAll("canvas.small-picture").length > 0);
    // Nothing can be pressed in a picture.
    await page.addStyleTag({ content: ".top-tools, .front-start, .front-head button { display: none !important }" });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const path = join(root, "www/preview.png");
    await page.screenshot({ path });
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes; at most ${MAX_BYTES} are wanted`);
    console.log(`${path}: ${size} bytes`);
  } finally {
    await browser.close();
    await server.close();
  }
});
