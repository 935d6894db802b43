// `npm run build`: builds the WebAssembly bundles and the static site in dist/, which works on any host and in any
// folder.

import { prerequisites } from "./prerequisites.mjs";
import { main, run, runPackage } from "./commands.mjs";

/** Builds the site. The bundles must have been built before. */
export const site = () => runPackage("vite/bin/vite.js", ["build"]);

// When this file is run as a program, and not imported.
if (process.argv[1]?.endsWith("build.mjs")) {
  main(async () => {
    await prerequisites();
    await run("cargo", ["xtask", "web"]);
    await site();
  });
}
