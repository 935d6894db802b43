// What a further lab needs: every list of labs is either completed by `cargo xtask new-lab` or named in
// docs/add-a-lab.md, and what that command makes for the page has the right types.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Linter } from "eslint";
import ts from "typescript";
import tseslint from "typescript-eslint";
import { root } from "../../scripts/commands.mjs";
import { labNames } from "../../scripts/dev-bundles.mjs";
import imports from "../../scripts/eslint-imports.mjs";

/**
 * The most files outside of a lab's folders that have to be edited by hand until the lab is a full citizen: one that
 * has everything that the page shows of a lab (tier 3 of docs/add-a-lab.md).
 */
const MOST_EDITS = 12;
/** A file has a list of labs if it names all of them within this many lines. */
const LIST_LINES = 40;
/** A file of the page or of the scripts that names this many labs as strings has a list, even if it lacks some labs. */
const FEW = 3;
/** The labs that are full citizens: a new one has no picture for the front yet. */
const labs = labNames(root).filter((lab) => existsSync(join(root, "www/labs", lab, "picture.ts")));
/** Files that are generated or data, the dated log, the folders of the labs, and the command that makes a lab. */
const NO_LISTS = [
  ...["Cargo.lock", "docs/log/", "fuzz/corpus/", "models/", "tests/golden/", "www/generated/", "xtask/"],
  ...labs.flatMap((lab) => [`crates/labs/${lab}/`, `www/labs/${lab}/`]),
];
const read = (file) => readFileSync(join(root, file), "utf8");

const namesLab = (text, lab) => new RegExp(`(\\b|_)${lab}(\\b|_)`).test(text);

const quotesLab = (text, lab) => new RegExp(`(["'\`])${lab}\\1`).test(text);

/**
 * True if a text names `count` labs, usually all, within `LIST_LINES` lines. `names` says whether a line names a lab.
 */
function hasList(text, count = labs.length, names = namesLab) {
  const last = new Map(labs.map((lab) => [lab, -Infinity]));
  return text.split("\n").some((line, i) => {
    for (const lab of labs) if (names(line, lab)) last.set(lab, i);
    return [...last.values()].filter((at) => i - at < LIST_LINES).length >= count;
  });
}

/** True if a text of the page or of a script has a list of labs, although it may lack some. */
const hasPartOfList = (text) => hasList(text, FEW, quotesLab);

/** The files of the repository with a list of labs. */
function filesWithLists() {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const names = files.toString().split("\0").filter(Boolean);
  return names
    .filter((name) => !NO_LISTS.some((start) => name.startsWith(start)))
    .filter((name) => existsSync(join(root, name)))
    .filter((name) => hasList(read(name)) || (/^(scripts|www)\//.test(name) && hasPartOfList(read(name))));
}

/** The files that `cargo xtask new-lab` completes. */
function completedFiles() {
  const [, lists = ""] = /const LISTS[^=]*= \[\n([^]*?)\n\];/.exec(read("xtask/src/new_lab.rs")) ?? [];
  return [...lists.matchAll(/^ {4}\("([^"]+)", &/gm)].map(([, file]) => file);
}

/** The existing files that a part of the guide names, outside of the folders of labs. */
function namedFiles(text) {
  const named = [...text.matchAll(/`([\w./-]+\.\w+)`/g)].map(([, file]) => file);
  return [...new Set(named)].filter((file) => (file.includes("/") || file === "README.md") && !file.includes("NAME"));
}

const guide = read("docs/add-a-lab.md");
const [, elsewhere = ""] = /\nElsewhere, by hand:\n([^]*?)\n## /.exec(guide) ?? [];
const [, more = ""] = /\n## More, where the lab has it\n([^]*?)\n## /.exec(guide) ?? [];

test("list of labs is recognised", () => {
  assert.ok(hasList(labs.map((lab) => `    "learnery-${lab}/gpu",`).join("\n")));
  assert.ok(hasList(labs.map((lab) => `pub use learnery_${lab} as ${lab};`).join("\n")));
  assert.ok(hasList(`the labs are ${labs.join(", ")}`));
  assert.ok(!hasList(`the labs are ${labs.slice(1).join(", ")}`));
  assert.ok(!hasList(labs.join("\n".repeat(LIST_LINES))));
  const rows = labs.map((lab) => `  ["${lab}", "gpu", {}],`);
  assert.ok(hasPartOfList(rows.slice(0, FEW).join("\n")) && !hasPartOfList(rows.slice(0, FEW - 1).join("\n")));
  assert.ok(!hasPartOfList(labs.map((lab) => `// ${lab}`).join("\n")));
});

test("every list of labs is completed by the command that makes a lab, or named in the guide", () => {
  const [found, completed] = [filesWithLists(), completedFiles()];
  assert.ok(found.includes("Cargo.toml") && found.includes("README.md"), "the lists have been found");
  assert.ok(completed.length >= 5, "the lists of the command have been read");
  const known = [...completed, ...namedFiles(elsewhere), ...namedFiles(more)];
  assert.deepEqual(
    found.filter((file) => !known.includes(file)),
    [],
    "docs/add-a-lab.md does not name these",
  );
});

test("every full citizen is in every list that the guide names", () => {
  assert.ok(labs.length >= 5);
  // Only labs with a network that other programs read, and with choices whose names are no plain words, are in these.
  const partial = ["tests/browser/onnx.test.mjs", "www/core/labels.ts"];
  for (const file of namedFiles(elsewhere).filter((name) => !partial.includes(name))) {
    const text = read(file).toLowerCase();
    assert.deepEqual(
      labs.filter((lab) => !namesLab(text, lab)),
      [],
      `${file} lacks these`,
    );
  }
});

test("a full citizen needs few edits by hand", (context) => {
  const edits = namedFiles(elsewhere);
  context.diagnostic(`${edits.length} files: ${edits.join(", ")}`);
  assert.ok(edits.length > 0 && edits.length <= MOST_EDITS, `${edits.length} files have to be edited`);
  for (const file of [...edits, ...namedFiles(more)]) assert.ok(existsSync(join(root, file)), `there is no ${file}`);
});

/** The lab of the template, and its folder in the page. */
const TEMPLATE = "bandit";
const PAGE = `www/labs/${TEMPLATE}/`;
const template = new Map(
  readdirSync(join(root, "xtask/template/www")).map((name) => [
    join(root, PAGE, name),
    read(`xtask/template/www/${name}`),
  ]),
);
/** What `cargo xtask bindings` makes of the template's `View` and `Command`. */
const BINDINGS = {
  view: "export type BanditView = { estimates: Array<number>, odds: Array<number> };",
  command: "export type BanditCommand = never;",
  types: '  "bandit": { view: BanditView, command: BanditCommand },',
};

test("new lab's part of the page has the types of its lab", () => {
  const config = ts.getParsedCommandLineOfConfigFile(join(root, "tsconfig.json"), {}, ts.sys);
  const host = ts.createCompilerHost(config.options);
  const protocol = join(root, "www/generated/protocol.ts");
  const types = read("www/generated/protocol.ts").replace(/(?<=\nexport type LabTypes = \{\n)/, `${BINDINGS.types}\n`);
  // A manifest whose view is another module: the check must find this mistake.
  const mistake = join(root, PAGE, "mistake.ts");
  const wrong = template.get(join(root, PAGE, "manifest.ts")).replace("./view", "./story");
  const files = new Map([
    ...template,
    [mistake, wrong],
    [protocol, `${types}\n${BINDINGS.view}\n${BINDINGS.command}\n`],
  ]);
  assert.ok(types.includes(BINDINGS.types));
  const source = host.getSourceFile.bind(host);
  host.fileExists = (file) => files.has(file) || ts.sys.fileExists(file);
  host.readFile = (file) => files.get(file) ?? ts.sys.readFile(file);
  host.directoryExists = (folder) => `${folder}/` === join(root, PAGE) || ts.sys.directoryExists(folder);
  host.getSourceFile = (file, options, ...rest) =>
    files.has(file) ? ts.createSourceFile(file, files.get(file), options) : source(file, options, ...rest);
  const rootNames = [...template.keys(), mistake, join(root, "www/glossary.d.ts"), join(root, "www/wasm.d.ts")];
  const scripts = rootNames.filter((name) => name.endsWith(".ts"));
  const program = ts.createProgram(scripts, config.options, host);
  const problems = [...template.keys()].flatMap((file) => {
    const parsed = program.getSourceFile(file);
    return parsed ? [...program.getSyntacticDiagnostics(parsed), ...program.getSemanticDiagnostics(parsed)] : [];
  });
  assert.deepEqual(
    problems.map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`),
    [],
  );
  const seen = program.getSemanticDiagnostics(program.getSourceFile(mistake));
  assert.match(ts.flattenDiagnosticMessageText(seen[0]?.messageText ?? "", " "), /is not assignable/);
});

test("new lab's part of the page keeps the layers", () => {
  const config = {
    files: ["**/*.ts"],
    plugins: { imports },
    rules: { "imports/layers": "error" },
    languageOptions: { parser: tseslint.parser },
  };
  for (const [filename, text] of template) {
    if (filename.endsWith(".ts")) assert.deepEqual(new Linter().verify(text, config, { filename }), [], filename);
  }
});
