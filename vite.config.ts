// Builds the page from index.html and www/. The built site works on any host and in any folder.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { parseGlossary, wordsOf } from "./scripts/glossary.mjs";
import { writeServiceWorker } from "./scripts/service-worker.mjs";

// The headers that a page needs to share memory between threads.
const isolation = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The page that joins fleets, and the servers to which it may connect. */
const FLEET_PAGE = "fleet.html";
const FLEET_SERVERS = "wss: ws://localhost:* ws://127.0.0.1:*";

// Allows only files of the site itself, and no inline scripts. One page may connect to servers elsewhere.
const policyOf = (page: string) =>
  [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    `connect-src 'self'${page === FLEET_PAGE ? ` ${FLEET_SERVERS}` : ""}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");

// Only for the built site: the development server adds scripts of its own.
const contentSecurityPolicy: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: (_, { filename }) => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: policyOf(basename(filename)) },
      injectTo: "head-prepend",
    },
  ],
};

// Vite bundles only modules, and this script must not be one. It goes into the site under a name with a hash, like all
// other files.
const LOAD_FAILURE = "load-failure.js";
const loadFailure: Plugin = {
  name: "load-failure",
  apply: "build",
  buildStart() {
    const source = readFileSync(new URL(`www/${LOAD_FAILURE}`, import.meta.url), "utf8");
    this.emitFile({ type: "asset", name: LOAD_FAILURE, source });
  },
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {} }) {
      const file = Object.values(bundle).find((file) => file.type === "asset" && file.names.includes(LOAD_FAILURE));
      return file ? html.replace(`/www/${LOAD_FAILURE}`, `./${file.fileName}`) : html;
    },
  },
};

// The development server has no service worker: it would keep files that are being edited.
const handler = ({ dir }: { dir?: string | undefined }) => {
  if (dir) writeServiceWorker(dir);
};
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  writeBundle: { order: "post", sequential: true, handler },
};

// The words that the page explains, and their explanations (scripts/glossary.mjs).
const glossary: Plugin = {
  name: "glossary",
  load(id) {
    const [file = "", query] = id.split("?");
    if (!file.endsWith("docs/glossary.md")) return null;
    this.addWatchFile(file);
    const terms = parseGlossary(readFileSync(file, "utf8"));
    return `export default ${JSON.stringify(query === "words" ? wordsOf(terms) : terms)}`;
  },
};

/** The variant and the lab of a module in `www/generated/wasm/`. */
const BUNDLE = /generated\/wasm\/([\w-]+)\/([\w-]+)\//;

/**
 * The name of a file in the site. The names of a bundle's files begin with its variant and its lab, so that the service
 * worker can tell which of them a browser needs. `origin` is the module or file that it is made from.
 */
function fileName(origin: string | null | undefined, ending: string): string {
  const [, variant, lab] = BUNDLE.exec(origin?.replaceAll("\\", "/") ?? "") ?? [];
  return variant ? `assets/${variant}-${lab}-[hash]${ending}` : `assets/[name]-[hash]${ending}`;
}

const names = {
  entryFileNames: ({ facadeModuleId }: { facadeModuleId?: string | null }) => fileName(facadeModuleId, ".js"),
  chunkFileNames: ({ facadeModuleId }: { facadeModuleId?: string | null }) => fileName(facadeModuleId, ".js"),
  assetFileNames: ({ originalFileNames }: { originalFileNames: string[] }) =>
    fileName(originalFileNames[0], "[extname]"),
};

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [contentSecurityPolicy, loadFailure, glossary, serviceWorker],
  worker: { format: "es", rolldownOptions: { output: names } },
  build: {
    target: "esnext",
    modulePreload: { polyfill: false },
    // No inlined files, so that the policy above can be strict.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ["index.html", FLEET_PAGE],
      output: {
        ...names,
        // What every visit needs comes in one file: dozens of small ones compress badly and take longer to load.
        codeSplitting: {
          groups: [
            // Modules that only some visits need (after "?!") are left out. `preload-helper` is Vite's own.
            {
              name: "page",
              test: /preload-helper|www\/(core|ui(?!\/library))\/(?!beside|challenge\.|compare\/|copy-row|device-trial|dialog|explanation|fingerprint|help\.|moment|offline|past-|recipe-file|replay|run-names|setting\.|settings-panel|share|slider\.|sparkline|timeline(?!-place)|tour)/,
            },
            // The lab that a first visit opens.
            { name: "control", test: /www\/labs\/control\/(?!challenges|tour)/ },
          ],
        },
      },
    },
  },
  // The development server does not find by itself what a worker imports, and would reload the page when it does.
  optimizeDeps: { include: ["@nats-io/nats-core"] },
  server: { headers: isolation },
  preview: { headers: isolation },
});
