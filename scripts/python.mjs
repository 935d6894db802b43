// The tests of the Python package, in a virtual environment of their own below the target folder. Compiles the package
// as `pip install ./python` does, but with the profile `dev`, so that the crates that the Rust tests have compiled are
// used again.

import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { checked, counted } from "./count.mjs";
import { capture, root, run } from "./commands.mjs";
import { testedCrates } from "./crates.mjs";
import { installPackages } from "./packages.mjs";

const FOLDER = join(root, "python");
const ENVIRONMENT = join(root, "target/python");
const REQUIREMENTS = join(FOLDER, "tests/requirements.txt");
const OLDEST_PYTHON = [3, 10];
/** What the examples of the README read. */
const EXAMPLE_FILES = ["models", "tests/golden/runs", "tests/golden/backgammon", "tests/golden/answers"];

/** The result of a stage that cannot run on this machine. */
export const SKIPPED = Symbol("skipped");

/**
 * Runs the tests. Resolves to `SKIPPED`, after one line about it, if there is no Python. With `output`, an array, what
 * the tests write is collected there; what pip and cargo write is not.
 */
export async function pythonTests({ output } = {}) {
  const system = await ensurePython();
  if (!system) {
    const sentence = `There is no Python ${OLDEST_PYTHON.join(".")} or newer with venv, so the Python package is not tested.`;
    if (process.env.CI) throw new Error(sentence);
    if (output) output.push(`${sentence}\n`);
    else console.log(sentence);
    return SKIPPED;
  }
  const python = await ensureEnvironment(system);
  await install(python);
  // The installed package is tested, not the folder of its sources, which lacks the compiled half: so programs that
  // look in the current folder run in another one.
  const check = (args) => checked(python, ["-m", ...args], { cwd: ENVIRONMENT, output });
  const count = await check(["mypy", "--strict", "--package", "learnery"]);
  count.add(await check(["mypy.stubtest", "learnery._native"]));
  // The examples read files of the repository and write others.
  const examplesFolder = join(ENVIRONMENT, "examples");
  rmSync(examplesFolder, { recursive: true, force: true });
  for (const name of EXAMPLE_FILES) cpSync(join(root, name), join(examplesFolder, name), { recursive: true });
  const tests = ["--pyargs", "learnery", ...["README.md", "tests"].map((name) => join(FOLDER, name))];
  // Without the adapter for a library that is too large to install here.
  const examples = ["--doctest-glob=README.md", "--doctest-modules", `--ignore-glob=${join(ENVIRONMENT, "*sb3.py")}`];
  const pytest = ["-m", "pytest", "-q", "--rootdir", FOLDER, ...examples, ...tests];
  const env = { ...process.env, LEARNERY_EXPORT: await buildExport() };
  count.add(await counted(python, pytest, { cwd: examplesFolder, env, output }));
  return count;
}

/** A Python that can make virtual environments. Installs it if it is missing and that is possible. */
async function ensurePython() {
  const python = await findPython();
  if (python) return python;
  // Debian's Python lacks what a virtual environment needs without the second of these.
  await installPackages([["python3", "python3-venv"]]);
  return findPython();
}

/**
 * The program and its first arguments of a Python that is new enough and can make virtual environments, or undefined.
 */
export async function findPython() {
  const version = "import ensurepip, sys, venv; print(*sys.version_info[:2])";
  for (const python of [["python3"], ["python"], ["py", "-3"]]) {
    const [program, ...args] = python;
    const [major, minor] = ((await capture(program, [...args, "-c", version])) ?? "0 0").split(" ").map(Number);
    if (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]) return python;
  }
  return undefined;
}

/** Makes the virtual environment with what the tests need, unless it exists. Resolves to its Python. */
async function ensureEnvironment([program, ...args]) {
  const python = join(ENVIRONMENT, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const hash = createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex");
  const marker = join(ENVIRONMENT, "installed-from");
  if (existsSync(marker) && readFileSync(marker, "utf8") === hash) return python;
  rmSync(ENVIRONMENT, { recursive: true, force: true });
  mkdirSync(ENVIRONMENT, { recursive: true });
  await run(program, [...args, "-m", "venv", ENVIRONMENT]);
  // The tests import a small part of the packages, which Python compiles then.
  const options = ["--quiet", "--disable-pip-version-check", "--no-compile"];
  await run(python, ["-m", "pip", "install", ...options, "-r", REQUIREMENTS]);
  writeFileSync(marker, hash);
  return python;
}

/** The crates that are compiled with the same features for the package and for the Rust tests. */
export const SHARED_CRATES = ["kernels", "worlds", "search", "nn", "world-rules"].map((name) => `learnery-${name}`);

/**
 * Cargo's options for the package: the profile `dev`, apart from the shared crates, which the Rust tests have compiled.
 */
export const PACKAGE_OPTIONS = [
  ...["--profile", "dev"],
  ...SHARED_CRATES.flatMap((name) => ["--config", `profile.dev.package.${name}.opt-level=3`]),
  ...["--features", "as-tested"],
];

/**
 * The environment in which the package is compiled: the crates get the settings of the profile for Rust tests, which
 * halves the processor time in a fresh clone.
 */
export function packageEnvironment(env) {
  const result = { ...env };
  for (const setting of ["CODEGEN_UNITS", "DEBUG"]) {
    const value = env[`CARGO_PROFILE_TEST_${setting}`];
    if (value !== undefined) result[`CARGO_PROFILE_DEV_${setting}`] ??= value;
  }
  return result;
}

/**
 * Cargo's arguments that build the example `export`, which writes worlds as Python classes with traces for
 * python/tests/test_world_class.py. Its crates are those that the Rust tests have compiled.
 */
export const exportArguments = () => ["build", "--profile=test", ...testedCrates(), "--example=export"];

/** Compiles that program, and resolves to its path. */
async function buildExport() {
  await run("cargo", [...exportArguments(), "--quiet"]);
  return join(root, "target/debug/examples", process.platform === "win32" ? "export.exe" : "export");
}

/** Compiles and installs the package. */
async function install(python) {
  const options = ["--no-build-isolation", "--no-deps", "--force-reinstall", "--quiet", "--disable-pip-version-check"];
  // pip looks for the program `maturin`, which is beside Python in the virtual environment.
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === "PATH") ?? "PATH";
  const path = [dirname(python), process.env[key] ?? ""].join(delimiter);
  const env = { ...packageEnvironment(process.env), [key]: path, MATURIN_PEP517_ARGS: PACKAGE_OPTIONS.join(" ") };
  await run(python, ["-m", "pip", "install", ...options, FOLDER], { env });
}
