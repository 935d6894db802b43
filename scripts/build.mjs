// `npm run build`: the static site in dist/, for any host and any folder of it.

import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { prerequisites } from "./prerequisites.mjs";
import { sizes } from "./sizes.mjs";
import { main, root, run, tool } from "./tell.mjs";

/** Builds the site; the bundles must be there. */
export async function site() {
  await tool("vite/bin/vite.js", ["build"]);
  reportFirstLoad();
}

/** What a first visit loads: everything but the bundle that is not chosen. */
function reportFirstLoad() {
  const dist = join(root, "dist");
  const files = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ name: relative(dist, file), ...sizes(readFileSync(file)) }));
  const modules = files.filter(({ name }) => name.endsWith(".wasm"));
  const rest = files.filter(({ name }) => !name.endsWith(".wasm"));
  const sum = (list, key) => list.reduce((total, file) => total + file[key], 0);
  for (const key of ["gzip", "brotli"]) {
    const largest = Math.max(...modules.map((file) => file[key]));
    console.log(`first load, ${key}: at most ${((sum(rest, key) + largest) / 1000).toFixed(0)} kB`);
  }
}

if (process.argv[1]?.endsWith("build.mjs")) {
  main(async () => {
    await prerequisites();
    await run("cargo", ["xtask", "web"]);
    await site();
  });
}
