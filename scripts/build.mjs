// `npm run build`: builds the WebAssembly bundles and the static site in dist/, which works on any host and in any
// folder.

import { prerequisites } from "./prerequisites.mjs";
import { main, root, run } from "./commands.mjs";

/** What Node runs to build the site. The bundles must have been built before. */
export const BUILD_SITE = [`${root}node_modules/vite/bin/vite.js`, "build"];

// When this file is run as a program, and not imported.
if (process.argv[1]?.endsWith("build.mjs")) {
  main(async () => {
    await prerequisites();
    await run("cargo", ["xtask", "web"]);
    await run(process.execPath, BUILD_SITE);
  });
}
