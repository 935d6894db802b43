// The workflows of GitHub (.github/workflows), which no other check runs: they are read as GitHub reads them, and what
// they name exists. So a renamed script, crate, feature or file is noticed before a release is built.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import test from "node:test";
import { parsers } from "prettier/plugins/yaml";
import { root } from "../../scripts/commands.mjs";
import { workspace } from "../../scripts/crates.mjs";

const FOLDER = join(root, ".github/workflows");
/** Folders and files that a workflow makes itself, at the beginning of a path. */
const MADE = /^(target|dist|wheels|files|archives|SHA256SUMS)(\/|$)/;
/** A release by its number, as actions are published, or a commit. */
const VERSION = /^(v\d+(\.\d+){0,2}|[0-9a-f]{40})$/;
/** An expression, such as `${{ matrix.target }}`. */
const EXPRESSION = /\$\{\{\s*(.*?)\s*\}\}/g;

/** The value of a part of a YAML document, of the kinds that workflows have. Scalars are texts. */
function valueOf(node) {
  const children = (node?.children ?? []).filter(Boolean);
  switch (node?.type) {
    case undefined:
    case "null":
      return null;
    case "plain":
    case "quoteDouble":
    case "quoteSingle":
    case "blockLiteral":
    case "blockFolded":
      return node.value;
    case "mapping":
    case "flowMapping": {
      const entries = children.map(({ children: [key, value] }) => [valueOf(key), valueOf(value)]);
      const names = entries.map(([name]) => name);
      assert.deepEqual(names, [...new Set(names)], "a key stands twice");
      return Object.fromEntries(entries);
    }
    case "sequence":
    case "flowSequence":
      return children.map(valueOf);
    case "root":
    case "document":
    case "documentBody":
    case "mappingKey":
    case "mappingValue":
    case "sequenceItem":
    case "flowSequenceItem":
      // A document has a head too, which is empty.
      return valueOf(children.filter(({ type }) => type !== "documentHead").at(-1));
    default:
      throw new Error(`${node.type} is not read here`);
  }
}

/** Reads a workflow, with the jobs and steps as lists. */
async function read(text) {
  const workflow = valueOf(await parsers.yaml.parse(text, {}));
  const jobs = Object.entries(workflow.jobs).map(([id, job]) => ({ id, ...job }));
  return { ...workflow, jobs, steps: jobs.flatMap((job) => job.steps.map((step) => ({ job, ...step }))) };
}

/** All texts in a value. */
const textsIn = (value) =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];

/** The lines of a script, each as its words, without quotes; lines that end with a backslash are joined. */
const linesOf = (script) =>
  script
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) =>
      line
        .trim()
        .split(/\s+/)
        .map((word) => word.replaceAll(/^["']|["']$/g, "")),
    )
    .filter(([first]) => first);

/** The values of an option such as `--package` in the words of a command. */
const optionOf = (words, name) =>
  words.flatMap((word, i) =>
    word === name ? [words[i + 1] ?? ""] : word.startsWith(`${name}=`) ? [word.slice(name.length + 1)] : [],
  );

/**
 * What is wrong with a workflow, in sentences. `scripts` are the names of npm's scripts, `crates` those of the
 * workspace, each with its features.
 */
async function problemsOf(text, { scripts, crates, isFile }) {
  const workflow = await read(text);
  const problems = [];
  const expect = (holds, sentence) => holds || problems.push(sentence);
  const ids = workflow.jobs.map(({ id }) => id);
  expect(workflow.on, "it says no events");
  expect(workflow.permissions, "it says no permissions, so it has all");
  for (const job of workflow.jobs) {
    expect(Number(job["timeout-minutes"]) > 0, `${job.id}: no limit of time`);
    expect(job["runs-on"], `${job.id}: no machine`);
    for (const needed of [job.needs ?? []].flat()) expect(ids.includes(needed), `${job.id}: needs ${needed}`);
    const matrix = job.strategy?.matrix?.include ?? [];
    const environment = { ...workflow.env, ...job.env };
    for (const [, expression] of textsIn(job).flatMap((each) => [...each.matchAll(EXPRESSION)])) {
      const [context, name, ...rest] = expression.split(".");
      const isKnown = {
        matrix: () => matrix.length > 0 && matrix.every((row) => name in row),
        env: () => name in environment,
        steps: () => job.steps.some(({ id }) => id === name) && rest[0] === "outputs",
        github: () => ["token", "repository", "ref", "ref_name", "ref_type"].includes(name),
      }[context];
      expect(isKnown?.(), `${job.id}: \${{ ${expression} }} is not known`);
    }
    for (const { target } of matrix) expect(targets().includes(target), `${job.id}: the target ${target}`);
  }
  for (const { job, uses, run, with: inputs = {}, ...step } of workflow.steps) {
    const name = `${job.id}, ${step.name ?? uses ?? run}`;
    expect((uses === undefined) !== (run === undefined), `${name}: neither an action nor a script`);
    if (uses !== undefined) {
      const [action, version = ""] = uses.split("@");
      expect(/^[\w-]+\/[\w.-]+(\/[\w./-]+)?$/.test(action) && VERSION.test(version), `${name}: not pinned`);
    }
    for (const words of linesOf(String(inputs.args ?? ""))) {
      for (const path of optionOf(words, "--manifest-path")) expect(isFile(path), `${name}: there is no ${path}`);
    }
    if (run === undefined) continue;
    const script = run.replaceAll(EXPRESSION, "x");
    if (hasBash()) {
      const { status, stderr } = spawnSync("bash", ["-n"], { input: script, encoding: "utf8" });
      expect(status === 0, `${name}: ${stderr.trim()}`);
    }
    for (const [program, ...words] of linesOf(script)) {
      if (program === "npm") {
        const script = words[0] === "run" ? words[1] : words[0];
        expect(scripts.includes(script), `${name}: npm has no script ${script}`);
      } else if (program === "cargo") {
        const packages = [...optionOf(words, "--package"), ...optionOf(words, "-p")];
        for (const each of packages) expect(crates.has(each), `${name}: there is no crate ${each}`);
        for (const feature of optionOf(words, "--features").flatMap((each) => each.split(",")))
          expect(
            packages.some((each) => crates.get(each)?.includes(feature) ?? true),
            `${name}: no crate has the feature ${feature}`,
          );
        for (const path of optionOf(words, "--manifest-path")) expect(isFile(path), `${name}: there is no ${path}`);
      } else if (["cp", "sed", "node", "python"].includes(program)) {
        // In the folder of the repository. The last word of `cp` is where to.
        const paths = (program === "cp" ? words.slice(0, -1) : words).filter(
          (word) => /^[\w./-]+$/.test(word) && !word.startsWith("-") && (program === "cp" || /\.\w+$/.test(word)),
        );
        for (const path of paths.map((each) => each.replace(/^\.\//, "")))
          expect(MADE.test(path) || isFile(path), `${name}: there is no ${path}`);
      }
    }
  }
  return problems;
}

/** The targets that the compiler knows. */
let targetList;
const targets = () =>
  (targetList ??= spawnSync("rustc", ["--print", "target-list"], { encoding: "utf8" }).stdout.split("\n"));

/** Whether scripts can be checked by their shell, which Windows may lack. */
const hasBash = () => process.platform !== "win32";

const repository = () => ({
  scripts: ["test", ...Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts)],
  crates: new Map(workspace().map(({ name, features }) => [name, features])),
  isFile: (path) => existsSync(join(root, path)),
});

const files = readdirSync(FOLDER).filter((name) => /\.ya?ml$/.test(name));
const textOf = (name) => readFileSync(join(FOLDER, name), "utf8");

test("what the workflows name exists, and their actions are pinned", async () => {
  assert.ok(files.length > 0);
  const known = repository();
  for (const name of files) assert.deepEqual(await problemsOf(textOf(name), known), [], name);
});

test("an action has the same version in all workflows", async () => {
  const versions = new Map();
  for (const name of files)
    for (const { uses = "" } of (await read(textOf(name))).steps) {
      const [action, version] = uses.split("@");
      assert.equal(versions.get(action) ?? version, version, `${name}: ${action}`);
      versions.set(action, version);
    }
  assert.ok(versions.size > 3);
});

test("versions that the workflows install are those that the project is made for", async () => {
  const least = (text, pattern) => text.match(pattern)[1].split(".").map(Number);
  const node = least(readFileSync(join(root, "package.json"), "utf8"), /"node": ">=([\d.]+)"/);
  const python = least(readFileSync(join(root, "python/pyproject.toml"), "utf8"), /requires-python = ">=([\d.]+)"/);
  let found = 0;
  for (const name of files)
    for (const { with: inputs = {} } of (await read(textOf(name))).steps)
      for (const [key, [major, minor]] of [
        ["node-version", node],
        ["python-version", python],
      ]) {
        if (!(key in inputs)) continue;
        const [installed, part = 0] = inputs[key].split(".").map(Number);
        assert.ok(installed > major || (installed === major && part >= minor), `${name}: ${key} ${inputs[key]}`);
        found++;
      }
  assert.ok(found > 1);
});

test("mistakes in a workflow are found", async () => {
  const known = repository();
  const release = textOf("release.yml");
  const found = async (from, to) => {
    assert.ok(release.includes(from), from);
    return problemsOf(release.replace(from, to), known);
  };
  for (const [from, to, sentence] of [
    ["PyO3/maturin-action@v1", "PyO3/maturin-action@main", /not pinned/],
    ["PyO3/maturin-action@v1", "PyO3/maturin-action", /not pinned/],
    ["--package learnery-cli", "--package learnery-terminal", /no crate learnery-terminal/],
    ["--features fleet", "--features fleets", /no crate has the feature fleets/],
    ["--manifest-path python/Cargo.toml", "--manifest-path wheel/Cargo.toml", /no wheel\/Cargo.toml/],
    ["LICENSE-MIT models", "LICENCE-MIT models", /no LICENCE-MIT/],
    ["needs: [wheels, programs]", "needs: [wheels, program]", /needs program/],
    ["target: aarch64-apple-darwin }", "target: arm64-apple-darwin }", /the target arm64-apple-darwin/],
    ["${{ matrix.archive }}", "${{ matrix.archives }}", /matrix.archives .* is not known/],
    ["archives/${{ env.NAME }}", "archives/${{ env.FILE }}", /env.FILE .* is not known/],
    ["timeout-minutes: 5\n", "name: version\n", /no limit of time/],
    ["cd archives\n", "cd archives; fi\n", /syntax error/],
  ]) {
    if (sentence.source === "syntax error" && !hasBash()) continue;
    const problems = await found(from, to);
    assert.ok(problems.length > 0 && problems.every((each) => sentence.test(each)), `${to}: ${problems.join("; ")}`);
  }
  const npm = textOf("pages.yml").replace("npm run build", "npm run bild");
  assert.match((await problemsOf(npm, known)).join(), /npm has no script bild/);
  await assert.rejects(problemsOf(release.replace("permissions:", "permissions: ["), known), SyntaxError);
});
