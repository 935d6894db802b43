// The challenges with a world of the visitor's own: which changes of its text they leave free, and how they are judged.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, type Challenge } from "../../www/core/challenge";
import { Series } from "../../www/core/series";
import type { Change, LabInfo } from "../../www/generated/protocol";
import { challenges } from "../../www/labs/control/challenges";
import {
  CHALLENGE_WORLDS,
  shownBy,
  textOfChallenge,
  worldMismatch,
} from "../../www/labs/control/own-world/challenge-worlds";
import { forbiddenChange } from "../../www/labs/control/own-world/same-rules";

const { boat, pole } = CHALLENGE_WORLDS;
const lab = { about: { unit: "iteration" }, fields: [] } as unknown as LabInfo;

/** A change that gave the run a world with this text; without one, the text is too long for a run to keep. */
const given = (text: unknown): Change => {
  const command = typeof text === "string" ? { command: { type: "world", name: "", text } } : {};
  return { unit: 0, before: {}, after: {}, data: { sha256: "", ...command } };
};

/** The text with these lines in place of the one that begins so. */
function withLine(text: string, beginning: string, ...lines: string[]): string {
  const all = text.split("\n");
  const at = all.findIndex((line) => line.startsWith(beginning));
  assert.ok(at >= 0, beginning);
  return all.toSpliced(at, 1, ...lines).join("\n");
}

test("reward of the boat may be mended in several ways", () => {
  const mended = [
    ["let away = far(6, 2.5)", "reward away - away' + (if arrived' then 5 else 0)"],
    ["reward (if arrived' then 20", "  else -0.1) # within brackets a line may be broken"],
    ["state touched = 0", "touched' = if at_buoy then 1 else touched", "reward touched' - touched"],
    [],
  ];
  for (const lines of [...mended, ["reward 1", "draw circle at (x, y) radius 1", "solved at 3", 'about "Mine"']]) {
    assert.equal(forbiddenChange(boat.text, withLine(boat.text, "reward", ...lines), boat), null, lines.join("\n"));
  }
  const spaced = boat.text.replaceAll("dt * ", "dt*").replaceAll("\n", " # a remark\r\n");
  assert.equal(forbiddenChange(boat.text, spaced, boat), null, "spaces and remarks");
});

test("nothing else of the boat's rules may be changed", () => {
  const changed: [string, string[], RegExp][] = [
    ["let arrived", ["let arrived = far(6, 2.5) < 80"], /^Line 22, “let arrived = far\(6, 2.5\) < 80”, is no rule/],
    ["succeed", ["succeed when at_buoy"], /“succeed when at_buoy”, is no rule/],
    ["succeed", [], /^The rule “succeed when arrived” of the challenge is missing, changed, or in another place\.$/],
    ["fail", [], /^The rule “fail when/],
    ["limit", ["limit 1000 steps"], /“limit 1000 steps”, is no rule/],
    ["limit", ["limit 300 steps", "succeed when x > 0"], /“succeed when x > 0”, is no rule/],
    ["state x", ["state x = 6"], /“state x = 6”, is no rule/],
    ["x'", ["x' = 6"], /“x' = 6”, is no rule/],
    ["x'", ["param fast = 5 from 1 to 9", "x' = 6"], /“param fast = 5 from 1 to 9”, is no rule/],
    ["step 0.1", ["step 0.2 seconds"], /“step 0.2 seconds”, is no rule/],
    ["observe", ["observe x"], /“observe x”, is no rule/],
    ["observe", [], /^The rule “observe x scale 7/],
    // A comment is no rule, and a rule in one bracket after the other is still another rule.
    ["succeed", ["# succeed when arrived"], /^The rule “succeed when arrived”/],
    ["fail", ["fail when (far(0.5, 0)", "  < 1)"], /is no rule of the challenge/],
  ];
  for (const [beginning, lines, expected] of changed) {
    assert.match(forbiddenChange(boat.text, withLine(boat.text, beginning, ...lines), boat) ?? "", expected);
  }
});

test("agent of the pole may see what it remembers, and nothing that is hidden", () => {
  const allowed = [
    ["state before = angle", "before' = angle", "observe x, angle, angle - before as spin scale 0.02"],
    ["state v = 0", "v' = (x' - x) / dt", "observe x, angle, v as speed"],
    ["let f(a) = a * 2", "state push_before = 0", "push_before' = pushed", "observe x, f(angle), push_before"],
  ];
  for (const lines of allowed) {
    assert.equal(forbiddenChange(pole.text, withLine(pole.text, "observe", ...lines), pole), null, lines.join("\n"));
  }
  const refused: [string[], RegExp][] = [
    [["observe x, angle, spin"], /^Line \d+ uses “spin”/],
    [["observe x, angle, spin as x"], /uses “spin”/],
    [["let s = speed", "observe x, angle, s"], /uses “speed”/],
    [["state s = 0", "s' = speed'", "observe x, angle, s"], /uses “speed”/],
    [["state s = 0", "s' = tilt", "observe s"], /uses “tilt”/],
    [["state s = spin", "observe s"], /uses “spin”/],
    [["let f(a) = a + slide", "observe f(x)"], /uses “slide”/],
    [["observe x, angle", "observe spin"], /uses “spin”/],
    [[], /^A line has to begin with observe/],
    [["state spin2 = 0", "angle' = 0", "observe x"], /“angle' = 0”, is no rule/],
  ];
  for (const [lines, expected] of refused) {
    assert.match(forbiddenChange(pole.text, withLine(pole.text, "observe", ...lines), pole) ?? "", expected);
  }
  assert.match(
    forbiddenChange(pole.text, withLine(pole.text, "reward", "reward 500"), pole) ?? "",
    /“reward 500”, is no rule/,
  );
});

test("run of another world is told so, and every world that it has learned counts", () => {
  const other = 'world "Other"\nstate x = 0\naction go: left, right\nreward 1\n';
  assert.match(worldMismatch("boat", []) ?? "", /“Start” opens/);
  assert.match(worldMismatch("boat", [given(other)]) ?? "", /“Start” opens/);
  assert.match(worldMismatch("boat", [given(pole.text)]) ?? "", /“Start” opens/);
  assert.match(worldMismatch("boat", [given(undefined)]) ?? "", /too long/);
  assert.equal(worldMismatch("boat", [given(boat.text)]), null);
  const easy = boat.text.replace("< 0.8\n\nreward", "< 80\n\nreward");
  assert.notEqual(easy, boat.text);
  assert.match(worldMismatch("boat", [given(easy), given(boat.text)]) ?? "", /is no rule of the challenge/);
});

test("challenges are judged by what a run of their own world has measured", () => {
  const named = challenges.filter(({ show }) => show !== undefined);
  const [loophole, blind] = named as [Challenge, Challenge];
  assert.deepEqual(
    named.map(({ show }) => show),
    [shownBy("boat"), shownBy("pole")],
  );
  assert.equal(textOfChallenge(loophole.show ?? ""), boat.text);
  for (const none of ["challenge.", "challenge.toString", "world.boat", "boat"])
    assert.equal(textOfChallenge(none), null);
  const run = (metric: string, values: number[]) => {
    const series = new Series([{ name: metric, label: metric, unit: "", better: "higher", help: "" }]);
    series.append({ units: values.map((_, i) => i + 1), values: [values] });
    return series;
  };
  const own = { world: "own" };
  assert.equal(judge(loophole, own, run("successes", [0, 95]), lab, []).state, "missed");
  assert.deepEqual(judge(loophole, own, run("successes", [0, NaN, 89]), lab, [given(boat.text)]), {
    state: "open",
    stage: 0,
  });
  assert.deepEqual(judge(loophole, own, run("successes", [0, 95]), lab, [given(boat.text)]), {
    state: "done",
    unit: 2,
  });
  // A score of the visitor's own reward proves nothing.
  assert.equal(judge(loophole, own, run("examReturn", [1e6]), lab, [given(boat.text)]).state, "open");
  const seeing = withLine(pole.text, "observe", "observe x, angle, spin");
  assert.equal(judge(blind, own, run("examReturn", [500]), lab, [given(seeing)]).state, "missed");
  assert.deepEqual(judge(blind, own, run("examReturn", [500]), lab, [given(pole.text)]), { state: "done", unit: 1 });
});
