// Tools answer in a tab what they answer in a terminal and in Python: the recorded answers (tests/golden/answers),
// which the tests of the command line and of the Python package compare too. There is one for each class of bits: with
// a fused multiply-add, which rounds once, and without.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { openBare, openProgram } from "./bare.mjs";
import { hosts, openPage, root, test } from "./harness.mjs";
import { setRunning, untilLearning } from "./lab.mjs";

const folder = join(root, "tests/golden/answers");
const read = (...names) => JSON.parse(readFileSync(join(folder, ...names), "utf8"));
const base64 = (path) => readFileSync(join(root, path)).toString("base64");

/** The inputs that name a file. */
const FILES = ["file", "against"];

/** The recorded questions of a lab that the page has the tools for. */
function questionsOf(lab) {
  const found = read("questions.json").filter(({ name, tab }) => tab && name.startsWith(lab));
  assert.ok(found.length > 0);
  return found;
}

/** In the page: defines a function that decodes base64. */
const defineDecoder = () => {
  globalThis.decoded = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
};

/**
 * Compares an answer with the recorded text. Numbers of 32 bits are exact in a tab; in JSON they are the shortest text
 * that is read as the same number of 32 bits.
 */
function assertAnswer(answer, bits, name) {
  const isSame = (tab, text) => tab === text || (Math.fround(tab) === tab && Math.fround(text) === tab);
  const compare = (tab, text, place) => {
    if (typeof tab === "number") return assert.ok(isSame(tab, text), `${name}, ${bits}, ${place}: ${tab}, ${text}`);
    if (typeof tab !== "object" || tab === null) return assert.equal(tab, text, `${name}, ${bits}, ${place}`);
    assert.deepEqual(Object.keys(tab).sort(), Object.keys(text).sort(), `${name}, ${bits}, ${place}`);
    for (const key of Object.keys(tab)) compare(tab[key], text[key], `${place}.${key}`);
  };
  compare(answer, read(bits, `${name}.json`), "answer");
}

test("tools in a program of their own give the recorded answers", async () => {
  const page = await openPage(hosts.isolated, "#/backgammon", { prepare: (page) => page.addInitScript(defineDecoder) });
  await untilLearning(page);
  await setRunning(page, false);
  const bits = page.loaded().some((file) => basename(file).startsWith("threads-plain-")) ? "plain" : "fused";
  for (const { name, network, tool, input } of questionsOf("backgammon")) {
    const path = FILES.map((field) => input[field]).find(Boolean);
    const answer = await page.evaluate(
      async ([tool, input, network, file]) => {
        const options = { source: globalThis.decoded(network), ...(file && { file: globalThis.decoded(file) }) };
        return (await globalThis.learnery.ask(tool, input, options)).output;
      },
      [tool, input, base64(network), path && base64(path)],
    );
    assertAnswer(answer, bits, name);
  }
  await page.assertNoErrors();
});

for (const [bits, bundle] of Object.entries({ fused: "threads", plain: "simple" })) {
  test(`tools in the lab's program give the recorded answers: ${bits}`, async () => {
    const page = await openBare(hosts.isolated);
    const fuses = (await page.evaluate(() => globalThis.bare.choice.name)) === "threads";
    test.skip(!fuses && bits === "fused", "this browser does not fuse the multiply-add");
    await openProgram(page, "logic", bundle, 1);
    await page.evaluate(defineDecoder);
    for (const { name, network, tool, input } of questionsOf("logic")) {
      const answer = await page.evaluate(
        async ([tool, input, network]) => {
          const { bare } = globalThis;
          await bare.ask({ type: "resume", bytes: globalThis.decoded(network) }, "opened", "refused");
          const from = bare.received.length;
          await bare.ask({ type: "ask", id: from, tool, input }, "answer");
          const isLast = ({ type, part }) => type === "answer" && ["output", "refused"].includes(part.kind);
          return (await bare.waitFor(isLast, from)).part;
        },
        [tool, input, base64(network)],
      );
      assertAnswer(answer.output, bits, name);
    }
    await page.assertNoErrors();
  });
}
