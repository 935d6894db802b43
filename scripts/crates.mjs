// What cargo knows of the crates of the workspace.

import { execFileSync } from "node:child_process";
import { dirname, join, relative } from "node:path";
import { root } from "./commands.mjs";

/** The names of the crates in `crates/labs/` that compute on a GPU as well: those with a feature `gpu`. */
export function labsOnGpu() {
  const metadata = execFileSync("cargo", ["metadata", "--no-deps", "--format-version=1"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(metadata)
    .packages.filter(({ manifest_path: manifest, features }) => isLab(manifest) && "gpu" in features)
    .map(({ name }) => name);
}

/** True for the manifest of a lab's crate. */
const isLab = (manifest) => relative(join(root, "crates/labs"), dirname(manifest)).match(/^\w+$/) !== null;
