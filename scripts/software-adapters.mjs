// The software adapters of the GPU tests, which are Vulkan drivers that compute on the processor: SwiftShader, which
// comes with Chromium, and lavapipe, of Mesa.

import { existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureChromium } from "./browsers.mjs";
import { installPackages } from "./packages.mjs";

const LAVAPIPE_FOLDER = "/usr/share/vulkan/icd.d";

/** The environment in which programs use SwiftShader; that of this process, if it is not found. */
export async function withSwiftShader() {
  const folder = dirname(realpathSync((await ensureChromium()).browser));
  const found = [folder, "/usr/lib/chromium"].map((name) => join(name, "vk_swiftshader_icd.json")).find(existsSync);
  return environment("SwiftShader", found);
}

/** The environment in which programs use lavapipe, which is installed where that is possible. */
export async function withLavapipe() {
  if (!lavapipe()) await installPackages([["mesa-vulkan-drivers"]]);
  return environment("lavapipe", lavapipe());
}

function lavapipe() {
  const names = existsSync(LAVAPIPE_FOLDER) ? readdirSync(LAVAPIPE_FOLDER) : [];
  const name = names.find((name) => /^lvp_icd.*\.json$/.test(name));
  return name && join(LAVAPIPE_FOLDER, name);
}

/**
 * The environment in which Vulkan's loader takes only the driver of this manifest. Older loaders use the first name.
 */
function environment(title, manifest) {
  if (!manifest) {
    console.log(`${title} was not found; the tests run on what this machine has`);
    return process.env;
  }
  // A manifest may name its library without a folder.
  const libraries = [dirname(manifest), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return { ...process.env, VK_ICD_FILENAMES: manifest, VK_DRIVER_FILES: manifest, LD_LIBRARY_PATH: libraries };
}
