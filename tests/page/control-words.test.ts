// The words of the control lab: its stories, and what it explains.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LAB } from "../../www/generated/labs/control";
import { aboutWords } from "../../www/labs/control/about-words";
import { WORLD_KINDS } from "../../www/labs/control/worlds/list";
import { story } from "../../www/labs/control/story";
import { checkExplained, checkStory } from "./lab-words";

checkExplained("control", [
  "critic",
  "value function",
  "advantage",
  "environment step",
  "discount factor",
  "policy entropy",
  "return",
  "expected return",
  "state",
  "reward shaping",
]);

test("number of the critic beside a world has a name that is explained, and says what it adds up", () => {
  for (const { name, readouts } of Object.values(WORLD_KINDS)) {
    const { label, help } = readouts.at(-1) as (typeof readouts)[number];
    assert.equal(label, "expected return", name);
    assert.match(help, /^The (steps|rewards).* still to come, as the critic estimates them/, name);
  }
});

checkStory("CartPole", story, { world: "cartpole" }, [
  [{}, null],
  [{ examReturn: 9.4 }, /^The pole falls after 9 steps, as if it were pushed to one side only\.$/],
  [{ examReturn: 22 }, /^The pole falls after 22 steps; with pushes at random it falls after about 20\.$/],
  [{ examReturn: 60 }, /^It balances the pole for 60 of 500 steps on average\.$/],
  [{ examReturn: 300 }, /^It balances the pole for 300 of 500 steps on average\.$/],
  [{ examReturn: 495 }, /^Solved.*495 of 500 steps on average\. Push it\.$/, { solved: true }],
  [
    { examReturn: 500 },
    /^Solved\. It balances the pole for all 500 steps, in every try of the last test\. Push it\.$/,
    { solved: true },
  ],
  [{ examReturn: 20 }, /^It has become worse\./, { solved: true, lost: true }],
]);
checkStory("MountainCar", story, { world: "mountaincar" }, [
  [{ examReturn: -200 }, /never reached the flag/],
  [{ examReturn: -130 }, /reaches the flag after 130 steps/],
]);
checkStory("Acrobot", story, { world: "acrobot" }, [
  [{ examReturn: -500 }, /never swung up/],
  [{ examReturn: -90 }, /in 90 steps/],
]);
checkStory("a world of the visitor's own", story, { world: "own" }, [
  [{}, null],
  [{ examReturn: -3.25 }, /^It scores −3\.25 in your world, on average\.$/],
  // A world without `succeed` has no successes to tell of.
  [{ examReturn: 290, successes: 0 }, /in your world, on average\. 0% of its attempts end as a success\.$/],
  [{ examReturn: 17, successes: 99.5 }, /99\.5% of its attempts/],
  [{ examReturn: 110 }, /^Solved\. It scores 110 .* Try to do better\.$/, { solved: true }],
]);
checkStory("Pendulum", story, { world: "pendulum" }, [
  [{ examReturn: -1300 }, /without aim/],
  [{ examReturn: -150 }, /stays there: it loses 150 points per attempt/],
]);

test("goal and picture are told of the run's own world alone, with the numbers of the lab", () => {
  const { about } = LAB;
  const numbers = { cartpole: "490 of 500 steps", mountaincar: "within 105 steps", acrobot: "within 88 steps" };
  for (const number of Object.values(numbers)) assert.ok(about.goal.includes(number), number);
  for (const world of ["cartpole", "mountaincar", "pendulum", "acrobot", "own"] as const) {
    const { goal, picture } = aboutWords(about, world);
    for (const [of, number] of Object.entries(numbers)) assert.equal(goal.includes(number), of === world, goal);
    for (const { name } of Object.values(WORLD_KINDS)) assert.ok(!goal.includes(name), goal);
    assert.equal(picture.includes("CartPole"), world === "cartpole", picture);
  }
});
