// Lets Node run the page's TypeScript: `node --import ./tests/page/typescript.mjs --test ...`. Types are removed by the
// transformer that Vite uses, once for all test files, each of which runs in a process of its own. As in Vite, imports
// need no file extension, and `import.meta.glob` imports the files that match; styles are ignored, JSON, texts (`?raw`),
// addresses of files (`?url`) and the glossary's words (`?words`) are modules, and as in a built site
// `import.meta.env.DEV` is false.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { parseGlossary, wordsOf } from "../../scripts/glossary.mjs";

// Node runs the hooks below in a thread of their own, which loads this file once more.
if (isMainThread) register(import.meta.url);

/** Node's hook that finds a module: adds the extension that imports of the page's files leave out. */
export async function resolve(specifier, context, next) {
  const local = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
  return next(
    local && !/\.(ts|css|json|mjs)$|\?(raw|url|words)$/.test(specifier) ? `${specifier}.ts` : specifier,
    context,
  );
}

/** Node's hook that loads a module: removes the types of TypeScript, and replaces styles by nothing. */
export async function load(url, context, next) {
  if (url.endsWith(".css")) return { format: "module", source: "", shortCircuit: true };
  if (url.endsWith(".json"))
    return {
      format: "module",
      source: `export default ${readFileSync(fileURLToPath(url), "utf8")}`,
      shortCircuit: true,
    };
  if (url.endsWith("?raw")) {
    const text = readFileSync(fileURLToPath(url), "utf8");
    return { format: "module", source: `export default ${JSON.stringify(text)}`, shortCircuit: true };
  }
  if (url.endsWith("?url"))
    return { format: "module", source: `export default ${JSON.stringify(url.slice(0, -4))}`, shortCircuit: true };
  if (url.endsWith("?words")) {
    const words = wordsOf(parseGlossary(readFileSync(fileURLToPath(url), "utf8")));
    return { format: "module", source: `export default ${JSON.stringify(words)}`, shortCircuit: true };
  }
  if (!url.endsWith(".ts")) return next(url, context);
  const file = fileURLToPath(url);
  const code = await withoutTypes(file);
  // The page uses nothing else of `import.meta.env`.
  const built = code.replaceAll("import.meta.env.DEV", "false");
  return { format: "module", source: withGlobs(built, new URL(".", url)), shortCircuit: true };
}

const CACHE = new URL("../../target/page-units/", import.meta.url);

/** What the transformation depends on beside the file: Vite, and its settings. */
const transformer = ["node_modules/vite/package.json", "tsconfig.json"].map((name) =>
  readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"),
);

/**
 * A file of TypeScript without its types. The result is kept in a file, because loading Vite takes a process longer
 * than most tests.
 */
async function withoutTypes(file) {
  const source = readFileSync(file, "utf8");
  const hash = createHash("sha256").update(JSON.stringify([...transformer, file, source]));
  const kept = fileURLToPath(new URL(`${hash.digest("hex")}.js`, CACHE));
  if (existsSync(kept)) return readFileSync(kept, "utf8");
  const { transformWithOxc } = await import("vite");
  const { code } = await transformWithOxc(source, file);
  mkdirSync(dirname(kept), { recursive: true });
  // Other processes never see a part of a file.
  const unfinished = `${kept}.${process.pid}`;
  writeFileSync(unfinished, code);
  renameSync(unfinished, kept);
  return code;
}

/** The form of `import.meta.glob` that is supported: files of one name in the folders beside, loaded at once. */
const GLOB = /import\.meta\.glob\("\.\/\*\/([\w.-]+)",\s*\{\s*eager: true(?:,\s*import: "(\w+)")?\s*\}\)/g;

/**
 * Replaces each `import.meta.glob` by an object from the path of each file in the folders of `base` to what the file
 * exports, or to the one export that is imported.
 */
function withGlobs(code, base) {
  const imports = [];
  const replaced = code.replace(GLOB, (_, file, name) => {
    const folders = readdirSync(base).filter((folder) => existsSync(new URL(`${folder}/${file}`, base)));
    const entries = folders.map((folder) => {
      const variable = `glob_${imports.length}`;
      imports.push(`import * as ${variable} from "./${folder}/${file}";`);
      return `"./${folder}/${file}": ${variable}${name ? `.${name}` : ""}`;
    });
    return `{ ${entries.join(", ")} }`;
  });
  if (replaced.includes("import.meta.glob"))
    throw new Error(`${base} uses a form of import.meta.glob that is not supported here`);
  return [...imports, replaced].join("\n");
}
