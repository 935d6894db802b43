// The count of tests in what a program prints (scripts/count.mjs): a program without tests has failed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checked, counted } from "../../scripts/count.mjs";

/** Arguments of Node that print some lines, followed by further arguments, which Node ignores. */
const printing = (lines, ...rest) => ["-e", `console.log(${JSON.stringify(lines.join("\n"))})`, ...rest];

const countLines = (lines, ...rest) => counted(process.execPath, printing(lines, ...rest), { output: [] });

test("tests of cargo, Node and pytest are added up", async () => {
  // Ignored tests of cargo are run by hand and count nowhere; skipped ones of the others are said.
  const cargo = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out";
  const node = ["ℹ tests 4", "ℹ pass 2", "ℹ fail 1", "ℹ cancelled 0", "ℹ skipped 1"];
  const { passed, failed, skipped } = await countLines([
    cargo,
    cargo,
    ...node,
    "==== 5 passed, 1 skipped in 0.31s ====",
  ]);
  assert.deepEqual({ passed, failed, skipped }, { passed: 13, failed: 1, skipped: 2 });
});

test("program without tests has failed", async () => {
  await assert.rejects(countLines([]), /ran no test/);
  await assert.rejects(
    countLines(["test result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 9 filtered out"]),
    /no test/,
  );
  await assert.rejects(countLines(["ℹ tests 0", "ℹ pass 0"]), /ran no test/);
});

test("program whose tests were all skipped has not failed", async () => {
  assert.equal((await countLines(["ℹ tests 2", "ℹ pass 0", "ℹ skipped 2"])).skipped, 2);
});

test("last line of a program needs no end", async () => {
  const print = `process.stdout.write("ℹ pass 2\\nℹ fail 1")`;
  const { passed, failed } = await counted(process.execPath, ["-e", print], { output: [] });
  assert.deepEqual({ passed, failed }, { passed: 2, failed: 1 });
});

test("program that cannot be started has failed, with a count", async () => {
  await assert.rejects(counted("/no/such/program", [], { output: [] }), ({ count, code }) => {
    return count.isEmpty && code === "ENOENT";
  });
});

test("file without tests has failed, although Node counts it as one", async () => {
  const lines = (name) => [`✔ ${name} (12.5ms)`, "ℹ tests 2", "ℹ pass 2"];
  await assert.rejects(countLines(lines("/a/empty.test.mjs"), "/a/empty.test.mjs"), ({ message, count }) => {
    assert.match(message, /no test:\n\/a\/empty.test.mjs/);
    return count.passed === 1; // Node reported two, and the one for the empty file is taken off
  });
  assert.equal((await countLines(lines("name of a test"), "/a/good.test.mjs")).passed, 2);
});

test("check counts as one test", async () => {
  const check = (code) => checked(process.execPath, ["-e", `process.exit(${code})`], { output: [] });
  assert.equal((await check(0)).passed, 1);
  await assert.rejects(check(1), ({ count, message }) => count.isEmpty && /failed \(1\)/.test(message));
});

test("failed tests of every program are named, each once", async () => {
  const lines = [
    "test rules::legal ... ok",
    "test rules::moves ... FAILED",
    "✔ name of a test (3ms)",
    "  ✖ a part fails (2.5ms)",
    "✖ the whole fails (12ms)",
    "✖ failing tests:",
    "✖ the whole fails (12ms)",
    "FAILED python/tests/test_env.py::test_step - AssertionError",
    "http://127.0.0.1:4000/#/cube says: The lab could not be loaded | no bundle",
    "  ✘  7 [page] › tests/browser/cube.test.mjs:9:1 › cube turns (4.0s)",
    "  1) [page] › tests/browser/cube.test.mjs:9:1 › cube turns ─────────",
    "    TimeoutError: page.goto: Timeout 240000ms exceeded.",
    "    at tests/browser/cube.test.mjs:12:3",
    "  1 failed",
  ];
  const { failures } = await countLines(lines);
  assert.deepEqual(
    [...failures],
    [
      "rules::moves",
      "a part fails",
      "the whole fails",
      "python/tests/test_env.py::test_step - AssertionError",
      "http://127.0.0.1:4000/#/cube says: The lab could not be loaded | no bundle",
      "[page] › tests/browser/cube.test.mjs:9:1 › cube turns",
      "TimeoutError: page.goto: Timeout 240000ms exceeded.",
    ],
  );
});
