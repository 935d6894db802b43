// Lets Node run the page's TypeScript: `node --import ./tests/page/typescript.mjs --test ...`. Types are removed by the
// transformer that Vite uses. As in Vite, imports need no file extension, and styles are ignored.

import { readFileSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transformWithOxc } from "vite";

// Node runs the hooks below in a thread of their own, which loads this file once more.
if (isMainThread) register(import.meta.url);

/** Node's hook that finds a module: adds the extension that imports of the page's files leave out. */
export async function resolve(specifier, context, next) {
  const local = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
  return next(local && !/\.(ts|css|mjs)$/.test(specifier) ? `${specifier}.ts` : specifier, context);
}

/** Node's hook that loads a module: removes the types of TypeScript, and replaces styles by nothing. */
export async function load(url, context, next) {
  if (url.endsWith(".css")) return { format: "module", source: "", shortCircuit: true };
  if (!url.endsWith(".ts")) return next(url, context);
  const file = fileURLToPath(url);
  const { code } = await transformWithOxc(readFileSync(file, "utf8"), file);
  return { format: "module", source: code, shortCircuit: true };
}
