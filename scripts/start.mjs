// `npm start`: installs what is missing, builds the bundles, starts a development server and opens the page in a
// browser.

import { prerequisites } from "./prerequisites.mjs";
import { main, root, run, seconds } from "./commands.mjs";

/** True if a browser window can be opened here: there is a desktop, and this is no remote or automatic session. */
function hasDesktop() {
  if (process.env.CI || process.env.SSH_CONNECTION) return false;
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

main(async () => {
  const begin = performance.now();
  await prerequisites();
  await run("cargo", ["xtask", "web"]);
  // Vite is imported only now, because the npm packages may have been installed a moment ago.
  const { createServer } = await import("vite");
  const server = await createServer({ root, server: { open: hasDesktop() } });
  await server.listen();
  const [address] = server.resolvedUrls?.local ?? [];
  console.log(`\nLearnery is at ${address} (ready after ${seconds(performance.now() - begin)}). Ctrl-C ends it.`);
});
