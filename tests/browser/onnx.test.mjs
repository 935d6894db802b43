// Every kind of network that `learnery export --format onnx` writes runs in a browser, by onnxruntime-web. Its files
// come from node_modules, and are no part of the site.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { program, test } from "./command-line.mjs";
import { openPage, root, temporaryFolder } from "./harness.mjs";

const RUNTIME = join(root, "node_modules/onnxruntime-web/dist");
/** The runs and models that are exported, by the names of the folders for their networks. */
const SAVED = {
  cartpole: "tests/golden/runs/control-ppo",
  pendulum: "tests/golden/runs/control-pendulum",
  positions: "models/backgammon",
  turns: "tests/golden/runs/backgammon-alphazero",
  cube: "models/cube",
  cube3: "models/cube3",
  scores: "tests/golden/runs/cube-dqn",
  language: "tests/golden/runs/language-pairs",
};
const PAGE = `<!doctype html><title>Networks</title><link rel="icon" href="data:," /><script type="module">
  import * as ort from "./ort.wasm.min.mjs";
  ort.env.wasm.numThreads = 1;
  globalThis.ort = ort;
</script>`;

/** The networks by their addresses. */
const networks = new Map();

function exportNetworks() {
  const folder = temporaryFolder();
  for (const [name, saved] of Object.entries(SAVED)) {
    const out = join(folder, name);
    execFileSync(program, ["export", join(root, `${saved}.safetensors`), "--format", "onnx", "--out", out]);
    for (const file of readdirSync(out)) networks.set(`/${name}/${file}`, readFileSync(join(out, file)));
  }
}

const host = {
  name: "onnxruntime-web",
  isolation: false,
  serviceWorkers: "block",
  base: "/",
  replace: (path) => (path === "/index.html" || path === "/" ? PAGE : networks.get(path)),
};

/** Runs a network on one input, all zeros or `values`. Resolves to its outputs: shapes and numbers. */
const run = (page, path, values) =>
  page.evaluate(
    async ([path, values]) => {
      const session = await globalThis.ort.InferenceSession.create(path);
      // The lengths of dimensions that have a name instead of a length.
      const lengths = { batch: 1, time: 3, past: 0 };
      const feeds = {};
      for (const { name, type, shape } of session.inputMetadata) {
        const dims = shape.map((length) => lengths[length] ?? length);
        const count = dims.reduce((product, length) => product * length, 1);
        const numbers = values ?? new Array(count).fill(0);
        const data = type === "int64" ? BigInt64Array.from(numbers, BigInt) : Float32Array.from(numbers);
        feeds[name] = new globalThis.ort.Tensor(type, data, dims);
      }
      const outputs = await session.run(feeds);
      return Object.entries(outputs).map(([name, { dims, data }]) => ({ name, dims: [...dims], data: [...data] }));
    },
    [path, values],
  );

test("every exported network runs in a browser", async () => {
  exportNetworks();
  const page = await openPage(host, "", { folder: RUNTIME });
  await page.waitForFunction(() => globalThis.ort);
  assert.deepEqual([...networks.keys()].sort(), [
    "/cartpole/actor.onnx",
    "/cartpole/critic.onnx",
    "/cube/network.onnx",
    "/cube3/network.onnx",
    "/language/network.onnx",
    "/language/network_with_cache.onnx",
    "/pendulum/actor.onnx",
    "/pendulum/critic.onnx",
    "/positions/contact.onnx",
    "/positions/race.onnx",
    "/scores/network.onnx",
    "/turns/network.onnx",
  ]);
  for (const path of networks.keys()) {
    for (const { name, dims, data } of await run(page, path)) {
      assert.equal(
        data.length,
        dims.reduce((product, length) => product * length, 1),
        `${path} ${name}`,
      );
      assert.ok(data.length > 0 && data.every(Number.isFinite), `${path} ${name}: ${data}`);
    }
  }
  // The network of the 2x2x2 knows the solved cube, where every corner is at home and not twisted: corner `i` of the
  // seven that move is the number 3 `i`.
  const corners = [0, 3, 6, 9, 12, 15, 18];
  const [{ name, data }] = await run(page, "/cube/network.onnx", corners);
  assert.equal(name, "distance");
  assert.ok(data[0] < 0.5, `the solved cube is ${data[0]} turns from solved`);
  await page.assertNoErrors();
});
