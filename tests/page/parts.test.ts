// Unit tests of small parts of the page that need no browser: the display of tokens, presets, checkpoint headers,
// colours, floats, angles, and the dependencies of logic gates.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileName, nameInFile, readHeader } from "../../www/core/checkpoint";
import { ramp } from "../../www/core/colour";
import { floats } from "../../www/core/floats";
import { firstSettingsWith, presetById, presetSettings } from "../../www/core/presets";
import { LABS } from "../../www/generated/labs";
import { visibleInText, visibleName } from "../../www/labs/language/token-text";
import { wrapAngle } from "../../www/core/motion";
import { dependenciesOf } from "../../www/labs/logic/gate-dependencies";
import { changedGates, GATE_NAMES, isPlainWire } from "../../www/labs/logic/gate-kinds";
import { adapterName } from "../../www/core/adapter-name";
import { peakWords, trialWords } from "../../www/ui/device-switch";

const labInfo = async (id: string) => {
  const lab = await LABS.find((each) => each.id === id)?.load();
  assert.ok(lab);
  return lab;
};

test("token text shows its blanks and line breaks", () => {
  assert.equal(visibleName(" a\tb\n"), "␣a⇥b↵");
  assert.equal(visibleName(""), "∅");
  assert.equal(visibleInText("one\ntwo"), "one↵\ntwo");
});

test("presets of every lab change only settings that exist", async () => {
  for (const { load } of LABS) {
    const { about, fields } = await load();
    const names = new Set(fields.map(({ name }) => name));
    for (const preset of about.presets) {
      for (const name of Object.keys(presetSettings(preset))) assert.ok(names.has(name), `${about.id}: ${name}`);
    }
  }
});

test("presets of a lab have different titles, with a capital and without a full stop", async () => {
  for (const { load } of LABS) {
    const { about } = await load();
    const titles = about.presets.map(({ title }) => title);
    assert.equal(new Set(titles).size, titles.length, about.id);
    for (const title of titles) assert.match(title, /^[A-Z0-9].{2,39}[^.]$/, about.id);
  }
});

test("preset is found by the choice it makes, and by its id", async () => {
  const control = await labInfo("control");
  assert.deepEqual(firstSettingsWith(control, "world", "cartpole"), {}, "the default needs no settings");
  assert.equal(firstSettingsWith(control, "world", "pendulum")["world"], "pendulum");
  assert.equal(firstSettingsWith(control, "world", "own")["world"], "own");
  assert.deepEqual(firstSettingsWith(control, "world", "nowhere"), { world: "nowhere" });
  assert.deepEqual(presetById(control, "pendulum"), firstSettingsWith(control, "world", "pendulum"));
  assert.deepEqual(presetById(control, "nothing"), {});
});

test("checkpoint header is read from a file, and a damaged file gives none", () => {
  // A run of the control lab with seed 7 after three units.
  const bytes = readFileSync(new URL("../golden/runs/control-ppo.safetensors", import.meta.url));
  const header = readHeader(bytes);
  assert.deepEqual([header?.lab, header?.seed, header?.units], ["control", 7, 3]);
  for (const length of [0, 7, 8, 100]) assert.equal(readHeader(bytes.subarray(0, length)), null);
  assert.equal(readHeader(new Uint8Array(64).fill(255)), null);
  assert.equal(fileName("cube", 3, 12, { networkOnly: true }), "learnery-cube-seed3-12-network.safetensors");
});

test("name of a run goes with its file, whatever file systems refuse and browsers add", () => {
  const file = (name: string | null) => fileName("cube", 3, 12, { name });
  assert.equal(file(null), "learnery-cube-seed3-12.safetensors");
  assert.equal(file("My run"), "learnery-cube-seed3-12 My run.safetensors");
  const names = [
    "My run",
    "a/b: 50% <b>?",
    "Größe 5 (neu)",
    "Try (2)",
    "(3)",
    "a.b.safetensors",
    "-",
    "漢字 🎲",
    "%41",
  ];
  for (const name of names) {
    assert.doesNotMatch(file(name), /[<>:"/\\|?*]/, name);
    assert.equal(nameInFile(file(name)), name);
    // Chromium and Firefox number a second file of the same name.
    for (const number of [" (1)", "(1)"])
      assert.equal(nameInFile(file(name).replace(/\.safetensors$/, `${number}.safetensors`)), name, number);
  }
  assert.equal(nameInFile("learnery-cube-seed3-12.safetensors"), null);
  assert.equal(nameInFile("learnery-cube-seed3-12 (1).safetensors"), null);
  assert.equal(nameInFile("cube-davi.safetensors"), undefined, "another file");
  const long = file("漢".repeat(80));
  assert.ok(new TextEncoder().encode(long).length <= 255, `${long.length} characters`);
  assert.match(nameInFile(long) ?? "", /^漢{50,}$/);
});

test("colour ramp from black to white begins and ends with them and never gets darker", () => {
  const colours = ramp(["#000000", "#ffffff"], 33);
  assert.deepEqual(
    [colours[0], colours[32]],
    [
      [0, 0, 0],
      [255, 255, 255],
    ],
  );
  const red = colours.map(([channel]) => channel);
  for (let i = 1; i < red.length; i++) assert.ok((red[i] as number) >= (red[i - 1] as number));
});

test("floats are read from aligned and unaligned bytes", () => {
  const bytes = new Uint8Array(new Float32Array([1.5, -2]).buffer);
  assert.deepEqual([...floats(bytes)], [1.5, -2]);
  const shifted = new Uint8Array(9);
  shifted.set(bytes, 1);
  assert.deepEqual([...floats(shifted.subarray(1))], [1.5, -2]);
});

test("angle wraps to within half a turn", () => {
  assert.ok(Math.abs(wrapAngle(1.5 * Math.PI) + 0.5 * Math.PI) < 1e-12);
  assert.ok(Math.abs(wrapAngle(-7 * Math.PI)) <= Math.PI + 1e-9);
});

test("gate depends only on the inputs its kind uses", () => {
  const xor = GATE_NAMES.indexOf("a xor b");
  /** Gates 0 and 1 in the first layer, and gate 2 of this kind in the second, which reads them. */
  const gates = (kind: number) => ({
    layers: [2, 1],
    perceptionLayers: 2,
    kinds: Uint8Array.from([xor, xor, kind]),
    sure: new Uint8Array(3),
    counts: [],
  });
  // The two sources of each gate.
  const wiring = { channels: 1, pairs: Uint16Array.from([0, 0, 0, 0, 0, 1]) };
  /** For each gate, whether gate 2 depends on it (1). */
  const marks = (kind: number) => [...dependenciesOf(gates(kind), wiring as never, 2)];
  assert.deepEqual(marks(xor), [1, 1, 1]);
  assert.deepEqual(marks(GATE_NAMES.indexOf("a")), [1, 0, 1]);
  assert.deepEqual(marks(GATE_NAMES.indexOf("b")), [0, 1, 1]);
  assert.deepEqual(marks(GATE_NAMES.indexOf("1")), [0, 0, 1]);
});

test("a gate that passes on either of its inputs is a plain wire, and no changed gate", () => {
  assert.deepEqual(
    GATE_NAMES.filter((_, kind) => isPlainWire(kind)),
    ["a", "b"],
  );
  const counts = (of: Record<string, number>) => GATE_NAMES.map((name) => of[name] ?? 0);
  // A checkerboard's circuit starts with 32 wires of the second input.
  assert.deepEqual(changedGates(counts({ a: 3008, b: 32 })), { changed: 0, all: 3040 });
  assert.deepEqual(changedGates(counts({ a: 2990, b: 40, "a or b": 7, "1": 3 })), { changed: 10, all: 3040 });
});

test("trial of both devices names the faster one", () => {
  const faster = { ratio: 2.345, software: false };
  assert.equal(trialWords(faster), "measured here: the GPU trains this run 2.3 times as fast as the CPU");
  const even = "measured here: CPU and GPU train this run about equally fast";
  for (const ratio of [0.95, 1, 1.05]) assert.equal(trialWords({ ratio, software: false }), even);
  const slower = { ratio: 0.25, software: true };
  const words = "measured here: the CPU trains this run 4 times as fast as the GPU (emulated in software)";
  assert.equal(trialWords(slower), words);
});

test("GPU has the name that the browser tells, and its peak only where one was measured", () => {
  const hidden = { description: "", vendor: "", device: "", architecture: "" };
  const names = [
    hidden,
    { ...hidden, vendor: "nvidia", architecture: "lovelace" },
    { ...hidden, vendor: "intel", device: "0x46a6", architecture: "gen-12lp" },
    { ...hidden, description: "NVIDIA L4", vendor: "nvidia" },
  ].map(adapterName);
  assert.deepEqual(names, ["", "nvidia lovelace", "intel 0x46a6", "NVIDIA L4"]);
  const peaks = [0, NaN, 5.13e9, 999e9, 1.5e12, 56.3e12].map(peakWords);
  const said = [", peak 5.1 GFLOP/s", ", peak 999 GFLOP/s", ", peak 1.5 TFLOP/s", ", peak 56 TFLOP/s"];
  assert.deepEqual(peaks, ["", "", ...said]);
});
