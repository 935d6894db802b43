// The task of a class: its link, the links of its pupils, and what it takes of the link of a run.

import assert from "node:assert/strict";
import { test } from "node:test";
import { challengeWords, classLink, pupilLink, recipeIn, shortCode, taskOf } from "../../www/class/task";
import { MAX_QUESTION } from "../../www/class/text";
import { readLink, writeLink } from "../../www/core/link";
import { packData } from "../../www/core/packed";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";

const task = async (link: string, question = "") => {
  const found = await taskOf(link, question, LABS);
  assert.ok(!("problem" in found), JSON.stringify(found));
  return found;
};

test("link of a class leads to the same task, and to runs with seeds of their own", async () => {
  const question = "Which helps: more worlds & a higher rate? 50%";
  const opened = await task("https://example.org/x/#/control?seed=5&worlds=64&change=40:clip=0.1&units=60", question);
  assert.equal(opened.link, "control?worlds=64&change=40:clip=0.1");
  const query = new URLSearchParams(classLink(opened).replace("#/class?", ""));
  const joined = await task(query.get("run") ?? "", query.get("ask") ?? "");
  assert.deepEqual([joined.link, joined.question], [opened.link, question]);
  assert.equal(shortCode(joined), shortCode(opened));
  assert.match(shortCode(opened), /^[2-9B-Z]{4}$/);
  assert.notEqual(shortCode(opened), shortCode(await task("control?worlds=128&change=40:clip=0.1", question)));
  const { request } = await readLink(await pupilLink(joined, 12), LABS);
  assert.deepEqual([request?.seed, request?.settings, request?.changes.length], [12, { worlds: 64 }, 1]);
  assert.deepEqual([request?.units, request?.bits], [null, null]);
  assert.equal((await task("#/cube")).link, "cube");
});

test("link of a class with data of one's own keeps them", async () => {
  const data = { type: "world", name: "Dot", text: 'world "Dot"', parameters: {} };
  const changes = [{ unit: 0, settings: {}, seed: null, data }];
  const link = writeLink(LAB, { world: "own" }, 1, null, "cpu", { changes }) + ((await packData(changes)) ?? "");
  const opened = await task(link);
  const again = await task(new URLSearchParams(classLink(opened).replace("#/class?", "")).get("run") ?? "");
  assert.equal(again.link, opened.link);
  const { request } = await readLink(await pupilLink(again, 3), LABS);
  assert.deepEqual(
    [request?.changes[0]?.data, request?.seed],
    [{ name: "Dot", parameters: {}, text: data.text, type: "world" }, 3],
  );
});

test("challenge of a link goes to the pupils, and runs are compared without it", async () => {
  const text = encodeURIComponent("Faster & better~examReturn>=475&units<=30");
  const opened = await task(`#/control?worlds=64&seed=3&challenge=${text}`);
  assert.deepEqual([opened.recipe, recipeIn(opened.link)], ["control?worlds=64", "control?worlds=64"]);
  assert.match(
    challengeWords(opened),
    /^Challenge: Faster & better\. Goal: test score .* at least 475.*, within 30 iterations\.$/,
  );
  const joined = await task(new URLSearchParams(classLink(opened).replace("#/class?", "")).get("run") ?? "");
  assert.deepEqual([joined.link, shortCode(joined)], [opened.link, shortCode(opened)]);
  const { request } = await readLink(await pupilLink(joined, 12), LABS);
  assert.equal(request?.challenge, "Faster & better~examReturn>=475&units<=30");
  const bare = await task(`#/cube?challenge=${encodeURIComponent("A~units>=3")}`);
  assert.deepEqual([bare.recipe, recipeIn(bare.link)], ["cube", "cube"]);
  for (const link of ["#/control?challenge=x~y", "#/control?show=challenge.boat&challenge=A~units%3E%3D3"])
    assert.ok("problem" in (await taskOf(link, "", LABS)), link);
});

test("what a link hides is hidden from the pupils too, and runs are compared without it", async () => {
  const data = { type: "world", name: "Dot", text: 'world "Dot"', parameters: {} };
  const changes = [{ unit: 0, settings: {}, seed: null, data }];
  const run = writeLink(LAB, { world: "own" }, 1, null, "cpu", { changes }) + ((await packData(changes)) ?? "");
  const challenge = `&challenge=${encodeURIComponent("A~units>=3")}`;
  const plain = await task(run);
  for (const [hide, more] of [
    ["rules", ""],
    ["editor", challenge],
  ] as const) {
    const opened = await task(`${run}${more}&hide=${hide}`);
    assert.equal(opened.recipe, plain.recipe);
    assert.equal(opened.link, `${plain.recipe}&hide=${hide}${more}`);
    assert.equal(recipeIn(opened.link), plain.recipe);
    assert.notEqual(shortCode(opened), shortCode(plain));
    const joined = await task(new URLSearchParams(classLink(opened).replace("#/class?", "")).get("run") ?? "");
    assert.deepEqual([joined.link, shortCode(joined)], [opened.link, shortCode(opened)]);
    const { request, problems } = await readLink(await pupilLink(joined, 12), LABS);
    assert.deepEqual(problems, []);
    assert.deepEqual([request?.hide, request?.seed, request?.changes.length], [hide, 12, 1]);
    assert.equal(request?.challenge ?? "", more && "A~units>=3");
  }
  const bare = await task("#/control?hide=rules");
  assert.deepEqual([bare.link, recipeIn(bare.link)], ["control?hide=rules", "control"]);
});

test("links that are no class are refused in one sentence", async () => {
  for (const link of ["", "x", "https://example.org/", "#/nosuchlab?seed=1", "#/control?worlds=-3", "#/class?run=x"]) {
    const found = await taskOf(link, "", LABS);
    assert.ok("problem" in found, link);
    assert.match(found.problem, /^[A-Z“].*\.$/);
  }
  const long = await taskOf("#/control", "x".repeat(MAX_QUESTION + 1), LABS);
  assert.ok("problem" in long);
});
