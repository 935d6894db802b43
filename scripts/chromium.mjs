// Finds Chromium; on Debian as root, installs it.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Missing, isRoot, run } from "./commands.mjs";

const BROWSERS = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const HOW = "On Debian: `apt-get install chromium`; elsewhere, name one in the variable CHROMIUM.";

/** The path of the first program found, or undefined. */
export function which(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // not in this folder
      }
    }
  }
  return undefined;
}

/** The path of Chromium. `CHROMIUM` names another one. Throws a sentence for people if there is none. */
export function findChromium() {
  const found = process.env.CHROMIUM ?? which(...BROWSERS);
  if (!found) throw new Missing("The browser tests need Chromium.", HOW);
  return found;
}

/** Installs Chromium where that is possible. Its package brings the driver along. */
export async function ensureChromium() {
  if (!process.env.CHROMIUM && !which(...BROWSERS) && isRoot() && which("apt-get")) {
    await run("apt-get", ["update", "-qq"]);
    const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium", "chromium-driver"], options);
  }
  return { browser: findChromium() };
}
