// Rules of ESLint for the page's imports, those of types included. `layers` says which folder of www/ may import from
// which: core <- ui <- labs <- app. `no-cycle` allows no file to import one that leads back to it.

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { root } from "./commands.mjs";

const BASE = ["core", "generated"];
/**
 * The modules of the page, and those from which each may import beside itself. A module names only modules above it, so
 * no cycle crosses modules. `lab` is one lab, a folder in labs/; `labs` are the files beside these folders. The files
 * in www/ itself, and `front`, `embed`, `lessons`, `fleet` and `class`, are the apps.
 */
const MODULES = {
  generated: [],
  style: [],
  core: ["generated"],
  ui: [...BASE, "style"],
  lab: [...BASE, "ui"],
  labs: [...BASE, "ui", "lab"],
  fleet: [...BASE, "ui", "style"],
  class: [...BASE, "ui", "labs", "style"],
  embed: [...BASE, "ui", "labs", "style"],
  front: [...BASE, "ui", "labs", "style"],
  lessons: [...BASE, "ui", "labs", "style", "embed", "class"],
  app: [...BASE, "ui", "labs", "style", "front", "embed", "lessons", "fleet", "class"],
};

const names = Object.keys(MODULES);
for (const [i, name] of names.entries()) {
  const later = MODULES[name].find((other) => !names.slice(0, i).includes(other));
  if (later) throw new Error(`the module ${name} may not use ${later}, which does not stand above it`);
}

/** The module of a path, and for a file of a lab the lab's name; null for a path outside of www/. */
function moduleOf(path) {
  const [top, folder, ...rest] = relative(root, path).split(sep);
  if (top !== "www") return null;
  if (rest.length === 0) return { name: "app" };
  if (folder === "labs") return rest.length > 1 ? { name: "lab", lab: rest[0] } : { name: "labs" };
  return { name: folder };
}

/** ESLint's listeners that call `visit` with the node and the text of everything that a file imports. */
function visitImports(visit) {
  const ofSource = ({ source }) => source?.type === "Literal" && visit(source, source.value);
  const texts = (argument) => (argument?.type === "ArrayExpression" ? argument.elements : [argument]);
  // A pattern of files that begins with `!` leaves files out.
  const ofArgument = (argument) => {
    for (const each of texts(argument)) if (each?.type === "Literal") visit(each, String(each.value).replace(/^!/, ""));
  };
  return {
    ImportDeclaration: ofSource,
    ExportNamedDeclaration: ofSource,
    ExportAllDeclaration: ofSource,
    ImportExpression: ofSource,
    TSImportType: ofSource,
    // A worker's script, and files that are found by a pattern.
    "NewExpression[callee.name='URL'][arguments.1.object.type='MetaProperty']": ({ arguments: [file] }) =>
      ofArgument(file),
    "CallExpression[callee.property.name='glob']": ({ arguments: [pattern] }) => ofArgument(pattern),
  };
}

const layers = {
  meta: { type: "problem", schema: [], messages: { layer: "{{from}} may not import from {{to}}" } },
  create(context) {
    const from = moduleOf(context.filename);
    const say = ({ name, lab }) => (lab ? `the lab ${lab}` : name);
    return visitImports((node, text) => {
      if (!from || !text.startsWith(".")) return;
      const to = moduleOf(resolve(dirname(context.filename), text));
      if (!to) return;
      const own = from.name === to.name && from.lab === to.lab;
      if (own || MODULES[from.name]?.includes(to.name)) return;
      context.report({ node, messageId: "layer", data: { from: say(from), to: say(to) } });
    });
  },
};

/** What each file imports, by path, with the time of the file's last change. */
const imported = new Map();

/** The files that a file imports. */
function importsOf(file) {
  const { mtimeMs } = statSync(file);
  const known = imported.get(file);
  if (known?.mtimeMs === mtimeMs) return known.files;
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"), true, true);
  const files = importedFiles.flatMap(({ fileName }) => fileOf(file, fileName) ?? []);
  imported.set(file, { mtimeMs, files });
  return files;
}

/** The TypeScript file that `text` means in an import of `file`, if it is one of the page. */
function fileOf(file, text) {
  if (!text.startsWith(".")) return undefined;
  const path = resolve(dirname(file), text);
  return [path, `${path}.ts`].find((each) => each.endsWith(".ts") && existsSync(each));
}

/** The files on a way from one file to another by imports, both included; null if there is none. */
function wayBetween(from, to, seen = new Set()) {
  if (from === to) return [to];
  seen.add(from);
  for (const next of importsOf(from)) {
    const way = seen.has(next) ? null : wayBetween(next, to, seen);
    if (way) return [from, ...way];
  }
  return null;
}

const noCycle = {
  meta: { type: "problem", schema: [], messages: { cycle: "this import leads back here: {{way}}" } },
  create(context) {
    const { filename } = context;
    return visitImports((node, text) => {
      const file = fileOf(filename, text);
      const way = file && wayBetween(file, filename);
      if (!way) return;
      const www = join(root, "www");
      const names = way.map((each) => relative(www, each)).join(" -> ");
      context.report({ node, messageId: "cycle", data: { way: names } });
    });
  },
};

export default { rules: { layers, "no-cycle": noCycle } };
