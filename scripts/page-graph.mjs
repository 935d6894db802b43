// What the page's files import, statically and dynamically, and helpers that parse scripts and walk their syntax trees.
// `npm test -- changed` selects browser tests by it.

import { readFileSync, readdirSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import ts from "typescript";
import { PAGES } from "./headers.mjs";

/** The folder with the page's sources. */
const FOLDER = "www";
/** Files that are built, and those that no visitor loads. */
const NOT_SOURCE_PATTERN = /^www\/generated\/wasm\/|\.md$/;
const PICTURE_PATTERN = /\.(png|svg|jpg)$/;

/** The texts of the page's sources by path: the pages, and what is in `www/`. Pictures have none. */
export function readPage(root) {
  const inFolder = readdirSync(join(root, FOLDER), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
  const files = [...PAGES, ...inFolder].filter((file) => !NOT_SOURCE_PATTERN.test(file)).sort();
  return new Map(files.map((file) => [file, PICTURE_PATTERN.test(file) ? "" : readFileSync(join(root, file), "utf8")]));
}

/** The syntax tree of a script. */
export const parse = (text, file = "file.ts") => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Calls `visit` for each descendant of a node; those below a node only if it returns true for that node. */
export function walk(node, visit) {
  ts.forEachChild(node, (child) => {
    if (visit(child)) walk(child, visit);
  });
}

/**
 * The fixed pieces of a string, by which changed.mjs finds the files that a test looks at: of a template those between
 * its `${…}`, of a regular expression those between what matches more than one text. Pieces of alternatives and of
 * optional groups count too. A node that is no string has none.
 */
export function piecesOf(node) {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text);
  if (!ts.isRegularExpressionLiteral(node)) return [];
  return (
    node.text
      .slice(1, node.text.lastIndexOf("/"))
      .replace(/\\[dDwWsSbBnrt]|\\u\{\w+\}/g, "\0")
      // A character that may be missing, with the sign or the count that says so.
      .replace(/(?:\\.|[^\\()\]\0])(?=[*?{])/g, "\0")
      .replace(/(?<!\\)\{\d*,?\d*\}/g, "\0")
      .replace(/(?<!\\)(\[[^\]]*\]|\(\?[:=!]|\(\?<[=!]|[()|^$*+?.{}])/g, "\0")
      .replaceAll("\\", "")
      .split("\0")
      .filter(Boolean)
  );
}

/** Whether nothing of an import or an export is left when the types are removed. */
function isOfTypes(node) {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}

/** What a script imports: `{ text, isDynamic }`, with `isPattern` for a pattern of files. */
function importsOfScript(tree) {
  const found = [];
  const texts = (node) => (node && ts.isArrayLiteralExpression(node) ? node.elements : node ? [node] : []);
  const literals = (node) =>
    texts(node)
      .filter(ts.isStringLiteralLike)
      .map((each) => each.text);
  walk(tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      if (!isOfTypes(node)) found.push({ text: node.moduleSpecifier.text, isDynamic: false });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      for (const each of literals(node.arguments[0])) found.push({ text: each, isDynamic: true });
    } else if (ts.isCallExpression(node) && node.expression.getText() === "import.meta.glob") {
      const isDynamic = !/\beager: true/.test(node.arguments[1]?.getText() ?? "");
      for (const each of literals(node.arguments[0]))
        if (!each.startsWith("!")) found.push({ text: each, isDynamic, isPattern: true });
    } else if (
      ts.isNewExpression(node) &&
      node.expression.getText() === "URL" &&
      node.arguments?.[1]?.getText() === "import.meta.url"
    ) {
      // A worker's script: whoever loads this file can start the worker.
      for (const each of literals(node.arguments[0])) found.push({ text: each, isDynamic: false });
    }
    return true;
  });
  return found;
}

/** What a file imports; `tree` is given for scripts. */
function importsOf(text, file, tree) {
  if (tree) return importsOfScript(tree);
  const pattern = file.endsWith(".css") ? /@import "([^"]+)"/g : /(?:src|href)="(\/www\/[^"]+)"/g;
  if (!/\.(css|html)$/.test(file)) return [];
  return [...text.matchAll(pattern)].map(([, each]) => ({ text: each, isDynamic: false }));
}

/** A pattern of `import.meta.glob` as a regular expression. */
const globPattern = (glob) =>
  new RegExp(
    `^${glob
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("**", "\0")
      .replaceAll("*", "[^/]*")
      .replaceAll("\0", ".*")}$`,
  );

/**
 * The page's files by path, each with its text, the syntax tree of a script, the files that it imports statically and
 * dynamically, and the paths in `www/` that it imports and that are no files (`missing`).
 */
export function pageGraph(texts) {
  const graph = new Map();
  for (const [file, text] of texts) {
    const tree = /\.[mc]?[jt]s$/.test(file) ? parse(text, file) : undefined;
    const node = { text, tree, staticImports: new Set(), dynamicImports: new Set(), missing: [] };
    for (const { text: name, isDynamic, isPattern } of importsOf(text, file, tree)) {
      if (!/^[./]/.test(name)) continue;
      const bare = name.replace(/\?.*$/, "");
      const path = bare.startsWith("/") ? bare.slice(1) : posix.join(posix.dirname(file), bare);
      const pattern = isPattern && globPattern(path);
      const targets = pattern
        ? [...texts.keys()].filter((each) => pattern.test(each))
        : [path, `${path}.ts`].filter((each) => texts.has(each));
      for (const target of targets)
        if (target !== file) node[isDynamic ? "dynamicImports" : "staticImports"].add(target);
      if (targets.length === 0 && path.startsWith(`${FOLDER}/`) && !NOT_SOURCE_PATTERN.test(path))
        node.missing.push(path);
    }
    graph.set(file, node);
  }
  return graph;
}

/** These files, and all that they import statically, directly or not. */
export function loadedWith(graph, files) {
  const found = new Set(files);
  for (const file of found) for (const next of graph.get(file)?.staticImports ?? []) found.add(next);
  return found;
}
