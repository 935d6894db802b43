// The policy of each page (CSP), and the headers with which a host should send the site. All of them come from here:
// the meta tags of the pages, the headers of the development server and of `npm run preview`, the file `_headers` of
// Netlify and Cloudflare Pages, and the lines for nginx in docs/hosting.md.

import { PREVIEW_PICTURE } from "./link-preview.mjs";

/** The pages of the site. */
export const PAGES = ["index.html", "embed.html", "embed-maker.html", "fleet.html"];
/** The script with the element `<learnery-lab>`. Foreign pages load it, so its name never changes. */
export const ELEMENT_SCRIPT = "learnery-lab.js";
/** What that script is built from. */
export const ELEMENT_SOURCE = "www/embed/element.ts";
/** Files that foreign pages load: the script, and the picture that chats show beside a link. */
const LOADED_ELSEWHERE = [ELEMENT_SCRIPT, PREVIEW_PICTURE];
/** The pages that foreign pages may show in a frame: `index.html?embed` leads to `embed.html`. */
const FRAMEABLE = ["index.html", "embed.html"];

/** What a page may do beyond the policy of all pages. */
const EXCEPTIONS = {
  // Joins fleets on servers elsewhere.
  "fleet.html": { "connect-src": "'self' wss: ws://localhost:* ws://127.0.0.1:*" },
  // Shows the embed that it describes.
  "embed-maker.html": { "frame-src": "'self'" },
};

/** The policy in a page's meta tag. It allows only files of the site itself, and no inline scripts. */
export function policyOf(page) {
  const directives = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "worker-src": "'self'",
    "connect-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    ...EXCEPTIONS[page],
  };
  return Object.entries(directives)
    .map((directive) => directive.join(" "))
    .join("; ");
}

/** The policy in a page's header. A meta tag cannot say who may show the page in a frame. */
function headerPolicyOf(page) {
  return FRAMEABLE.includes(page) ? policyOf(page) : `${policyOf(page)}; frame-ancestors 'none'`;
}

/** With these headers a page may share memory between threads. */
export const ISOLATION_HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The headers of all files. */
const COMMON_HEADERS = { ...ISOLATION_HEADERS, "X-Content-Type-Options": "nosniff" };
const CSP = "Content-Security-Policy";
const CORP = "Cross-Origin-Resource-Policy";
/** For files in `assets/`: they have a hash in their names, so a name never gets another content. */
const CACHE_FOREVER = { "Cache-Control": "public, max-age=31536000, immutable" };

/** The headers of a file, by its path in the site; the empty path is `index.html`. */
export function headersOf(path) {
  const file = path === "" ? "index.html" : path;
  return {
    ...COMMON_HEADERS,
    ...(PAGES.includes(file) && { [CSP]: headerPolicyOf(file) }),
    // An isolated page shows a foreign frame, or loads a foreign script, only if that agrees.
    [CORP]: [...FRAMEABLE, ...LOADED_ELSEWHERE].includes(file) ? "cross-origin" : "same-origin",
    ...(file.startsWith("assets/") && CACHE_FOREVER),
  };
}

/** The file `_headers`, which Netlify and Cloudflare Pages read. No two rules give a file the same header. */
export function headersFile() {
  const rule = (path, headers) => [
    `/${path}`,
    ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ];
  const own = (path) => rule(path, difference(headersOf(path), COMMON_HEADERS));
  const rules = ["", ...PAGES, ...LOADED_ELSEWHERE].flatMap(own);
  return [
    ...rule("*", COMMON_HEADERS),
    ...rules,
    ...rule("assets/*", difference(headersOf("assets/x"), COMMON_HEADERS)),
    "",
  ].join("\n");
}

/** The headers that are not among others. */
const difference = (headers, others) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !(name in others)));

/** The lines for nginx: maps, which belong into the block `http`, and headers for the block `server`. */
export function nginxLines() {
  const pattern = (path) => `~/${path.replaceAll(".", "\\.")}$`;
  const line = (path, value) => `    ${pattern(path)} "${value}";`;
  const map = (variable, lines) => [`map $uri ${variable} {`, ...lines, "}"];
  const ofAll = Object.entries(COMMON_HEADERS).map(([name, value]) => `add_header ${name} "${value}" always;`);
  return [
    "# In the block http:",
    ...map(
      "$learnery_policy",
      PAGES.map((page) => line(page, headersOf(page)[CSP])),
    ),
    ...map("$learnery_sharing", [
      `    default "${headersOf("assets/x")[CORP]}";`,
      ...[...FRAMEABLE, ...LOADED_ELSEWHERE].map((path) => line(path, headersOf(path)[CORP])),
    ]),
    ...map("$learnery_keep", [`    ~/assets/ "${CACHE_FOREVER["Cache-Control"]}";`, '    default "no-cache";']),
    "",
    "# In the block server:",
    ...ofAll,
    `add_header ${CSP} $learnery_policy always;`,
    `add_header ${CORP} $learnery_sharing always;`,
    "add_header Cache-Control $learnery_keep always;",
    "",
  ].join("\n");
}
