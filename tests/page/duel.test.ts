// Duels: what counts as a win, links of agents and of duels, and the words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf, compared, quantileOfT, type Paired } from "../../www/core/duel/paired";
import { duelLink, linkOf, linksOf, MAX_LINK, readAgentLink } from "../../www/core/duel/duel-link";
import { randomFrom } from "../../www/core/duel/random";
import type { Duelist } from "../../www/core/duel/duelist";
import { prepared, type Pair } from "../../www/core/duel/duel";
import { entrantOf, isSameAgent } from "../../www/core/duel/restore";
import { defaultRequest, readLink, type AgentRequest } from "../../www/core/link";
import { LABS } from "../../www/generated/labs";
import type { ControlView } from "../../www/generated/protocol";
import { LAB as control } from "../../www/generated/labs/control";
import { LAB as cube } from "../../www/generated/labs/cube";
import { duel as backgammonDuel, matchText, resultOf } from "../../www/labs/backgammon/duel";
import { duel as controlDuel, episode } from "../../www/labs/control/duel";
import { duel as cubeDuel } from "../../www/labs/cube/duel";
import { duel as logicDuel } from "../../www/labs/logic/duel";
import { headsOf, intervalWords, numberText, remark, resultText, rowsOf, verdict } from "../../www/ui/duel/words";

const WORDS = { unit: "steps", digits: 1, counts: "episodes", lead: (number: string) => `${number} steps more` };

test("a lead counts only if the interval and the randomisation test agree", () => {
  const zeros = Array<number>(50).fill(0);
  const differ = (count: number) => zeros.map((_, i) => (i < count ? 1 : 0));
  // Five differences of the same sign have an interval beyond zero, and yet a chance of 1 in 16.
  const five = compared(differ(5), zeros, 1);
  assert.ok(five.lead > five.margin && five.isChance);
  assert.ok(!compared(differ(6), zeros, 1).isChance);
  assert.deepEqual(compared(zeros, zeros, 1), {
    tasks: 50,
    means: [0, 0],
    lead: 0,
    margin: 0,
    won: [0, 0],
    isChance: true,
  });
  const less = compared(zeros, differ(20), -1);
  assert.ok(less.lead > 0 && !less.isChance && less.won[0] === 20);
  assert.ok(Number.isNaN(compared([1], [0], 1).margin) && compared([1], [0], 1).isChance, "one task says nothing");
});

test("equal agents seldom win: at most one duel in twenty", () => {
  const random = randomFrom(7);
  const results = () => Array.from({ length: 30 }, () => Math.round(3 * random() ** 4));
  let wins = 0;
  for (let i = 0; i < 300; i++) if (!compared(results(), results(), 1).isChance) wins++;
  assert.ok(wins <= 24, `${wins} of 300`); // 15 are expected at most, with a standard deviation below 4
});

test("probabilities and quantiles are those of the tables", () => {
  assert.equal(chanceOf([1, 1, 1, 1, 1]), 2 / 32);
  assert.equal(chanceOf([3, -1]), 1);
  assert.equal(chanceOf([]), 1);
  assert.ok(chanceOf(Array<number>(20).fill(0.1)) < 0.001);
  for (const [degrees, t] of [
    [5, 2.5706],
    [10, 2.2281],
    [30, 2.0423],
    [49, 2.0096],
    [1000, 1.9623],
  ] as const)
    assert.ok(Math.abs(quantileOfT(degrees) - t) < 0.003, `${degrees}: ${quantileOfT(degrees)}`);
});

/** A comparison over 50 tasks. `isChance`: the randomisation test does not find the lead significant. */
const paired = (lead: number, margin: number, isChance: boolean): Paired => ({
  tasks: 50,
  means: [lead, 0],
  lead,
  margin,
  won: [30, 20],
  isChance,
});

test("the verdict calls nothing a win that chance could explain", () => {
  assert.equal(
    verdict(paired(12.34, 4.01, false), WORDS),
    "The first agent wins with 12.3 steps more on average, give or take 4.1.",
  );
  assert.match(verdict(paired(-12.34, 4.01, false), WORDS), /^The second agent wins with 12\.3 steps more/);
  assert.match(
    verdict(paired(3, 4, true), WORDS),
    /^No winner\. The first agent is ahead with 3\.0 steps more .* chance could/,
  );
  assert.match(verdict(paired(3, 2, true), WORDS), /^No winner\./);
  assert.match(verdict(paired(0.01, 4, true), WORDS), /^No winner\. Both are level, give or take 4\.0 steps/);
  assert.match(verdict(paired(0, 0, true), WORDS), /^A draw: both had the same result in each of the 50 episodes\.$/);
  assert.match(
    intervalWords(paired(3, 4, true), WORDS),
    /^The first agent's lead .* from −1\.0 to 7\.0 steps .* It contains 0, so this is no win/,
  );
  assert.match(intervalWords(paired(-5.5, 2.5, false), WORDS), /^The second agent's lead .* from 3\.0 to 8\.0 steps/);
  assert.equal(intervalWords(paired(1, NaN, true), WORDS), "");
  assert.equal(headsOf(WORDS)[2], "Episodes in which it was better");
  assert.equal(headsOf({ ...WORDS, wonCounts: "games" })[2], "Games won");
  assert.match(intervalWords(paired(3, 2, true), WORDS), /randomisation test/);
  assert.match(intervalWords(paired(3, 2, false), WORDS), /so this is a win/);
  assert.equal(numberText(-0.01, 1), "0.0");
});

test("rounding never hides why a lead is a win", () => {
  const narrow = paired(1.64, 1.61, false);
  assert.equal(verdict(narrow, WORDS), "The first agent wins with 1.64 steps more on average, give or take 1.61.");
  assert.match(intervalWords(narrow, WORDS), /from 0\.03 to 3\.25 steps .* does not contain 0, so this is a win/);
  const side = { title: "The first agent", origin: "the open run", restored: null };
  assert.equal(rowsOf([side], narrow, WORDS)[0]?.[1], "1.64");
  // Not significant by the randomisation test alone: two decimals, so that one sees that the interval does not contain 0.
  assert.match(verdict(paired(-1.64, 1.61, true), WORDS), /second agent is ahead with 1\.64 .* take 1\.61, which/);
  // All tasks with the same tiny difference.
  assert.match(verdict(paired(0.04, 0, false), WORDS), /wins with 0\.04 steps more on average, give or take 0\.00\.$/);
  // An interval that contains 0 says so with the usual digits.
  assert.match(verdict(paired(1.61, 1.64, true), WORDS), /1\.6 steps more on average, give or take 1\.7, which/);
  for (let i = 1; i < 400; i++) {
    const [lead, margin] = [(i * 1.037) % 9.1, (i * 0.731) % 9.1];
    const isWin = lead > margin;
    const text = verdict(paired(lead, margin, !isWin), { ...WORDS, digits: 0 });
    const [, ahead = "", give = ""] = /with ([\d.]+) .* take ([\d.]*\d)/.exec(text) ?? [];
    if (ahead !== "") assert.equal(Number(ahead) > Number(give), isWin, `${lead} ± ${margin}: ${text}`);
    else assert.match(text, /Both are level/);
  }
});

test("the text says which agent is not the sender's", () => {
  const side = (restored: "same" | "different" | "otherRounding" | "unchecked" | null) => ({
    title: "The second agent",
    origin: "from its link",
    restored,
  });
  assert.equal(remark(side("same")), null);
  assert.equal(remark(side(null)), null);
  assert.match(remark(side("different")) ?? "", /checksum \(fingerprint\) differs/);
  assert.match(remark(side("otherRounding")) ?? "", /rounds numbers in another way/);
  const sides = [{ ...side(null), title: "The first agent" }, side("unchecked")];
  const text = resultText(sides, compared([3, 4], [1, 1], 1), { ...WORDS, rule: "The rule." }, "https://x/#/control");
  for (const part of ["No winner", "The rule.", "no checksum (fingerprint)", "https://x/#/control"])
    assert.ok(text.includes(part));
});

test("links of agents are read, and others are refused in a sentence", async () => {
  const problem = async (text: string) => {
    const read = await readAgentLink(text, control);
    return "problem" in read ? read.problem : "";
  };
  for (const text of ["", "hello", "https://example.org", "#/", "#/nowhere?units=3", "#/control/x?units=3"])
    assert.match(await problem(text), /no link to a run/, text);
  assert.match(await problem("#/cube?units=3"), /leads to Cube, and the open lab is Control/);
  assert.match(await problem("#/control?seed=3"), /does not say how long/);
  assert.match(await problem("#/control?seed=3&wurlds=5&units=3"), /cannot be read as a whole/);
  assert.match(await problem("#/control?data=0:AAAA&units=3"), /cannot be read as a whole/);
  assert.match(await problem(`#/control?units=3&${"x".repeat(40_000)}`), /too long/);
  const read = await readAgentLink(
    "  https://x.org/some/#/control?seed=3&worlds=32&units=5&moment=broken&story=1 ",
    control,
  );
  assert.ok("request" in read);
  assert.equal(await linkOf(read.request), "#/control?seed=3&worlds=32&units=5");
});

test("the link of a duel has both agents, and is refused when it is too long", async () => {
  const [first, second] = ["#/control?seed=1&units=4", "#/control?seed=2&change=3:clip=0.1&units=5"];
  const link = duelLink("https://x.org/", first, second) ?? "";
  const { request, problems } = await readLink(new URL(link).hash, LABS);
  assert.ok(request);
  assert.deepEqual(problems, []);
  assert.deepEqual(await linksOf(request), [first, second]);
  assert.equal(duelLink("", first, `${second}&data=0:${"A".repeat(MAX_LINK)}`), null);
});

const duelist = (lab: Duelist["lab"], settings: Duelist["settings"], data: Duelist["data"] = null): Duelist => ({
  lab,
  settings,
  data,
  bytes: new Uint8Array(),
  units: 1,
  bundle: {} as Duelist["bundle"],
});

test("unlike agents do not meet", () => {
  const refused = (duel: typeof controlDuel, first: Duelist, second: Duelist) => {
    const plan = duel.plan([first, second] satisfies Pair);
    return typeof plan === "string" ? plan : "";
  };
  const world = (name: string, text?: string) =>
    duelist(control, { world: name }, text === undefined ? null : { type: "world", text });
  assert.match(refused(controlDuel, world("cartpole"), world("pendulum")), /different worlds/);
  assert.match(refused(controlDuel, world("own", "a"), world("own", "b")), /different rules/);
  assert.equal(refused(controlDuel, world("own", "a"), world("own", "a")), "");
  const puzzle = (name: string, metric = "quarter") => duelist(cube, { puzzle: name, metric });
  assert.match(refused(cubeDuel, puzzle("2x2x2"), puzzle("3x3x3")), /same cube/);
  assert.match(refused(cubeDuel, puzzle("2x2x2"), puzzle("2x2x2", "half")), /count turns alike/);
  // These two do not ask which lab a duelist is of.
  const experiment = (name: string, planes?: string) =>
    duelist(control, { experiment: name }, planes === undefined ? null : { type: "target", planes });
  assert.match(refused(logicDuel, experiment("life"), experiment("async")), /different experiments/);
  assert.match(refused(logicDuel, experiment("letter", "01"), experiment("letter")), /different pictures/);
  assert.equal(refused(logicDuel, experiment("letter", ""), experiment("letter")), "", "an empty drawing is none");
  assert.equal(refused(backgammonDuel, duelist(control, {}), duelist(control, {})), "");
});

test("the match after a duel of backgammon names who won it, by how much, and that it says little", () => {
  const output = { score: [4, 8] as [number, number], length: 7, games: 5, plies: 0, seed: 0, file: "" };
  assert.match(
    matchText(output),
    /one match to 7 points .* The second agent won it 8 to 4, in 5 games\. .*says little/,
  );
  assert.match(matchText({ ...output, score: [7, 0], games: 1 }), /The first agent won it 7 to 0, in 1 game\./);
});

test("the games of a backgammon duel are a comparison of pairs of games", () => {
  const output = {
    points: 0.2,
    margin: 0.05,
    pairs: 500,
    asked: 500,
    games: 1000,
    wins: 600,
    gammonsWon: 9,
    gammonsLost: 4,
    plies: 0,
    seed: 0,
  };
  assert.deepEqual(resultOf(output), {
    tasks: 500,
    means: [0.2, -0.2],
    lead: 0.2,
    margin: 0.05,
    won: [600, 400],
    isChance: false,
  });
  assert.ok(resultOf({ ...output, points: 0.04 }).isChance);
});

test("agents that cannot meet are refused before a run is repeated", async () => {
  const requests = async (...links: string[]) => {
    const reads = await Promise.all(links.map((link) => readAgentLink(link, control)));
    return reads.map((read) => {
      assert.ok("request" in read);
      return entrantOf(read.request);
    }) as [ReturnType<typeof entrantOf>, ReturnType<typeof entrantOf>];
  };
  const repeatedRuns: number[] = [];
  const prepare = (names: [string, string]) => (i: 0 | 1) => {
    repeatedRuns.push(i);
    return Promise.resolve({ duelist: duelist(control, { world: names[i] }) });
  };
  const refused = await prepared(
    controlDuel,
    await requests("#/control?units=4", "#/control?world=pendulum&units=1"),
    prepare(["cartpole", "pendulum"]),
  );
  assert.ok("problem" in refused);
  assert.match(refused.problem, /different worlds/);
  assert.deepEqual(repeatedRuns, []);
  const same = await requests("#/control?world=pendulum&seed=3&units=4", "#/control?world=pendulum&units=1");
  const met = await prepared(controlDuel, same, prepare(["pendulum", "pendulum"]));
  assert.ok("plan" in met);
  assert.deepEqual(repeatedRuns, [0, 1]);
  // What the runs have in the end counts too.
  assert.ok("problem" in (await prepared(controlDuel, same, prepare(["pendulum", "cartpole"]))));
});

test("an entrant has all settings of its run, and its last data", () => {
  const change = (unit: number, settings: object, data: Duelist["data"] = null) =>
    ({ unit, settings: { ...settings }, seed: null, data }) as AgentRequest["changes"][number];
  const last = { type: "world", text: "b" };
  const changes = [
    change(0, {}, { type: "world", text: "a" }),
    change(2, { clip: 0.1 }, last),
    change(3, { clip: 0.3 }),
  ];
  const { settings, data } = entrantOf({ lab: control, settings: { world: "own" }, changes });
  assert.deepEqual(data, last);
  assert.equal(settings["world"], "own");
  assert.equal(settings["clip"], 0.3);
  for (const { name } of control.fields) assert.ok(name in settings, name);
});

test("the open run takes part if it is that of the link", () => {
  const request = (part: Partial<AgentRequest> = {}): AgentRequest => ({
    ...defaultRequest(control),
    units: 4,
    seed: 3,
    ...part,
  });
  const own = request({ settings: entrantOf(request()).settings, device: "cpu", bits: "fused:0123456789abcdef" });
  const same = (asked: AgentRequest) => isSameAgent(own, asked, "fused");
  assert.ok(same(request({ bits: "fused:01234567" })), "the fingerprint of a link is shorter");
  assert.ok(same(request()), "a run without a fingerprint is determined by its start");
  assert.ok(!isSameAgent(own, request(), "plain"));
  for (const other of [
    request({ bits: "fused:01234568" }),
    request({ units: 5, bits: "fused:01234567" }),
    request({ seed: 4 }),
    request({ settings: { worlds: 32 } }),
    request({ device: "gpu" }),
    request({ changes: [{ unit: 0, settings: {}, seed: null, data: { type: "world", text: "a" } }] }),
  ])
    assert.ok(!same(other), JSON.stringify(other.settings));
});

/**
 * The stage of a world of the visitor's own that has a reward of 1 each step, and a large one for success. From the step
 * `nearEnd` on, a view of a quarter of a second could go beyond the last step of the episode, so `episode` must ask for
 * views of one step. Of 1,000 steps that is the last but 60 (a step lasts at least 1/240 s), less one for rounding.
 */
function ownStage(secondsPerStep: number, limit: number | null, successAt = Infinity, nearEnd = 939) {
  let [leftover, steps] = [0, 0];
  return {
    /** The most steps of one view that began at `nearEnd` or later. */
    mostSteps: 0,
    view(seconds: number) {
      const before = steps;
      leftover += seconds;
      while (leftover >= secondsPerStep) {
        leftover -= secondsPerStep;
        if (steps < Math.min(limit ?? Infinity, successAt)) steps++;
      }
      if (before >= nearEnd) this.mostSteps = Math.max(this.mostSteps, steps - before);
      const over = steps >= Math.min(limit ?? Infinity, successAt);
      const score = steps >= successAt ? 10_000 : steps;
      return Promise.resolve({ stage: { steps, score, episode: 0, over }, own: { limit } } as unknown as ControlView);
    },
  };
}

test("control: an episode of an own world ends at the limit of its text, or after exactly 1,000 steps", async () => {
  for (const seconds of [1 / 240, 0.01, 0.02, 0.0375, 0.05, 0.07, 0.13, 0.25]) {
    const endless = ownStage(seconds, null);
    assert.deepEqual(await episode(endless, "own"), { result: 1000, limit: 1000 }, `steps of ${seconds} s`);
    assert.equal(endless.mostSteps, 1, `steps of ${seconds} s`);
    assert.deepEqual(await episode(ownStage(seconds, 1500), "own"), { result: 1500, limit: 1500 });
    assert.deepEqual(await episode(ownStage(seconds, 7), "own"), { result: 7, limit: 7 });
  }
  // In a built-in world, too, the score is that of the last step, however a step of 1/20 s is rounded. A result of Pendulum
  // counts points that are lost, so it is the negative score, here of a stage with 1 a step. Pendulum has
  // 200 steps, and five in a quarter of a second, so its last view of that length begins before step 194.
  for (const step of [0.04999, 0.05, Math.fround(0.05)]) {
    const pendulum = ownStage(step, null, Infinity, 194);
    assert.equal((await episode(pendulum, "pendulum")).result, -200, `steps of ${step} s`);
    assert.equal(pendulum.mostSteps, 1, `steps of ${step} s`);
  }
  // A success after step 1,000 is one.
  assert.deepEqual(await episode(ownStage(0.02, 1500, 1200), "own"), { result: 10_000, limit: 1500 });
});
