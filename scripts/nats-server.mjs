// nats-server, over which the processes of a fleet talk.

import { existsSync } from "node:fs";
import { installPackages, which } from "./packages.mjs";

// Debian installs servers in a folder that is not in every user's PATH. `crates/fleet` looks in the same places.
const FOLDERS = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin"];
const isInstalled = () =>
  which("nats-server") !== undefined || FOLDERS.some((folder) => existsSync(`${folder}/nats-server`));

/** Installs nats-server if it is missing and that is possible. Without it, the tests that need it are left out. */
export async function installNatsServer() {
  if (!isInstalled()) await installPackages([["nats-server"]]);
  if (!isInstalled()) {
    console.log("nats-server is missing; no fleet is tested. On Debian: `apt-get install nats-server`.");
  }
}
