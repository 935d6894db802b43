// `npm start`: installs what is missing, starts a development server, opens the page in a browser and builds the
// bundles behind it. The first lab comes first; while it compiles, npm installs the packages.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CargoOutput } from "./cargo-output.mjs";
import { BundleQueue, USUAL_BUILD, bundleNames, bundlePlugin, labNames, titleOf } from "./dev-bundles.mjs";
import { ensureCompilers, ensurePackages, packagesInstalled } from "./prerequisites.mjs";
import { endGroupsWithProgram, runInGroup } from "./process-group.mjs";
import { main, root, seconds } from "./commands.mjs";

/** True if a browser window can be opened here: there is a desktop, and this is no remote or automatic session. */
function hasDesktop() {
  if (process.env.CI || process.env.SSH_CONNECTION) return false;
  if (process.platform === "darwin" || process.platform === "win32") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** Calls `cargo xtask web` and shows its output: all of it if `live`, otherwise only if it fails. */
async function xtaskWeb(args, { live, onProgress }) {
  const output = new CargoOutput(live ? process.stderr : undefined, onProgress);
  try {
    await runInGroup("cargo", ["xtask", "web", ...args], {
      env: { ...process.env, ...CargoOutput.environment(process.stderr) },
      onText: (text) => output.add(text),
    });
  } catch (error) {
    if (!live) process.stderr.write(output.text);
    throw error;
  }
}

main(async () => {
  const startedAt = performance.now();
  endGroupsWithProgram();
  await ensureCompilers();

  const labs = labNames(root);
  const bundles = labs.map((lab) => `${USUAL_BUILD}/${lab}`);
  const first = bundles[0];
  const built = existsSync(join(root, "www/generated/wasm", first, "stamp"));
  console.log(
    built
      ? "Building what has changed of the first lab."
      : "Building the first lab. This takes at most three minutes the first time, on two cores; downloads come on top.",
  );

  // The packages are needed for the last step of a build, and for the server.
  const arePackagesMissing = !packagesInstalled();
  const packages = ensurePackages();
  packages.catch(() => {}); // reported where it is awaited
  /** The lab that is built first is compiled while the packages are installed. */
  let compileFirst = arePackagesMissing;

  /** Builds a bundle. Its error is shown in the terminal before it is thrown. */
  async function build(name, onProgress) {
    const buildStartedAt = performance.now();
    const live = name === first;
    const words = name.split("/");
    try {
      if (compileFirst) await xtaskWeb(["--compile", ...words], { live, onProgress });
      compileFirst = false;
      await packages;
      await xtaskWeb(words, { live, onProgress });
      const now = performance.now();
      const since = live ? `${seconds(now - startedAt)} after the start` : seconds(now - buildStartedAt);
      console.log(`Ready: ${titleOf(name)} (${words[0]}, ${since}).`);
    } catch (error) {
      console.error(`\nCannot build ${titleOf(name)}: ${error.message}. The server goes on.`);
      throw error;
    }
  }

  const queue = new BundleQueue(bundleNames(root), build);
  queue.add(bundles);
  await packages;
  // Vite is imported only now, because the npm packages may have been installed a moment ago.
  const { createServer } = await import("vite");
  const server = await createServer({ root, plugins: [bundlePlugin(queue)], server: { open: hasDesktop() } });
  await server.listen();
  const [address] = server.resolvedUrls?.local ?? [];
  console.log(`\nLearnery is at ${address}. The labs are built behind the page. Ctrl-C ends it.`);
});
