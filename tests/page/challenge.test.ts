// Challenges: judged by the metrics of a run, and written into links and read from them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, readChallenge, stageInWords, writeChallenge, type Challenge } from "../../www/core/challenge";
import { parseValue, settingText } from "../../www/core/link";
import { Series } from "../../www/core/series";
import { LABS } from "../../www/generated/labs";
import type { LabInfo } from "../../www/generated/protocol";
import { manifestOf } from "../../www/labs/manifests";

/** The challenge of a text such as `~score>=10&units<=3~score<=2`: stages after `~`, their conditions between `&`. */
const challenge = (text: string, settings = {}): Challenge => {
  const [, ...stages] = text.split("~");
  return {
    title: "",
    hint: "",
    settings,
    stages: stages.map((stage) =>
      stage.split("&").map((part) => {
        const [, metric = "", is, value] = /^(\w+)(>=|<=)(.*)$/.exec(part) ?? [];
        return { metric, is: is as ">=", value: Number(value) };
      }),
    ),
  };
};

/** What judging reads of a lab. */
const lab = { about: { unit: "round" }, fields: [] } as unknown as LabInfo;

/** A run with one metric, from unit 1 on. */
function run(values: number[]): Series {
  const series = new Series([{ name: "score", label: "score", unit: "", better: "higher", help: "" }]);
  series.append({ units: values.map((_, i) => i + 1), values: [values] });
  return series;
}

test("stages must be reached one after the other", () => {
  const lost = challenge("~score>=10~score<=2~score>=10");
  assert.deepEqual(judge(lost, {}, run([1, 12, 11]), lab), { state: "open", stage: 1 });
  assert.deepEqual(judge(lost, {}, run([1, 12, NaN, 2, 3]), lab), { state: "open", stage: 2 });
  assert.deepEqual(judge(lost, {}, run([1, 12, 2, 3, 10, 1]), lab), { state: "done", unit: 5 });
  assert.deepEqual(judge(lost, {}, run([]), lab), { state: "open", stage: 0 });
});

test("all conditions of a stage must hold in the same unit, and in time", () => {
  const soon = challenge("~score>=10&units<=3");
  assert.deepEqual(judge(soon, {}, run([1, 2, 10]), lab), { state: "done", unit: 3 });
  assert.equal(judge(soon, {}, run([1, 2]), lab).state, "open");
  assert.equal(judge(soon, {}, run([1, 2, 3, 10]), lab).state, "missed");
});

test("a metric must pass its bound by more than its margin of error; 100%, no mistake at all, needs none", () => {
  const spec = (name: string) => ({ name, label: name, unit: "%", better: "higher", help: "" }) as const;
  const series = new Series([spec("score"), spec("scoreMargin")]);
  series.append({
    units: [1, 2, 3],
    values: [
      [91, 92.5, 100],
      [2, 2, 2],
    ],
  });
  assert.deepEqual(judge(challenge("~score>=90"), {}, series, lab), { state: "done", unit: 2 });
  assert.deepEqual(judge(challenge("~score>=99"), {}, series, lab), { state: "done", unit: 3 });
  assert.deepEqual(judge(challenge("~score<=93.5"), {}, series, lab), { state: "done", unit: 1 });
  assert.equal(judge(challenge("~score<=92.5"), {}, series, lab).state, "open");
});

test("run with other settings is told what the challenge asks for", () => {
  const verdict = judge(challenge("~score>=1", { worlds: 1 }), { worlds: 128 }, run([5]), lab);
  assert.deepEqual(verdict, { state: "missed", reason: "It needs worlds 1; this run has 128." });
});

test("challenges of every lab name its metrics and allowed settings, and survive a link", async () => {
  let labs = 0;
  for (const { id, load } of LABS) {
    const lab = await load();
    const own = await manifestOf(id)?.challenges?.();
    if (!own) continue;
    labs += 1;
    const { challenges } = own;
    assert.ok(challenges.length >= 5, id);
    for (const each of challenges) {
      for (const [name, value] of Object.entries(each.settings)) {
        const field = lab.fields.find((field) => field.name === name);
        assert.ok(field, `${id}: ${name}`);
        assert.ok("value" in parseValue(field, settingText(value)), `${id}: ${name}`);
      }
      const { preset } = each;
      assert.ok(preset === undefined || lab.about.presets.some(({ name }) => name === preset), `${id}: ${preset}`);
      const read = readChallenge(lab, writeChallenge(each), each.settings);
      assert.deepEqual(read?.stages, each.stages);
      assert.equal(read?.title, each.title);
      for (const stage of each.stages) assert.match(stageInWords(lab, stage), /^[^{}]+ at (least|most) /);
    }
  }
  assert.ok(labs > 0, "no manifest names challenges");
});

test("challenge that makes no sense is not read", async () => {
  const lab = await LABS[0]?.load();
  assert.ok(lab);
  const read = (text: string) => readChallenge(lab, text, {});
  for (const text of ["", "title", "title~", "title~nothing>=1", "title~units>1", "title~units>=x", "a~b~c~d~e~f~g"]) {
    assert.equal(read(text), null, text);
  }
  assert.equal(read("title~units>=1~".concat("~units>=1".repeat(9))), null, "too many stages");
  assert.equal(read("\u202eabc\n<b>~units>=-1.5e-3")?.title, "abc <b>");
  assert.equal(read("~units<=3")?.title, "A challenge");
});
