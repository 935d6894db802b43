// `npm run bench -- gpu-tab [LAB...]`: trains presets of the labs on this machine's GPU, first in a tab of Chromium,
// then by the command line, and prints a table: work per second in both, the share that the tab reaches, and the frames
// that its picture drew meanwhile.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureChromium } from "./browsers.mjs";
import { BUILD_SITE } from "./build.mjs";
import { capture, root, run } from "./commands.mjs";
import { labNames } from "./dev-bundles.mjs";
import "../tests/page/typescript.mjs";

// Imported only now, because Node can read TypeScript only from here on.
const { mediaOf } = await import("../www/labs/media.ts");

/** How long a run trains before it is measured, and how long it is measured. */
const WARM_UP_MS = 4000;
const MEASURED_MS = 5000;

/** The longest that a GPU may take to open and to compile its kernels. */
const OPENING_MS = 120_000;

/** On Linux, headless Chromium takes its own software adapter without these. */
const FLAGS = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--enable-unsafe-webgpu",
  "--ignore-gpu-blocklist",
  ...(process.platform === "linux"
    ? ["--enable-features=Vulkan", "--use-angle=vulkan", "--use-vulkan=native", "--disable-vulkan-surface"]
    : []),
];

/** The command line, which is built with optimisation. */
const PROGRAM = join(root, "target/release/learnery");

/**
 * What is measured, as the labs' manifests say: pairs of a lab and a preset, null for the default settings. Only of
 * `labs`, or of all labs if the list is empty.
 */
function rowsOf(labs) {
  const measured = labNames(root).filter((lab) => mediaOf(lab).measuredOnGpu);
  const unknown = labs.find((lab) => !measured.includes(lab));
  if (unknown)
    throw new Error(`no manifest says what \`${unknown}\` trains on a GPU; there are ${measured.join(", ")}`);
  return measured
    .filter((lab) => labs.length === 0 || labs.includes(lab))
    .flatMap((lab) => mediaOf(lab).measuredOnGpu.map((preset) => [lab, preset]));
}

export async function benchGpuTab(labs) {
  const rows = rowsOf(labs);
  const toError = { stdio: ["ignore", process.stderr, process.stderr] };
  await run("cargo", ["xtask", "web", "gpu", "simple", "threads"], toError);
  await run(process.execPath, BUILD_SITE, toError);
  await run("cargo", ["build", "--release", "--package=learnery-cli"], toError);
  const presets = await readPresets();
  const inTab = await measureTab(rows, presets);
  console.log("| run | work | tab | command line | tab / command line | frames/s | longest frame |");
  console.log("|---|---|---|---|---|---|---|");
  for (const [i, [lab, preset]] of rows.entries()) {
    const native = await measureNatively(lab, preset);
    const { rate, frames, longest, about, problem } = inTab[i];
    const name = `${lab} ${preset ?? ""}`.trim();
    if (problem) console.log(`| ${name} | | ${problem} | ${scaled(native)}/s | | | |`);
    else {
      const share = native ? (rate / native).toFixed(2) : "";
      const { work } = presets[lab];
      console.log(
        `| ${name} (${about}) | ${work} | ${scaled(rate)}/s | ${scaled(native)}/s | ${share} | ${frames.toFixed(0)} | ${longest.toFixed(0)} ms |`,
      );
    }
  }
}

/** Of each lab: what its work counts, and the settings of its presets. */
async function readPresets() {
  const text = await capture(PROGRAM, ["labs", "--json"]);
  if (!text) throw new Error(`${PROGRAM} labs --json failed`);
  const lines = text.split("\n");
  const abouts = lines.map((line) => JSON.parse(line).about);
  return Object.fromEntries(
    abouts.map(({ id, work, presets }) => [
      id,
      { work, presets: Object.fromEntries(presets.map(({ name, settings }) => [name, JSON.parse(settings)])) },
    ]),
  );
}

async function measureTab(rows, presets) {
  const { browser: executablePath } = await ensureChromium();
  const [{ chromium }, { serve }] = await Promise.all([
    import("playwright-core"),
    import("../tests/browser/server.mjs"),
  ]);
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    const results = [];
    for (const [lab, preset] of rows) {
      const settings = preset ? presets[lab].presets[preset] : {};
      const link = new URLSearchParams({ seed: "1", ...settings, device: "gpu" });
      const page = await browser.newPage();
      results.push(
        await measurePage(page, `${server.address}#/${lab}?${link}`).catch(({ message }) => ({ problem: message })),
      );
      await page.close();
    }
    return results;
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Opens a run on the GPU, at full speed, and measures it. */
async function measurePage(page, address) {
  // Without this, a run might pause at its goal and be measured while it stands.
  await page.addInitScript(() => localStorage.setItem("learnery:stop-at-goal", "off"));
  await page.goto(address);
  await page.waitForFunction(() => globalThis.learnery?.gpu, null, { timeout: OPENING_MS });
  // The key that makes a run faster, more often than there are speeds.
  for (let i = 0; i < 25; i++) await page.keyboard.press("]");
  await page.waitForFunction(() => globalThis.learnery.progress.units >= 1, null, { timeout: OPENING_MS });
  await sleep(WARM_UP_MS);
  return page.evaluate(async (milliseconds) => {
    const { learnery } = globalThis;
    const frames = [];
    let [watching, last] = [true, performance.now()];
    const watch = (now) => {
      frames.push(now - last);
      last = now;
      if (watching) requestAnimationFrame(watch);
    };
    requestAnimationFrame(watch);
    // Work is counted from the end of an iteration to the end of another one.
    const iterationEnds = async () => {
      const { units } = learnery.progress;
      while (learnery.progress.units === units) await new Promise((resolve) => setTimeout(resolve, 5));
      return { now: performance.now(), work: learnery.progress.work };
    };
    const opened = performance.now();
    const begin = await iterationEnds();
    let end = begin;
    while (end.now - begin.now < milliseconds) end = await iterationEnds();
    watching = false;
    const seconds = (performance.now() - opened) / 1000;
    return {
      rate: (1000 * (end.work - begin.work)) / (end.now - begin.now),
      frames: frames.length / seconds,
      // The frame that has not come yet counts too: a picture that stands still has a long one.
      longest: Math.max(...frames, performance.now() - last),
      about: document.querySelector(".device-about")?.textContent ?? "",
    };
  }, MEASURED_MS);
}

/** The work per second of the same run by the command line; 0 if it cannot use the GPU. */
async function measureNatively(lab, preset) {
  const folder = mkdtempSync(join(tmpdir(), "learnery-"));
  const limit = `${(OPENING_MS + WARM_UP_MS + MEASURED_MS) / 1000}s`;
  const options = ["--seed", "1", "--device", "gpu", "--json", "--for", limit, "--out", join(folder, "run")];
  const child = spawn(PROGRAM, ["train", lab, ...(preset ? ["--preset", preset] : []), ...options], {
    stdio: ["ignore", "pipe", process.stderr],
  });
  try {
    // The first unit, the unit with which the measurement begins, and the last one of it, by the clock.
    let first, begin;
    for await (const line of createInterface({ input: child.stdout })) {
      const { event, work } = JSON.parse(line);
      if (event !== "metrics") continue;
      const now = performance.now();
      first ??= now;
      if (now - first >= WARM_UP_MS) begin ??= { now, work };
      if (begin && now - begin.now >= MEASURED_MS) return (1000 * (work - begin.work)) / (now - begin.now);
    }
    return 0;
  } finally {
    const closed = new Promise((resolve) => child.once("close", resolve));
    if (child.exitCode === null && child.kill()) await closed;
    rmSync(folder, { recursive: true, force: true });
  }
}

function scaled(value) {
  for (const [factor, prefix] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ])
    if (value >= factor) return `${(value / factor).toPrecision(3)} ${prefix}`;
  return value.toPrecision(3);
}
