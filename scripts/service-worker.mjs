// Completes a built site with its service worker (www/sw.js), which keeps the site's files on the device: computes the
// hash of every file and the version of the site, and writes both, and which labs each file belongs to, into `sw.js`.
// The pages get the version and the size of the site.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { PAGES } from "./headers.mjs";

const SOURCE = fileURLToPath(new URL("../www/sw.js", import.meta.url));
const PAGE = "index.html";
/**
 * The files that are not kept on the device: those of fleets, which need a network, those of embeds, which keep
 * nothing, and the picture for chats. Hosts read `_headers` and may not serve it.
 */
const NOT_CACHED_PATTERN = /^(_headers|learnery-lab\.js|preview\.png|assets\/([a-z-]+-)?(fleet|embed)-.*)$/;
/**
 * The tags that this script has put into a page: the site's version, which the page compares with that of the service
 * worker, and the bytes of the site for each build. They are removed before the version is computed.
 */
const OWN_TAGS = /\n *<meta name="(version|site-bytes)" content="[^"]*">/g;
/**
 * The files of a bundle, with the build and the lab (vite.config.ts gives them their names). Some labs have a second
 * program: `control-own-worlds` and `backgammon-tools`. What is loaded later of a module is a file of its own.
 */
const BUNDLE_FILE = /^assets\/(threads-plain|threads|simple|gpu)-(\w+)(?:-own-worlds|-tools|-later)?-[\w-]{8}\./;
/** The files of the editor for worlds: its bundle, and the worker that loads it. They belong to the lab `control`. */
const WORLD_FILE = /^assets\/world-(worker-)?[\w-]{8}\./;
/** The builds that run on the processor: a browser uses one of them. */
const CPU_BUILDS = ["threads", "threads-plain", "simple"];

/**
 * Writes the service worker of the site in a folder, and returns the version of the site. `labs` are the labs that each
 * file belongs to, by path, except those of bundles (scripts/site-parts.mjs).
 */
export function writeServiceWorker(folder, labs) {
  const pages = PAGES.filter((name) => existsSync(join(folder, name)));
  const untagged = pages.map((name) => readFileSync(join(folder, name), "utf8").replace(OWN_TAGS, ""));
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, "/").length).split(sep).join("/"))
    .filter((path) => path !== "sw.js" && !pages.includes(path))
    .sort();
  const files = paths.map((path) => [path, describe(join(folder, path), labs[path] ?? labOfBundle(path))]);
  const source = readFileSync(SOURCE, "utf8");
  // The version depends on all that is served.
  const version = createHash("sha256")
    .update(JSON.stringify([files, untagged, source]))
    .digest("hex")
    .slice(0, 16);
  const kept = files.filter(([path]) => !NOT_CACHED_PATTERN.test(path));
  const sizes = CPU_BUILDS.map((build) => `${build} ${bytesOf(kept, build)}`).join(", ");
  const tags = { version, "site-bytes": sizes };
  const lines = Object.entries(tags).map(([name, content]) => `\n    <meta name="${name}" content="${content}">`);
  for (const [i, name] of pages.entries())
    writeFileSync(join(folder, name), untagged[i].replace(/<head>/, `<head>${lines.join("")}`));
  const site = { version, files: { [PAGE]: describe(join(folder, PAGE)), ...Object.fromEntries(kept) } };
  writeFileSync(join(folder, "sw.js"), `const SITE = ${JSON.stringify(site)};\n${source}`);
  return version;
}

/** The labs that each file of a site belongs to, as its service worker says. */
export function labsInServiceWorker(folder) {
  const [line = ""] = readFileSync(join(folder, "sw.js"), "utf8").split("\n", 1);
  const { files } = JSON.parse(/^const SITE = (.*);$/.exec(line)[1]);
  return Object.fromEntries(Object.entries(files).flatMap(([path, { labs }]) => (labs ? [[path, labs]] : [])));
}

/** The lab of a bundle's file, in a list; undefined for other files. */
function labOfBundle(path) {
  const lab = WORLD_FILE.test(path) ? "control" : BUNDLE_FILE.exec(path)?.[2];
  return lab && [lab];
}

/** What the service worker knows of a file: hash, size, and the labs that it belongs to, if it is not of the shell. */
function describe(file, labs) {
  const content = readFileSync(file);
  return { hash: hashOf(content), bytes: content.length, ...(labs && { labs }) };
}

/** The size of all files that a browser keeps that uses this build. */
function bytesOf(files, build) {
  const isUsed = (path) => [undefined, build].includes(BUNDLE_FILE.exec(path)?.[1]);
  return files.reduce((sum, [path, { bytes }]) => sum + (isUsed(path) ? bytes : 0), 0);
}

/** The SHA-256 of a file's content in base 64, as the service worker computes it. */
function hashOf(content) {
  return createHash("sha256").update(content).digest("base64");
}
