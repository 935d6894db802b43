// Makes versions of the built site for tests: copies of it in temporary folders, in which files can be changed.

import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PAGES } from "../../scripts/headers.mjs";
import { labsInServiceWorker, writeServiceWorker } from "../../scripts/service-worker.mjs";
import { site, temporaryFolder } from "./harness.mjs";

/** A copy of the built site. */
export function copyOfSite() {
  const folder = temporaryFolder();
  cpSync(site, folder, { recursive: true });
  return folder;
}

/**
 * Turns the site in a folder into its next version, as a build would after a change of the modules whose file names
 * begin with one of `names`: they get new names, and so do all files that mention them. The old files are gone.
 * Returns the names of the new files, without the pages.
 */
export function deployNextVersion(folder, names) {
  const assets = join(folder, "assets");
  const texts = new Map(
    readdirSync(assets)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [name, readFileSync(join(assets, name), "utf8")]),
  );
  const changed = new Set([...texts.keys()].filter((name) => names.some((each) => name.startsWith(`${each}-`))));
  for (let before = -1; before < changed.size;) {
    before = changed.size;
    for (const [name, text] of texts) if ([...changed].some((each) => text.includes(each))) changed.add(name);
  }
  // A hash may end like that of a next version by chance.
  const next = (name) =>
    name.replace(/.{8}(?=\.\w+$)/, (hash) => `${hash.slice(0, 6)}${hash.endsWith("v2") ? "v3" : "v2"}`);
  const renamed = (text) => [...changed].reduce((text, name) => text.replaceAll(name, next(name)), text);
  for (const name of changed) {
    writeFileSync(join(assets, name), `${renamed(texts.get(name))}\n/* the next version */`);
    renameSync(join(assets, name), join(assets, next(name)));
  }
  for (const name of PAGES) {
    const page = join(folder, name);
    writeFileSync(page, renamed(readFileSync(page, "utf8")));
  }
  writeServiceWorker(folder, JSON.parse(renamed(JSON.stringify(labsInServiceWorker(folder)))));
  return [...changed].map(next);
}

/** Lets the service worker of a copy of the site begin with this code, and returns the copy. */
export function withServiceWorkerCode(folder, code) {
  const file = join(folder, "sw.js");
  // The build's line stays the first.
  const [line, ...rest] = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, [line, code, ...rest].join("\n"));
  return folder;
}
