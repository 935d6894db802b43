// The challenges of the control lab. crates/labs/control/EXPERIMENTS.md says with which settings each was done.

import type { Challenge } from "../../core/challenge";
import { shownBy, worldMismatch } from "./own-world/challenge-worlds";

export const challenges: Challenge[] = [
  {
    title: "CartPole: balance the pole",
    hint: "Let it train, and push the cart now and then.",
    settings: { world: "cartpole" },
    stages: [[{ metric: "examReturn", is: ">=", value: 475 }]],
  },
  {
    title: "CartPole: learn in a single world",
    hint: "One world makes few steps per iteration. Let it make more of them before it learns (horizon).",
    settings: { world: "cartpole", worlds: 1 },
    stages: [[{ metric: "examReturn", is: ">=", value: 475 }]],
  },
  {
    title: "CartPole: make it unlearn, then recover",
    hint: "Turn the learning rate to 0.03 or more for an iteration or two, then back. An agent that has forgotten everything does not recover.",
    settings: { world: "cartpole" },
    stages: [
      [{ metric: "examReturn", is: ">=", value: 475 }],
      [{ metric: "examReturn", is: "<=", value: 350 }],
      [{ metric: "examReturn", is: ">=", value: 475 }],
    ],
  },
  {
    title: "CartPole: solve it with four hidden units",
    hint: "Small networks learn too, but not with every learning rate.",
    settings: { world: "cartpole", hidden: 4 },
    stages: [[{ metric: "examReturn", is: ">=", value: 475 }]],
  },
  {
    title: "MountainCar: reach the flag without reward shaping",
    hint: "Reward shaping is extra reward for gaining energy. Without it nothing tells the car that it comes closer: every step costs a point, so it must first find the flag by chance. More worlds search at once.",
    settings: { world: "mountaincar", shaping: 0 },
    preset: "mountaincar",
    stages: [[{ metric: "examReturn", is: ">=", value: -130 }]],
  },
  {
    title: "The agent found a loophole",
    hint: "“Start” opens a world whose reward is wrong. Train on it, and see what the boat does for its score. Then change the line reward; the other rules stay as they are. For example, reward each step that brings the boat nearer to the harbour.",
    settings: { world: "own" },
    stages: [[{ metric: "successes", is: ">=", value: 90 }]],
    show: shownBy("boat"),
    mismatch: (changes) => worldMismatch("boat", changes),
  },
  {
    title: "Balance without seeing the speeds",
    hint: "“Start” opens a world in which the agent sees positions, but no speeds. Help it without showing the speeds: one position does not tell how fast something moves, two do. Add a state that remembers the last position, and observe it.",
    settings: { world: "own" },
    stages: [[{ metric: "examReturn", is: ">=", value: 450 }]],
    show: shownBy("pole"),
    mismatch: (changes) => worldMismatch("pole", changes),
  },
];
