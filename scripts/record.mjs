// `npm run record [-- LAB...]`, after `npm run build`: writes the recordings of the front
// (www/labs/NAME/recording.json) as the labs' manifests say. It opens each lab of the built site in Chromium, lets a
// run with a fixed seed learn, and records what the agent does on its stage: untrained, half-way and trained.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { main, root } from "./commands.mjs";
import { labNames } from "./dev-bundles.mjs";
import { serve } from "../tests/browser/server.mjs";
import "../tests/page/typescript.mjs";

// The colours of pictures follow the visitor's preferences, which Node does not know. Frames have no colours.
globalThis.matchMedia = () => ({ matches: false, addEventListener() {} });

// Imported only now, because Node can read TypeScript only from here on.
const { smallPictureOf } = await import("../www/labs/pictures.ts");
const { mediaOf } = await import("../www/labs/media.ts");
const { writeRecording } = await import("../www/ui/small-picture/recording.ts");

/** The seed of all recorded runs. */
const SEED = 1;

/** The most views of a moment, so that it ends even if the agent does nothing any more. */
const MAX_VIEWS = 3000;

/** Views per second of the stage's time where a frame is a turn or a character, so that no turn is missed. */
const FREQUENT_VIEWS = 10;

/**
 * Opens a run at its beginning. From then on only this script asks for views: each one advances the stage by the
 * seconds that the script gives, and the page must not advance it too.
 */
async function openRun(browser, address, lab, settings) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
  const query = new URLSearchParams({ seed: String(SEED), ...settings, units: "0" });
  await page.goto(`${address}#/${lab}?${query}`);
  await page.waitForFunction(() => globalThis.learnery?.open);
  await page.evaluate(() => {
    const { learnery } = globalThis;
    learnery.askForView = Object.getPrototypeOf(learnery).requestView;
    learnery.requestView = () => {};
  });
  return page;
}

/** Lets the run learn up to this unit, and returns its metrics. */
function learn(page, unit) {
  return page.evaluate(async (unit) => {
    const { learnery } = globalThis;
    while (learnery.progress.units < unit) {
      const before = learnery.progress.units;
      await new Promise((resolve) => {
        const unsubscribe = learnery.on("progress", ({ units }) => {
          if (units === before) return;
          unsubscribe();
          resolve();
        });
        learnery.finishUnit();
      });
    }
    const names = learnery.lab.about.metrics.map(({ name }) => name);
    return Object.fromEntries(names.map((name) => [name, learnery.series.last(name)]));
  }, unit);
}

/**
 * Takes `count` views of the stage, each `seconds` after the one before, with the properties `uses` only. Byte arrays,
 * which JSON does not have, become objects with a list `bytes`.
 */
function takeViews(page, uses, seconds, count) {
  return page.evaluate(
    async ([uses, seconds, count]) => {
      const { learnery } = globalThis;
      const plain = (value) => {
        if (value instanceof Uint8Array) return { bytes: [...value] };
        if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
      };
      const found = [];
      while (found.length < count) {
        const view = await new Promise((resolve) => {
          const unsubscribe = learnery.on("view", (view) => {
            unsubscribe();
            resolve(view);
          });
          learnery.askForView(seconds);
        });
        found.push(plain(Object.fromEntries(uses.map((name) => [name, view[name]]))));
      }
      return found;
    },
    [uses, seconds, count],
  );
}

/** The view with its byte arrays restored: JSON holds them as objects with a list `bytes`. */
function revived(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  if (Array.isArray(value.bytes)) return Uint8Array.from(value.bytes);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revived(each)]));
}

const isSameFrame = (a, b) => a !== undefined && Buffer.compare(a, b) === 0;

/** Records the frames of a moment, as the lab's manifest says. `turns` is true where frames are turns and not times. */
async function recordFrames(
  page,
  picture,
  { rate, frames: maxFrames, uses, turns, prepare = [], ended = () => false },
) {
  await page.evaluate((commands) => {
    for (const command of commands) globalThis.learnery.command(command);
  }, prepare);
  const found = [];
  const perSecond = turns || picture.text ? FREQUENT_VIEWS : rate;
  for (let seen = 0; seen < MAX_VIEWS && found.length < maxFrames; seen += perSecond) {
    for (const view of (await takeViews(page, uses, 1 / perSecond, perSecond)).map(revived)) {
      const frame = picture.encode(view);
      if (picture.text) {
        // A view has the whole text so far, of which each character becomes a frame. A later view replaces them all.
        found.length = 0;
        for (const code of frame.subarray(0, maxFrames)) found.push(Uint8Array.of(code));
      } else if (!turns || !isSameFrame(found.at(-1), frame)) found.push(frame);
      if (found.length >= maxFrames || ended(view)) return found.slice(0, maxFrames);
    }
  }
  return found;
}

async function record(browser, address, lab) {
  const { recording: plan } = mediaOf(lab);
  const { units, settings = {}, rate, score } = plan;
  const { picture } = smallPictureOf(lab);
  const page = await openRun(browser, address, lab, settings);
  const moments = [];
  for (const unit of units) {
    const metrics = await learn(page, unit);
    const found = await recordFrames(page, picture, plan);
    const words = unit > 0 ? score((name) => metrics[name]) : "";
    console.log(`${lab} ${unit}: ${words || "untrained"}, ${found.length} frames`);
    moments.push({
      unit,
      score: words,
      frameSize: found[0].length,
      bytes: new Uint8Array(Buffer.concat(found)),
    });
  }
  const unit = await page.evaluate(() => globalThis.learnery.lab.about.unit);
  await page.close();
  return writeRecording({ lab, seed: SEED, settings, unit, rate, moments });
}

main(async () => {
  const names = process.argv.slice(2);
  const recorded = labNames(root).filter((lab) => mediaOf(lab).recording);
  const labs = names.length > 0 ? names : recorded;
  const unknown = labs.find((name) => !recorded.includes(name));
  if (unknown) throw new Error(`no manifest says how \`${unknown}\` is recorded; there are ${recorded.join(", ")}`);
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    for (const lab of labs) {
      const startedAt = performance.now();
      const text = await record(browser, server.address, lab);
      writeFileSync(join(root, "www/labs", lab, "recording.json"), text);
      const [size, time] = [gzipSync(text).length / 1000, (performance.now() - startedAt) / 1000];
      console.log(`${lab}: ${size.toFixed(1)} kB by gzip, recorded in ${time.toFixed(0)} s`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
