// Builds the page from index.html and www/. The built site works on any host and in any folder.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Plugin, type Rolldown } from "vite";
import { labNames } from "./scripts/dev-bundles.mjs";
import { parseGlossary, wordsOf } from "./scripts/glossary.mjs";
import {
  ELEMENT_SCRIPT,
  ELEMENT_SOURCE,
  headersFile,
  headersOf,
  ISOLATION_HEADERS,
  PAGES,
  policyOf,
} from "./scripts/headers.mjs";
import { PREVIEW_PICTURE, previewTags } from "./scripts/link-preview.mjs";
import { writeServiceWorker } from "./scripts/service-worker.mjs";
import { labsOfFiles } from "./scripts/site-parts.mjs";

const LABS = labNames(fileURLToPath(new URL(".", import.meta.url)));

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

// Foreign pages load this script, so it has a name without a hash, needs no other file, and is no module: browsers load
// modules from elsewhere only if the host sends a header for it.
const elementScript: Plugin = {
  name: "element-script",
  async buildStart() {
    if (this.environment.mode !== "build") return;
    this.emitFile({ type: "asset", fileName: ELEMENT_SCRIPT, source: await buildElement() });
  },
  configureServer({ middlewares }) {
    middlewares.use(`/${ELEMENT_SCRIPT}`, (_, response, next) => {
      buildElement().then((code) => response.setHeader("content-type", "text/javascript").end(code), next);
    });
  },
};

/** The code of the element. */
async function buildElement(): Promise<string> {
  const entry = fileURLToPath(new URL(ELEMENT_SOURCE, import.meta.url));
  const lib = { entry, formats: ["iife" as const], name: "learneryElement" };
  const built = await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: { lib, target: "es2022", write: false },
  });
  const [output] = Array.isArray(built) ? built : [built];
  const chunk = output && "output" in output ? output.output[0] : undefined;
  if (!chunk) throw new Error(`${ELEMENT_SCRIPT} could not be built`);
  return chunk.code;
}

// What chats and social networks show beside a link to the site. Many of them load the picture only from an absolute
// address, which only the build can know: `SITE_URL`, such as `https://example.org/learnery/`.
const linkPreview: Plugin = {
  name: "link-preview",
  apply: "build",
  buildStart() {
    const source = readFileSync(new URL(`www/${PREVIEW_PICTURE}`, import.meta.url));
    this.emitFile({ type: "asset", fileName: PREVIEW_PICTURE, source });
  },
  transformIndexHtml: (_, { filename }) =>
    basename(filename) === "index.html" ? previewTags(process.env["SITE_URL"] ?? "") : [],
};

// For hosts that read the file; and the same headers from `npm run preview`.
const headers: Plugin = {
  name: "headers",
  buildStart() {
    if (this.environment.mode === "build")
      this.emitFile({ type: "asset", fileName: "_headers", source: headersFile() });
  },
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, response, next) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      for (const [name, value] of Object.entries(headersOf(pathname.slice(1)))) response.setHeader(name, value);
      next();
    });
  },
};

// The development server has no service worker: it would keep files that are being edited.
const handler = ({ dir }: { dir?: string | undefined }, bundle: Rolldown.OutputBundle) => {
  if (dir) writeServiceWorker(dir, labsOfFiles(bundle, LABS));
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

/** The lab that a first visit opens. */
const [FIRST_LAB = ""] = LABS;

/** The variant and the lab of a module in `www/generated/wasm/`. */
const BUNDLE = /generated\/wasm\/([\w-]+)\/([\w-]+)\//;

/** The part of a module that is loaded later (crates/web/later). */
const LATER_PART = /\/learnery_web_later\.wasm/;

/** The bundle of the editor for worlds, which every browser uses in the same build. */
const WORLD_BUNDLE = "world";

/**
 * The name of a file in the site. The names of a bundle's files begin with its variant and its lab, so that the service
 * worker can tell which of them a browser needs. `origin` is the module or file that it is made from.
 */
function fileName(origin: string | null | undefined, ending: string): string {
  const [, variant, lab] = BUNDLE.exec(origin?.replaceAll("\\", "/") ?? "") ?? [];
  if (lab === WORLD_BUNDLE) return `assets/${WORLD_BUNDLE}-[hash]${ending}`;
  const part = LATER_PART.test(origin ?? "") ? "-later" : "";
  return variant ? `assets/${variant}-${lab}${part}-[hash]${ending}` : `assets/[name]-[hash]${ending}`;
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
  plugins: [contentSecurityPolicy, linkPreview, loadFailure, glossary, elementScript, headers, serviceWorker],
  worker: { format: "es", rolldownOptions: { output: names } },
  build: {
    target: "esnext",
    modulePreload: { polyfill: false },
    // No inlined files, so that the policy above can be strict.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: PAGES,
      output: {
        ...names,
        // What every visit needs comes in one file: dozens of small ones compress badly and take longer to load.
        codeSplitting: {
          groups: [
            // Modules that only some visits need (after "?!") are left out. `preload-helper` is Vite's own.
            {
              name: "page",
              test: /preload-helper|www\/(embed\/address|labs\/(manifests|\w+\/manifest)|generated\/labs\.ts)|www\/(core|ui(?!\/library))\/(?!beside|challenge|chart|checkpoint-file|command-line|common-suggestions|compare\/|copy|csv|deeds|device-trial|dialog|duel\/|effects|explanation|fingerprint|help\.|learning-rate|level|moment|offline|overlay-lines|packed|past-|race|recipe-file|replay|run-names|run-story|setting\.|settings-panel|share|since-change|slider\.|small-picture|sparkline|stage-demo|story\/|take-out|timeline(?!-place)|tools-worker|tour)/,
            },
            // The front, comparisons and the recording of a lab that loads use them together.
            { name: "small-picture", test: /www\/ui\/small-picture\// },
            // Named as what the service worker does not keep.
            { name: "embed-parameters", test: /www\/embed\/parameters/ },
            {
              name: FIRST_LAB,
              test: new RegExp(
                `www/labs/${FIRST_LAB}/(?!behaviour|challenges|demo|duel|embed|lesson|manifest|moment|own-world|picture|race|recording|tour)`,
              ),
            },
          ],
        },
      },
    },
  },
  // The development server does not find by itself what a worker imports, and would reload the page when it does.
  optimizeDeps: { include: ["@nats-io/nats-core"] },
  server: { headers: ISOLATION_HEADERS },
});
