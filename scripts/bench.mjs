// `npm run bench [-- NAME...]`: runs the benchmarks whose names start with a NAME in Chromium, on both bundles (with
// threads and without). Writes one JSON object per line to standard output, everything else to standard error.
// `npm run bench -- gpu-tab [LAB...]` measures training on a GPU instead, see bench-gpu-tab.mjs, and
// `npm run bench -- worlds` how fast texts of worlds become code, see bench-worlds.mjs, and `npm run bench -- links` how
// soon links show what their senders saw, see bench-links.mjs.

import { join } from "node:path";
import { benchGpuTab } from "./bench-gpu-tab.mjs";
import { benchLinks } from "./bench-links.mjs";
import { benchWorlds } from "./bench-worlds.mjs";
import { ensureChromium } from "./browsers.mjs";
import { prerequisites } from "./prerequisites.mjs";
import { main, root, run } from "./commands.mjs";

/** Options of `run`: the program's output goes to standard error. */
const toError = { stdio: ["ignore", process.stderr, process.stderr] };

main(async () => {
  const names = process.argv.slice(2).filter((word) => !word.startsWith("-"));
  await prerequisites();
  if (names[0] === "gpu-tab") return benchGpuTab(names.slice(1));
  if (names[0] === "worlds") return benchWorlds();
  if (names[0] === "links") return benchLinks();
  await run("cargo", ["xtask", "web", "--bench", "threads", "simple"], toError);
  const { browser: executablePath } = await ensureChromium();
  const [{ build }, { chromium }, { serve }] = await Promise.all([
    import("vite"),
    import("playwright-core"),
    import("../tests/browser/server.mjs"),
  ]);
  const outDir = join(root, "target/bench-page");
  await build({
    root: join(root, "scripts/bench"),
    configFile: join(root, "vite.config.ts"),
    publicDir: false,
    logLevel: "error",
    build: { outDir, emptyOutDir: true },
  });
  const server = await serve(outDir, { isolation: true, base: "/" });
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  try {
    const page = await browser.newPage();
    await page.exposeFunction("print", (line) => console.log(line));
    await page.goto(server.address);
    const threads = await page.evaluate(() => globalThis.choice.threads);
    // In the page `measure` (scripts/bench/main.ts) takes a bundle, the names, and a number of threads. It starts a new
    // worker each time, because a thread pool keeps its size for the life of its worker.
    await page.evaluate((names) => globalThis.measure("simple", names, 1), names);
    await page.evaluate((names) => globalThis.measure("threads", names, 1), names);
    if (threads > 1)
      await page.evaluate(([names, threads]) => globalThis.measure("threads", names, threads), [names, threads]);
  } finally {
    await browser.close();
    await server.close();
  }
});
