// Collects the strings of each browser test and of all declarations that it names, directly or through others, except
// those of the harness. From these strings `npm test -- changed` derives which parts of the page a test uses.

import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import ts from "typescript";
import { parse, piecesOf, walk } from "./page-graph.mjs";

/**
 * The declarations and imports of a module, and `tests`: a pair of a call of `test` and the statement that it stands
 * in, for each test. A statement that is in the list without a call is set-up that all tests share.
 */
function readModule(file) {
  const text = readFileSync(file, "utf8");
  const source = parse(text, file);
  const module = { text, declared: new Map(), imported: new Map(), tests: [] };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const from = statement.moduleSpecifier.text;
      const bindings = statement.importClause?.namedBindings;
      if (from.startsWith("./") && bindings && ts.isNamedImports(bindings))
        for (const { name, propertyName } of bindings.elements)
          module.imported.set(name.text, { file: resolve(dirname(file), from), name: (propertyName ?? name).text });
    } else if (ts.isVariableStatement(statement)) {
      for (const each of statement.declarationList.declarations) {
        const names = ts.isIdentifier(each.name) ? [each.name] : each.name.elements.map(({ name }) => name);
        for (const name of names) if (name) module.declared.set(name.text, each);
      }
    } else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name) {
      module.declared.set(statement.name.text, statement);
    } else {
      // A test, a loop around tests, or what is done before each.
      const found = [];
      const visit = (node) => {
        const name = ts.isCallExpression(node) ? node.expression.getText() : "";
        if (name === "test") found.push(node);
        // True where to look further: a group has tests in it, other functions of `test` have none.
        return name === "test.describe" || !/^test(\.\w+)?$/.test(name);
      };
      if (ts.isExpressionStatement(statement)) visit(statement.expression);
      if (found.length === 0) walk(statement, visit);
      module.tests.push(...found.map((call) => ({ call, statement })));
      if (found.length === 0) module.tests.push({ statement });
    }
  }
  return module;
}

/** The title of a test as a regular expression: what is filled in matches anything. */
function titlePattern(node) {
  const literally = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  if (ts.isStringLiteralLike(node)) return literally(node.text);
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
      .map(({ text }) => literally(text))
      .join(".*");
  return ".*";
}

/**
 * The browser tests of a folder, each as `{ file, title, pieces, patterns, helpers, uses }`: the name of its file; its
 * title as a regular expression; the pieces of its strings (`piecesOf`); those of them that are of regular expressions;
 * the names of the files whose declarations it uses; and the files of the page that a line `// Uses: …` of its file
 * names.
 */
export function browserTests(folder) {
  const modules = new Map();
  const moduleOf = (file) => modules.get(file) ?? modules.set(file, readModule(file)).get(file);

  /** Adds the strings of a node to `said`, and those of the declarations that it names. Leaves the node `skip` out. */
  function collect(file, node, said, skip) {
    const module = moduleOf(file);
    const visit = (child) => {
      if (child === skip) return false;
      // The first argument of `until` is only quoted in its error.
      if (ts.isCallExpression(child) && child.expression.getText() === "until") {
        child.arguments.slice(1).forEach((each) => (visit(each) ? walk(each, visit) : undefined));
        return false;
      }
      for (const piece of piecesOf(child)) {
        said.pieces.add(piece);
        if (ts.isRegularExpressionLiteral(child)) said.patterns.add(piece);
      }
      if (ts.isIdentifier(child)) {
        const { text } = child;
        const imported = module.imported.get(text);
        if (imported && !imported.file.endsWith("/harness.mjs")) follow(imported.file, imported.name, said);
        else if (module.declared.has(text)) follow(file, text, said);
      }
      return true;
    };
    if (visit(node)) walk(node, visit);
  }
  function follow(file, name, said) {
    const key = `${file}\0${name}`;
    if (said.names.has(key)) return;
    said.names.add(key);
    const node = moduleOf(file).declared.get(name);
    if (node) collect(file, node, said);
  }

  const names = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
  return names.flatMap((name) => {
    const file = join(folder, name);
    const { tests, text } = moduleOf(file);
    const uses = Array.from(text.matchAll(/^\/\/ Uses: (.*?)\.?$/gm), ([, list]) => list.split(", ")).flat();
    const around = tests.filter(({ call }) => !call);
    return tests
      .filter(({ call }) => call)
      .map(({ call, statement }) => {
        const said = { pieces: new Set(), patterns: new Set(), names: new Set() };
        const [title] = call.arguments;
        for (const each of around) collect(file, each.statement, said);
        if (statement.expression === call) collect(file, call, said, title);
        else collect(file, statement, said, title);
        const helpers = new Set([...said.names].map((key) => basename(key.split("\0")[0])));
        const { pieces, patterns } = said;
        return { file: name, title: titlePattern(title), pieces: [...pieces], patterns, helpers, uses };
      });
  });
}
