// Finds programs, and installs packages of Debian where that is possible: as root, with apt-get.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { isRoot, run } from "./commands.mjs";

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

/** The last installation. They run one after another, because only one program at a time can install packages. */
let last = Promise.resolve();

/** Installs programs, each given as the list of its packages. What cannot be installed stays missing. */
export function installPackages(programs) {
  return (last = last.then(() => install(programs)));
}

async function install(programs) {
  if (programs.length === 0 || !isRoot() || !which("apt-get")) return;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  const installAll = (packages) =>
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...packages], options);
  try {
    await run("apt-get", ["update", "-qq"]);
    // One call for all packages is faster, but apt-get installs nothing if it does not know one of them.
    await installAll(programs.flat()).catch(async () => {
      for (const packages of programs) await installAll(packages).catch((error) => console.error(error.message));
    });
  } catch (error) {
    console.error(error.message);
  }
}
