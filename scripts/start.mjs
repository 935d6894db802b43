// `npm start`: gets from a fresh clone to the page in a browser.

import { prerequisites } from "./prerequisites.mjs";
import { main, root, run, seconds } from "./commands.mjs";

/** True where a browser window can be opened. */
function desktop() {
  if (process.env.CI || process.env.SSH_CONNECTION) return false;
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

main(async () => {
  const begin = performance.now();
  await prerequisites();
  await run("cargo", ["xtask", "web"]);
  // Imported late, because the npm packages may have been installed a moment ago.
  const { createServer } = await import("vite");
  const server = await createServer({ root, server: { open: desktop() } });
  await server.listen();
  const [address] = server.resolvedUrls?.local ?? [];
  console.log(`\nLearnery is at ${address} (ready after ${seconds(performance.now() - begin)}). Ctrl-C ends it.`);
});
