// `npm run record [-- LAB...]`, after `npm run build`: writes the recordings of the front (www/labs/NAME/recording.json). It
// opens each lab of the built site in Chromium, lets a run with a fixed seed learn, and records what the agent does on
// its stage: untrained, half-way and trained.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { main, root } from "./commands.mjs";
import { serve } from "../tests/browser/server.mjs";
import "../tests/page/typescript.mjs";

// Imported only now, because Node can read TypeScript only from here on.
const { FRAME_ENCODERS } = await import("../www/front/frames.ts");
const { writeRecording } = await import("../www/ui/small-picture/recording.ts");

const SEED = 1;

/**
 * For each lab: the units (training iterations) at which it is recorded, the settings of its run that differ from the
 * defaults, frames per second, frames of a moment, and `score`, which puts the metrics of a moment into words.
 * `prepare` are the commands that the stage gets first. Where frames are turns and not times, `turns` is true: then a
 * frame is recorded only when it differs from the last. `ended` tells when a moment has no more of them.
 */
const LABS = {
  control: {
    units: [0, 3, 40],
    rate: 25,
    frames: 150,
    score: ({ examReturn }) => `holds the pole for ${Math.round(examReturn)} of 500 steps`,
  },
  backgammon: {
    units: [0, 100, 400],
    rate: 0.8,
    frames: 9,
    turns: true,
    prepare: [
      { type: "newGame", players: "watch" },
      { type: "tempo", seconds: 1 },
    ],
    score: ({ points }) => `${signed(points)} points a game against pubeval`,
  },
  cube: {
    units: [0, 5, 20],
    rate: 2,
    frames: 15,
    turns: true,
    prepare: [{ type: "away", turns: 8 }, { type: "solve" }],
    ended: ({ stage }) => stage.attempt === "solved" || stage.attempt === "stuck",
    score: ({ solved }) => `solves ${solved < 10 ? solved.toFixed(1) : Math.round(solved)} % of all states`,
  },
  logic: {
    units: [0, 10, 50],
    rate: 8,
    frames: 24,
    turns: true,
    // Training compares this step with the target.
    ended: ({ stage }) => stage.step >= stage.steps,
    prepare: [{ type: "pace", rate: 8 }, { type: "restart" }, { type: "play", playing: true }],
    score: ({ hardError }) => `${Math.round(100 * hardError)} % of the cells are wrong`,
  },
  language: {
    settings: {
      source: "stories",
      width: 64,
      layers: 2,
      length: 64,
      heads: 4,
      batch: 16,
      updates: 4,
      judge_every: 10,
      judge_size: 4096,
      goal: 20,
      optimiser: "muon",
      learning_rate: 0.003,
      muon_rate: 0.03,
      anneal: 4000,
      echoes: 0.5,
      echo_until: 1000,
    },
    units: [0, 30, 900],
    rate: 30,
    frames: 150,
    text: true,
    prepare: [{ type: "dials", temperature: 0.5, topK: 0 }, { type: "again" }],
    ended: ({ sample }) => sample.done,
    score: ({ bits }) => `${bits.toFixed(2)} bits per byte`,
  },
};

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/** A moment has so many views at most, so that an agent which does nothing any more ends it too. */
const MAX_VIEWS = 3000;

/** Opens a run at its beginning. From then on only this script asks for views, so that the stage moves at its will. */
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

/** The views of the stage at these many views per second, without what no frame needs. Bytes are lists of numbers. */
function views(page, seconds, count) {
  return page.evaluate(
    async ([seconds, count]) => {
      const { learnery } = globalThis;
      const plain = (value) => {
        if (value instanceof Uint8Array) return { bytes: [...value] };
        if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
        return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
      };
      const found = [];
      while (found.length < count) {
        const { world, stage, sample } = await new Promise((resolve) => {
          const unsubscribe = learnery.on("view", (view) => {
            unsubscribe();
            resolve(view);
          });
          learnery.askForView(seconds);
        });
        found.push(plain({ world, stage, sample }));
      }
      return found;
    },
    [seconds, count],
  );
}

/** A view whose bytes are bytes again. */
function revived(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  if (Array.isArray(value.bytes)) return Uint8Array.from(value.bytes);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, revived(each)]));
}

const same = (a, b) => a !== undefined && Buffer.compare(a, b) === 0;

/** The frames of a moment. */
async function frames(page, lab, { rate, frames: most, turns, text, prepare = [], ended = () => false }) {
  await page.evaluate((commands) => {
    for (const command of commands) globalThis.learnery.command(command);
  }, prepare);
  const found = [];
  /** Views per second: those of turns have to be more frequent than the turns. */
  const perSecond = turns || text ? 10 : rate;
  for (let seen = 0; seen < MAX_VIEWS && found.length < most; seen += perSecond) {
    for (const view of (await views(page, 1 / perSecond, perSecond)).map(revived)) {
      const frame = FRAME_ENCODERS[lab](view);
      if (text) {
        // The sample so far; a frame for each character.
        found.length = 0;
        for (const code of frame.subarray(0, most)) found.push(Uint8Array.of(code));
      } else if (!turns || !same(found.at(-1), frame)) found.push(frame);
      if (found.length >= most || ended(view)) return found.slice(0, most);
    }
  }
  return found;
}

async function record(browser, address, lab) {
  const { units, settings = {}, rate, score } = LABS[lab];
  const page = await openRun(browser, address, lab, settings);
  const moments = [];
  for (const unit of units) {
    const metrics = await learn(page, unit);
    const found = await frames(page, lab, LABS[lab]);
    const words = unit > 0 ? score(metrics) : "";
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
  const labs = names.length > 0 ? names : Object.keys(LABS);
  const unknown = labs.find((name) => !(name in LABS));
  if (unknown) throw new Error(`no recording of \`${unknown}\` is known; there are ${Object.keys(LABS).join(", ")}`);
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
  try {
    for (const lab of labs) {
      const begin = performance.now();
      const text = await record(browser, server.address, lab);
      writeFileSync(join(root, "www/labs", lab, "recording.json"), text);
      const [size, time] = [gzipSync(text).length / 1000, (performance.now() - begin) / 1000];
      console.log(`${lab}: ${size.toFixed(1)} kB by gzip, recorded in ${time.toFixed(0)} s`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
});
