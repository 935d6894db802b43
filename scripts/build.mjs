// `npm run build`: the static site in dist/, for any host and any folder of it.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { prerequisites } from "./prerequisites.mjs";
import { sizes } from "./sizes.mjs";
import { main, root, run, tool } from "./tell.mjs";

/** The most a first visit may load, in kilobytes as the plainest of hosts compresses them. */
const MOST_FIRST_LOAD = 400;

/** Builds the site; the bundles must be there. */
export async function site() {
  await tool("vite/bin/vite.js", ["build"]);
  const { gzip, brotli } = firstLoad();
  console.log(`first load: at most ${gzip.toFixed(0)} kB by gzip, ${brotli.toFixed(0)} kB by brotli`);
  if (gzip > MOST_FIRST_LOAD) {
    throw new Error(`A first visit would load ${gzip.toFixed(0)} kB by gzip; the limit is ${MOST_FIRST_LOAD} kB.`);
  }
}

/** What a first visit loads, in kilobytes: everything but the bundle that is not chosen, with its glue. */
function firstLoad() {
  const dist = join(root, "dist");
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, bytes: readFileSync(join(entry.parentPath, entry.name)) }));
  const modules = files.filter(({ name }) => name.endsWith(".wasm"));
  const others = files.filter(({ name }) => !name.endsWith(".wasm"));
  const names = (file, module) => file.bytes.includes(module.name);
  const shared = others.filter((file) => !modules.some((module) => names(file, module)));
  const loads = modules.map((module) => [...shared, module, ...others.filter((file) => names(file, module))]);
  const most = (key) =>
    Math.max(...loads.map((load) => load.reduce((sum, { bytes }) => sum + sizes(bytes)[key], 0))) / 1000;
  return { gzip: most("gzip"), brotli: most("brotli") };
}

if (process.argv[1]?.endsWith("build.mjs")) {
  main(async () => {
    await prerequisites();
    await run("cargo", ["xtask", "web"]);
    await site();
  });
}
