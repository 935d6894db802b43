// Completes a built site with its service worker (www/sw.js), which keeps the site's files on the device: computes the
// hash of every file and the version of the site, and writes both into `sw.js` and the version into the pages.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PAGES } from "./headers.mjs";

const SOURCE = fileURLToPath(new URL("../www/sw.js", import.meta.url));
const PAGE = "index.html";
/**
 * The files that are not kept on the device: those of fleets, which need a network, and those of embeds, which keep
 * nothing. Hosts read `_headers` and may not serve it.
 */
const NOT_CACHED_PATTERN = /^(_headers|learnery-lab\.js|assets\/([a-z-]+-)?(fleet|embed)-.*)$/;
/** The site's version in a page, which the page compares with that of the service worker. */
const VERSION_TAG = /\n *<meta name="version" content="\w*">/;

/** Writes the service worker of the site in a folder, and returns the version of the site. */
export function writeServiceWorker(folder) {
  const pages = PAGES.filter((name) => existsSync(join(folder, name)));
  const untagged = pages.map((name) => readFileSync(join(folder, name), "utf8").replace(VERSION_TAG, ""));
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length).split(sep).join("/"))
    .filter((path) => path !== "sw.js" && !pages.includes(path))
    .sort();
  const hashes = paths.map((path) => [path, hashOf(readFileSync(join(folder, path)))]);
  const source = readFileSync(SOURCE, "utf8");
  // The version depends on all that is served.
  const version = createHash("sha256")
    .update(JSON.stringify([hashes, untagged, source]))
    .digest("hex")
    .slice(0, 16);
  const tagged = untagged.map((page) =>
    page.replace(/<head>/, `<head>\n    <meta name="version" content="${version}">`),
  );
  pages.forEach((name, i) => writeFileSync(join(folder, name), tagged[i]));
  const kept = hashes.filter(([path]) => !NOT_CACHED_PATTERN.test(path));
  const site = { version, files: { [PAGE]: hashOf(tagged[pages.indexOf(PAGE)]), ...Object.fromEntries(kept) } };
  writeFileSync(join(folder, "sw.js"), `const SITE = ${JSON.stringify(site)};\n${source}`);
  return version;
}

/** The SHA-256 of a file's content in base 64, as the service worker computes it. */
function hashOf(content) {
  return createHash("sha256").update(content).digest("base64");
}
