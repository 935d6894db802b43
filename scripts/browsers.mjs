// Finds the browsers of the scripts and tests: Chromium with its headless shell, Firefox, and WebKitGTK, which has
// Safari's engine. On Debian, as root, those that are missing are installed; elsewhere a message says how to.

import { existsSync } from "node:fs";
import { Missing } from "./commands.mjs";
import { installPackages, which } from "./packages.mjs";

// Each browser with its packages in Debian, and a function that returns the paths of its programs, or undefined if one
// of them is missing.
const BROWSERS = {
  chromium: {
    title: "Chromium",
    packages: ["chromium", "chromium-driver"],
    find() {
      const program =
        process.env.CHROMIUM ?? which("chromium", "chromium-browser", "google-chrome-stable", "google-chrome");
      return program && { program };
    },
  },
  // Chromium without its window: the same engine, for a third less processor time. Where it is missing, Chromium itself
  // is used.
  "headless shell": {
    title: "Chromium's headless shell",
    packages: ["chromium-headless-shell"],
    find() {
      const program = process.env.CHROMIUM ?? which("chromium-headless-shell", "chrome-headless-shell");
      return program && { program };
    },
  },
  firefox: {
    title: "Firefox",
    packages: ["firefox-esr"],
    find() {
      const program = process.env.FIREFOX ?? which("firefox-esr", "firefox");
      return program && { program };
    },
  },
  webkit: {
    title: "WebKit",
    packages: ["webkit2gtk-driver", "xvfb"],
    find() {
      const [program, driver, display] = [miniBrowser(), which("WebKitWebDriver"), which("Xvfb")];
      return program && driver && display && { program, driver, display };
    },
  },
};

/** WebKitGTK's small browser, which is not in the PATH. */
function miniBrowser() {
  const folders = ["webkit2gtk-4.1", "webkit2gtk-4.0", "webkitgtk-6.0"];
  return ["x86_64", "aarch64"]
    .flatMap((processor) => folders.map((folder) => `/usr/lib/${processor}-linux-gnu/${folder}/MiniBrowser`))
    .find(existsSync);
}

/**
 * The paths of a browser's programs, `program` first of all. If one is missing, throws an error that says what to do.
 */
export function findBrowser(name) {
  const { title, packages, find } = BROWSERS[name];
  const found = find();
  if (found) return found;
  throw new Missing(`${title} is missing, which the browser tests need.`, howToInstall(name, packages));
}

function howToInstall(name, packages) {
  const elsewhere = name === "webkit" ? "" : ` Elsewhere, name one in the variable ${name.toUpperCase()}.`;
  return `On Debian: \`apt-get install ${packages.join(" ")}\`.${elsewhere}`;
}

/** The path of Chromium, or of its headless shell. If there is neither, throws an error that says what to do. */
export const findChromium = () => (BROWSERS["headless shell"].find() ?? findBrowser("chromium")).program;

/** Installs those of these browsers that are missing, where that is possible. What it cannot install stays missing. */
export async function installBrowsers(...names) {
  const missing = names.filter((name) => !BROWSERS[name].find());
  await installPackages(missing.map((name) => BROWSERS[name].packages));
}

/** Installs Chromium if it is missing and that is possible. Resolves to its path, or throws `Missing`. */
export async function ensureChromium() {
  await installBrowsers("chromium", "headless shell");
  return { browser: findChromium() };
}
