// GNU Backgammon (gnubg), against which a test plays a match.

import { existsSync } from "node:fs";
import { installPackages, which } from "./packages.mjs";

// Debian installs games in a folder that is not in every user's PATH. `crates/cli` looks in the same places.
const isInstalled = () => which("gnubg") !== undefined || existsSync("/usr/games/gnubg");

/** Installs gnubg if it is missing and that is possible. Without it, the tests that need it are left out. */
export async function installGnubg() {
  if (!isInstalled()) await installPackages([["gnubg"]]);
  if (!isInstalled()) {
    console.log("GNU Backgammon is missing; no match is played against it. On Debian: `apt-get install gnubg`.");
  }
}
