// `npm run build`: the static site in dist/, for any host and any folder of it.

import { prerequisites } from "./prerequisites.mjs";
import { main, run, tool } from "./tell.mjs";

/** Builds the site; the bundles must be there. */
export const site = () => tool("vite/bin/vite.js", ["build"]);

if (process.argv[1]?.endsWith("build.mjs")) {
  main(async () => {
    await prerequisites();
    await run("cargo", ["xtask", "web"]);
    await site();
  });
}
