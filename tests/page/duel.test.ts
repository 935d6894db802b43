// Duels: what counts as a win, links of agents and of duels, and the words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf, compared, quantileOfT, type Paired } from "../../www/core/duel/paired";
import { duelLink, linkOf, linksOf, MAX_LINK, readAgentLink } from "../../www/core/duel/duel-link";
import { randomFrom } from "../../www/core/duel/random";
import type { Duelist } from "../../www/core/duel/duelist";
import type { Pair } from "../../www/core/duel/duel";
import { readLink } from "../../www/core/link";
import { LABS } from "../../www/generated/labs";
import { LAB as control } from "../../www/generated/labs/control";
import { LAB as cube } from "../../www/generated/labs/cube";
import { duel as backgammonDuel, resultOf } from "../../www/labs/backgammon/duel";
import { duel as controlDuel } from "../../www/labs/control/duel";
import { duel as cubeDuel } from "../../www/labs/cube/duel";
import { duel as logicDuel } from "../../www/labs/logic/duel";
import { intervalWords, numberText, remark, resultText, verdict } from "../../www/ui/duel/words";

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

test("the verdict calls nothing a win that chance could explain", () => {
  const paired = (lead: number, margin: number, isChance: boolean): Paired => ({
    tasks: 50,
    means: [lead, 0],
    lead,
    margin,
    won: [30, 20],
    isChance,
  });
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
  assert.match(verdict(paired(0, 0, true), WORDS), /^A draw\. Over 50 episodes/);
  assert.match(intervalWords(paired(3, 4, true), WORDS), /from −1\.0 to 7\.0 steps\. It contains 0, so this is no win/);
  assert.match(intervalWords(paired(3, 2, true), WORDS), /randomisation test/);
  assert.match(intervalWords(paired(3, 2, false), WORDS), /so this is a win/);
  assert.equal(numberText(-0.01, 1), "0.0");
});

test("the text says which agent is not the sender's", () => {
  const side = (restored: "same" | "different" | "otherRounding" | "unchecked" | null) => ({
    title: "The second agent",
    origin: "from its link",
    restored,
  });
  assert.equal(remark(side("same")), null);
  assert.equal(remark(side(null)), null);
  assert.match(remark(side("different")) ?? "", /another fingerprint/);
  assert.match(remark(side("otherRounding")) ?? "", /another run of the same experiment/);
  const sides = [{ ...side(null), title: "The first agent" }, side("unchecked")];
  const text = resultText(sides, compared([3, 4], [1, 1], 1), { ...WORDS, rule: "The rule." }, "https://x/#/control");
  for (const part of ["No winner", "The rule.", "no fingerprint", "https://x/#/control"])
    assert.ok(text.includes(part));
});

test("links of agents are read, and others are refused in a sentence", async () => {
  const problem = async (text: string) => {
    const read = await readAgentLink(text, control);
    return "problem" in read ? read.problem : "";
  };
  for (const text of ["", "hello", "https://example.org", "#/", "#/nowhere?units=3"])
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
  const experiment = (name: string, planes?: string) =>
    duelist(control, { experiment: name }, planes === undefined ? null : { type: "target", planes });
  assert.match(refused(logicDuel, experiment("life"), experiment("async")), /different experiments/);
  assert.match(refused(logicDuel, experiment("letter", "01"), experiment("letter")), /different pictures/);
  assert.equal(refused(logicDuel, experiment("letter", ""), experiment("letter")), "", "an empty drawing is none");
  assert.equal(refused(backgammonDuel, duelist(control, {}), duelist(control, {})), "");
});

test("a match of backgammon is a comparison of pairs of games", () => {
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
