// `npm run gallery [-- LAB...]`, after `npm run build`: takes screenshots of every lab in Chromium, to be looked at
// after a change of the page. They are written to target/gallery, with a page that shows them all (index.html).

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { main, root } from "./commands.mjs";
import { labNames } from "./dev-bundles.mjs";
import { serve } from "../tests/browser/server.mjs";
import "../tests/page/typescript.mjs";

// Imported only now, because Node can read TypeScript only from here on.
const { mediaOf } = await import("../www/labs/media.ts");

const GALLERY_FOLDER = join(root, "target/gallery");
const WIDE_WINDOW = { width: 1280, height: 800 };
const PHONE_WINDOW = { width: 375, height: 812 };
/** A lab is shown learning after this time, and its goal is waited for at most this long. */
const LEARNING_MS = 10_000;
const MAX_SOLVE_MS = 150_000;
/** Time for transitions, and for parts that are loaded when they are wanted. */
const SETTLE_MS = 1_200;
/** The key `]` makes the run faster. This many presses lead to max speed from anywhere. */
const FASTER_PRESSES = 25;

/** Opens the page as a new visitor. */
async function visit(browser, address, hash, options = {}) {
  const context = await browser.newContext({ viewport: WIDE_WINDOW, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.error(`${hash}: ${message.text()}`));
  await page.goto(address + hash);
  if (hash === "") await page.getByRole("heading", { level: 1 }).waitFor();
  else await page.locator(".dock").waitFor();
  await page.waitForTimeout(SETTLE_MS);
  return page;
}

/** Waits until the open run, the page's global object `learnery`, has reached its goal, or for `MAX_SOLVE_MS`. */
async function untilSolved(page) {
  for (let press = 0; press < FASTER_PRESSES; press++) await page.keyboard.press("]");
  await page
    .waitForFunction(() => typeof globalThis.learnery.progress.solvedAt === "number", null, { timeout: MAX_SOLVE_MS })
    .catch(() => {});
}

main(async () => {
  const wanted = process.argv.slice(2);
  const labs = labNames(root).filter((lab) => wanted.length === 0 || wanted.includes(lab));
  if (labs.length < wanted.length) throw new Error(`there are only the labs ${labNames(root).join(", ")}`);
  await mkdir(GALLERY_FOLDER, { recursive: true });
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
  const taken = [];
  /** Takes a screenshot, of the whole page or of what the window shows. */
  const take = async (page, name, { whole = false } = {}) => {
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: join(GALLERY_FOLDER, `${name}.png`), fullPage: whole });
    taken.push(name);
    console.log(name);
  };
  try {
    for (const [size, viewport] of Object.entries({ wide: WIDE_WINDOW, phone: PHONE_WINDOW })) {
      const front = await visit(browser, server.address, "", { viewport });
      await take(front, `front-${size}`, { whole: true });
      await front.context().close();
    }
    for (const lab of labs) await takeLab(browser, server.address, lab, take);
    await writeFile(join(GALLERY_FOLDER, "index.html"), contactSheet(taken));
    console.log(`${taken.length} pictures: ${join(GALLERY_FOLDER, "index.html")}`);
  } finally {
    await browser.close();
    await server.close();
  }
});

/** Takes the screenshots of one lab. */
async function takeLab(browser, address, lab, take) {
  const page = await visit(browser, address, `#/${lab}`);
  await take(page, `${lab}-fresh`);
  await page.waitForTimeout(LEARNING_MS);
  await take(page, `${lab}-learning`);
  await page.emulateMedia({ colorScheme: "dark" });
  await take(page, `${lab}-dark`);
  await page.setViewportSize(PHONE_WINDOW);
  await take(page, `${lab}-phone-dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await take(page, `${lab}-phone`, { whole: true });
  await page.setViewportSize(WIDE_WINDOW);
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    await tab.scrollIntoViewIfNeeded();
    const title = (await tab.textContent()).toLowerCase().replaceAll(" ", "-");
    await take(page, `${lab}-tool-${title}`, { whole: true });
  }
  await page.context().close();
  const { solvedBy } = mediaOf(lab);
  if (!solvedBy) return;
  const solved = await visit(browser, address, `#/${lab}?${solvedBy}`);
  await untilSolved(solved);
  await take(solved, `${lab}-solved`);
  await solved.context().close();
}

/** A page with all pictures. */
function contactSheet(names) {
  const figures = names.map(
    (name) =>
      `<figure><a href="${name}.png"><img src="${name}.png" alt=""></a><figcaption>${name}</figcaption></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>
    body { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; font-family: sans-serif }
    figure { margin: 0 } img { width: 100%; border: 1px solid #ccc }
  </style>${figures.join("\n")}`;
}
