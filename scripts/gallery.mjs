// `npm run gallery [-- NAME...]`, after `npm run build`: takes screenshots in Chromium, to be looked at after a change
// of the page: of every lab, and of the scenes that belong to no lab or open above one (`SCENES`), or of those that are
// named. They are written to target/gallery, with a page that shows them all (index.html).

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
const TABLET_WINDOW = { width: 820, height: 1180 };
const TURNED_TABLET_WINDOW = { width: 1180, height: 820 };
/** A lab is photographed after it has learned for this time. Its goal is waited for at most for `MAX_SOLVE_MS`. */
const LEARNING_MS = 10_000;
const MAX_SOLVE_MS = 150_000;
/** Time for transitions, and for parts that are loaded when they are wanted. */
const SETTLE_MS = 1_200;
/** The key `]` makes the run faster. This many presses lead to max speed from anywhere. */
const FASTER_PRESSES = 25;

/** A small run of the control lab that stops at an iteration. */
const STOPPED_RUN = "#/control?seed=1&worlds=32&units=12&eval_episodes=20";

/**
 * What else a visitor sees: an address, a selector of what is there once it is loaded, and what is pressed to get
 * there. With `whole` the pictures show the whole page, not only the window.
 */
const SCENES = {
  front: { hash: "", shown: "h1", whole: true },
  lessons: { hash: "#/lessons", shown: "h1", whole: true },
  lesson: { hash: "#/lesson/control", shown: "h1", whole: true },
  class: { hash: "#/class", shown: "h1", whole: true },
  story: { hash: `${STOPPED_RUN}&story=1`, shown: ".run-story h3" },
  "own-world": { hash: "#/control", presses: [".own-world-open"], shown: ".own-world-canvas" },
  race: { hash: "#/control", presses: ["text=Race the agent"], shown: ".race-lane" },
  tour: { hash: "#/control", presses: ["text=Take the tour"], shown: ".tour-card" },
  duel: { hash: `${STOPPED_RUN}&duel=seed%3D2%26worlds%3D32%26units%3D2`, shown: "#duel-title", whole: true },
};

/** Opens the page as a new visitor. */
async function visit(browser, address, hash, options = {}) {
  const context = await browser.newContext({ viewport: WIDE_WINDOW, ...options });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.error(`${hash}: ${message.text()}`));
  await page.goto(address + hash);
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
  const all = [...Object.keys(SCENES), ...labNames(root)];
  const unknown = wanted.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`there is no ${unknown}; there are ${all.join(", ")}`);
  const names = wanted.length === 0 ? all : wanted;
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
    for (const name of names) {
      if (name in SCENES) await takeScene(browser, server.address, name, take);
      else await takeLab(browser, server.address, name, take);
    }
    await writeFile(join(GALLERY_FOLDER, "index.html"), contactSheet(taken));
    console.log(`${taken.length} pictures: ${join(GALLERY_FOLDER, "index.html")}`);
  } finally {
    await browser.close();
    await server.close();
  }
});

/** Takes the screenshots of one scene. */
async function takeScene(browser, address, name, take) {
  const { hash, presses = [], shown, whole = false } = SCENES[name];
  const page = await visit(browser, address, hash);
  for (const selector of presses) await page.locator(selector).first().click();
  await page.locator(shown).first().waitFor();
  await take(page, `${name}-wide`, { whole });
  await takeVariants(page, name, take, { whole });
  await page.context().close();
}

/** Takes what a page shows in the dark, on a phone, and on a tablet that is upright and then turned. */
async function takeVariants(page, name, take, { whole = false } = {}) {
  await page.emulateMedia({ colorScheme: "dark" });
  await take(page, `${name}-dark`);
  await page.setViewportSize(PHONE_WINDOW);
  await take(page, `${name}-phone-dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await take(page, `${name}-phone`, { whole });
  await page.setViewportSize(TABLET_WINDOW);
  await take(page, `${name}-tablet`);
  await page.setViewportSize(TURNED_TABLET_WINDOW);
  await take(page, `${name}-tablet-turned`);
  await page.setViewportSize(WIDE_WINDOW);
}

/** Takes the screenshots of one lab. */
async function takeLab(browser, address, lab, take) {
  const page = await visit(browser, address, `#/${lab}`);
  await page.locator(".dock").waitFor();
  await take(page, `${lab}-fresh`);
  await page.waitForTimeout(LEARNING_MS);
  await take(page, `${lab}-learning`);
  await takeVariants(page, lab, take, { whole: true });
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
  await solved.locator(".dock").waitFor();
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
