// `node scripts/record-curves.mjs [LAB[:PRESET]...] [--seeds FROM-TO] [--program FILE] [--for TIME]`, after
// `cargo build --release`: records how runs reach their goals, with the seeds 1-10; of every lab with its default
// settings, or of those that are named. The page tells nothing of fewer than five runs. Writes what the tests replay
// (tests/golden/curves/LAB-PRESET.json), and what the page tells of it: the units (training iterations) in which the
// runs reached the goal (www/labs/LAB/goal-units.json). A run that has not reached its goal after TIME (30m) counts as
// one that did not. Otherwise it goes on for half as long as it took, because a test after the goal may fall short of
// it again.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { main, root } from "./commands.mjs";
import "../tests/page/typescript.mjs";

// Imported only now, because Node can read TypeScript only from here on.
const { marginName } = await import("../www/core/series.ts");
const { LABS } = await import("../www/generated/labs.ts");

/**
 * After its goal a run goes on for this fraction of the units that it took to it, and for at least `MIN_MORE_UNITS`.
 */
const MORE_FRACTION = 0.5;
const MIN_MORE_UNITS = 10;
/** Significant digits of recorded values. */
const DIGITS = 7;

/**
 * Calls `learnery` with `--json` and hands each event that it writes to `receive`. The exit code does not count,
 * because `--until-goal` fails at another limit; a run that was trained to a limit ends with the event `done`.
 */
function call(program, args, receive) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, "--json"], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    let isDone = false;
    createInterface(child.stdout).on("line", (line) => {
      const event = JSON.parse(line);
      isDone ||= event.event === "done";
      receive(event);
    });
    child.on("error", reject);
    child.on("close", () =>
      isDone ? resolve() : reject(new Error(`\`${program} ${args.join(" ")}\` failed (no end)`)),
    );
  });
}

/** Trains a run to its goal and beyond. Returns its goal, the unit that reached it or null, and the rows of metrics. */
async function train(program, { lab, preset, seed, limit, folder }) {
  const [rows, run] = [[], { goal: null, reached: null }];
  const receive = ({ event, ...fields }) => {
    if (event === "start") run.goal = fields.goal;
    if (event === "metrics") rows.push(fields);
    if (event === "done") run.reached = fields.solved_at;
  };
  const out = join(folder, `${lab}-${preset}-${seed}`);
  const start = ["train", lab, "--preset", preset, "--seed", String(seed), "--device", "cpu", "--out", out];
  await call(program, [...start, "--until-goal", "--for", limit], receive);
  if (!run.goal) throw new Error(`the preset \`${preset}\` of ${lab} has no goal`);
  if (run.reached !== null) {
    const more = Math.max(MIN_MORE_UNITS, Math.ceil(MORE_FRACTION * run.reached));
    await call(program, ["train", "--resume", out, "--device", "cpu", "--units", String(more)], receive);
  }
  return { ...run, rows };
}

/** The names of the metrics that a lab's story asks for. */
async function metricsOfStory(lab) {
  const { story } = await import(`../www/labs/${lab}/story.ts`);
  const names = new Set();
  const measured = (name) => (names.add(name), { units: [], values: [] });
  // Without any test, and with one: for some metrics a story asks only if others were measured.
  for (const value of [NaN, 1]) {
    const last = (name) => (names.add(name), value);
    story({ settings: {}, last, measured, solved: false, lost: false });
  }
  return [...names];
}

/**
 * The rows of tests: those in which the goal's metric was measured, and before the first of them also those in which
 * any of `metrics` was.
 */
function testsAmong(rows, goal, metrics) {
  const first = rows.findIndex((row) => goal in row);
  return rows.filter((row, i) => goal in row || ((i < first || first < 0) && metrics.some((name) => name in row)));
}

const rounded = (value) => (typeof value === "number" ? Number(value.toPrecision(DIGITS)) : null);

/** The seeds from the first to the last of `1-3`. */
function seedsOf(text) {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text)?.map(Number) ?? [];
  if (!(first <= last)) throw new Error(`--seeds takes the first and the last seed, such as 1-3, and not \`${text}\``);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

async function record(program, { lab, preset, seeds, limit, folder }) {
  const { about } = await LABS.find(({ id }) => id === lab).load();
  const runs = [];
  let goal;
  let metrics = [];
  for (const seed of seeds) {
    const run = await train(program, { lab, preset, seed, limit, folder });
    const { metric, target, exact, best } = run.goal;
    goal = { metric, target, exact, ...(best !== undefined && { best }) };
    const margin = marginName(about.metrics, goal.metric);
    metrics = [...new Set([goal.metric, ...(margin ? [margin] : []), ...(await metricsOfStory(lab))])];
    const tests = testsAmong(run.rows, goal.metric, metrics);
    const end = run.rows.at(-1)?.unit ?? 0;
    console.log(`${lab} ${preset}, seed ${seed}: ${run.reached ?? "not"} reached, ${end} units, ${tests.length} tests`);
    runs.push({
      seed,
      reached: run.reached,
      end,
      units: tests.map(({ unit }) => unit),
      work: tests.map(({ work }) => work),
      values: metrics.map((name) => tests.map((row) => rounded(row[name]))),
    });
  }
  const command = `learnery train ${lab} --preset ${preset} --seed N --device cpu --until-goal`;
  return { lab, preset, command, goal, metrics, runs };
}

/** Writes the curves with a line for each run, and adds when the runs reached their goal to what the page knows. */
async function write({ runs, ...head }) {
  const heads = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const lines = runs.map((run) => JSON.stringify(run));
  const text = `{\n${heads.join(",\n")},\n"runs": [\n${lines.join(",\n")}\n]\n}\n`;
  writeFileSync(join(root, `tests/golden/curves/${head.lab}-${head.preset}.json`), text);
  const file = join(root, `www/labs/${head.lab}/goal-units.json`);
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const known = { ...before, [head.preset]: runs.map(({ reached }) => reached) };
  writeFileSync(file, await format(JSON.stringify(known), { parser: "json", printWidth: 120 }));
}

main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      program: { type: "string", default: join(root, "target/release/learnery") },
      for: { type: "string", default: "30m" },
      seeds: { type: "string", default: "1-10" },
    },
  });
  const seeds = seedsOf(values.seeds);
  const named = positionals.map((name) => name.split(":"));
  const wanted = named.length > 0 ? named : LABS.map(({ id }) => [id]);
  const folder = mkdtempSync(join(tmpdir(), "learnery-curves-"));
  try {
    for (const [lab, preset] of wanted) {
      const listed = LABS.find(({ id }) => id === lab);
      if (!listed) throw new Error(`there is no lab \`${lab}\``);
      const { about } = await listed.load();
      const isWanted = ({ name, settings }) => (preset === undefined ? settings === "{}" : name === preset);
      const found = about.presets.find(isWanted);
      if (!found) throw new Error(`the lab ${lab} has no preset \`${preset ?? "with the default settings"}\``);
      const runs = { lab, preset: found.name, seeds, limit: values.for, folder };
      await write(await record(values.program, runs));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
