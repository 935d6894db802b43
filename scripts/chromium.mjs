// Finds Chromium for the scripts and tests. On Debian, as root, it is installed if it is missing; elsewhere a person is
// told how to install it.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { Missing, isRoot, run } from "./commands.mjs";

/** The programs that are looked for, in this order. */
const BROWSERS = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const HOW_TO_INSTALL = "On Debian: `apt-get install chromium`; elsewhere, name one in the variable CHROMIUM.";

/** The path of the first of these programs that is found, or undefined. */
export function which(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // It is not in this folder.
      }
    }
  }
  return undefined;
}

/**
 * The path in the environment variable `CHROMIUM`, or else that of an installed Chromium. If there is none, throws
 * `Missing`, an error that says what to install.
 */
export function findChromium() {
  const found = process.env.CHROMIUM ?? which(...BROWSERS);
  if (!found) throw new Missing("The browser tests need Chromium.", HOW_TO_INSTALL);
  return found;
}

/** Installs Chromium if it is missing and that is possible. Resolves to its path, or throws `Missing`. */
export async function ensureChromium() {
  if (!process.env.CHROMIUM && !which(...BROWSERS) && isRoot() && which("apt-get")) {
    await run("apt-get", ["update", "-qq"]);
    const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium", "chromium-driver"], options);
  }
  return { browser: findChromium() };
}
