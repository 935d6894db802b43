// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "control",
    "title": "Control",
    "tagline": "A pole on a cart, a car in a valley, a pendulum, two linked rods: one learner, many worlds at once.",
    "agent": "Two small networks: the actor chooses what to do, the critic guesses what is still to be earned.",
    "goal": "CartPole: keep the pole up for 500 steps. MountainCar: reach the flag in fewer than 110. Pendulum: swing up and stand still. Acrobot: swing over the line in fewer than 100 steps. A hundred fresh greedy episodes judge it by their mean return; a run stops a little above the usual mark (475, −110, −200, −100) to be on the safe side.",
    "picture": "The wall shows the worlds it learns from. The large one runs apart from training in real time: push it. The map shows how good the critic thinks each state is.",
    "work": "world steps",
    "unit": "iteration",
    "presets": [
      {
        "name": "standard",
        "help": "Solves CartPole in a few seconds.",
        "settings": "{}"
      },
      {
        "name": "mountaincar",
        "help": "The weak car, shown the way by the energy it gains.",
        "settings": "{\"world\": \"mountaincar\", \"worlds\": 16, \"horizon\": 200, \"normalise_observations\": true,\n    \"shaping\": 10.0}"
      },
      {
        "name": "pendulum",
        "help": "Swing up and hold, with a motor of any torque.",
        "settings": "{\"world\": \"pendulum\", \"worlds\": 16, \"horizon\": 200, \"minibatches\": 16, \"gamma\": 0.95,\n    \"reward_scale\": 0.1}"
      },
      {
        "name": "acrobot",
        "help": "Two linked rods, a motor between them.",
        "settings": "{\"world\": \"acrobot\", \"entropy_weight\": 0.01, \"gae_lambda\": 0.9}"
      },
      {
        "name": "sprint",
        "help": "Solves CartPole in the least time: fewer poles, shorter looks.",
        "settings": "{\"worlds\": 32, \"horizon\": 64, \"epochs\": 6, \"minibatches\": 16}"
      },
      {
        "name": "fast",
        "help": "The most steps a second that still solve CartPole: smaller networks, fewer looks at each step.",
        "settings": "{\"worlds\": 1024, \"horizon\": 32, \"hidden\": 32, \"epochs\": 2, \"minibatches\": 16,\n    \"learning_rate\": 0.003}"
      },
      {
        "name": "crowd",
        "help": "2,048 poles at once: more experience in each iteration, fewer iterations.",
        "settings": "{\"worlds\": 2048, \"horizon\": 32, \"minibatches\": 32}"
      },
      {
        "name": "hermit",
        "help": "A single pole, as in the first papers: watch how much harder it is.",
        "settings": "{\"worlds\": 1, \"horizon\": 512, \"minibatches\": 4}"
      }
    ],
    "metrics": [
      {
        "name": "examReturn",
        "label": "examination",
        "help": "Mean return of greedy fresh episodes nobody learns from.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "return",
        "label": "training return",
        "help": "Mean return of the episodes that ended while collecting.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "episodes",
        "label": "episodes",
        "help": "Episodes that ended while collecting.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "entropy",
        "label": "entropy",
        "help": "How undecided the actor is: of two actions 0.693 is a coin toss, 0 is certainty.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "policyLoss",
        "label": "policy loss",
        "help": "The clipped objective, negated.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "valueLoss",
        "label": "value loss",
        "help": "Mean squared error of the critic.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "explained",
        "label": "explained variance",
        "help": "Share of the variation of returns that the critic foresaw; 1 is all of it.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "kl",
        "label": "KL divergence",
        "help": "How far an iteration moved the actor.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "clipped",
        "label": "clipped share",
        "help": "Share of samples whose update was held back by the clip.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "gradNorm",
        "label": "gradient norm",
        "help": "Mean length of the gradient before clipping.",
        "unit": "",
        "better": "neither"
      }
    ],
    "charts": [
      "examReturn",
      "return",
      "entropy",
      "valueLoss",
      "explained",
      "kl"
    ]
  },
  "fields": [
    {
      "name": "world",
      "help": "The world to learn: balance a pole, drive out of a valley, swing up a pendulum or two linked rods.",
      "kind": "choice",
      "options": [
        "cartpole",
        "mountaincar",
        "pendulum",
        "acrobot"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "cartpole"
    },
    {
      "name": "worlds",
      "help": "Worlds that run side by side.",
      "kind": "integer",
      "min": 1.0,
      "max": 65536.0,
      "unit": "worlds",
      "live": false,
      "log": true,
      "default": 128
    },
    {
      "name": "horizon",
      "help": "Steps taken in every world before the networks are updated.",
      "kind": "integer",
      "min": 1.0,
      "max": 4096.0,
      "unit": "steps",
      "live": false,
      "log": true,
      "default": 32
    },
    {
      "name": "hidden",
      "help": "Neurons in each of the two hidden layers of either network.",
      "kind": "integer",
      "min": 4.0,
      "max": 512.0,
      "unit": "neurons",
      "live": false,
      "log": true,
      "default": 64
    },
    {
      "name": "epochs",
      "help": "How often each collected step is learned from.",
      "kind": "integer",
      "min": 1.0,
      "max": 50.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 10
    },
    {
      "name": "minibatches",
      "help": "Into how many parts the collected steps are split in each epoch.",
      "kind": "integer",
      "min": 1.0,
      "max": 256.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 8
    },
    {
      "name": "learning_rate",
      "help": "How far each update moves the weights (Adam).",
      "kind": "number",
      "min": 0.0,
      "max": 0.1,
      "unit": "",
      "live": true,
      "log": true,
      "default": 0.001
    },
    {
      "name": "anneal",
      "help": "The learning rate falls evenly to a tenth over so many iterations; 0 for never.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "default": 0
    },
    {
      "name": "gamma",
      "help": "How much a reward counts for each step it lies in the future.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.99
    },
    {
      "name": "gae_lambda",
      "help": "Between trusting the critic (0) and trusting what happened (1) when judging an action.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.95
    },
    {
      "name": "clip",
      "help": "How far an action's probability may move, as a ratio, before an update stops pushing it.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.2
    },
    {
      "name": "value_clip",
      "help": "How far the critic may move in an iteration before an update stops pushing it; 0 for any.",
      "kind": "number",
      "min": 0.0,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0
    },
    {
      "name": "target_kl",
      "help": "An iteration's learning ends early once the actor has moved so far; 0 for never.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "nats",
      "live": true,
      "log": false,
      "default": 0.0
    },
    {
      "name": "entropy_weight",
      "help": "Reward for keeping an open mind: weight of the policy's entropy.",
      "kind": "number",
      "min": 0.0,
      "max": 0.5,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0
    },
    {
      "name": "value_weight",
      "help": "Weight of the critic's error.",
      "kind": "number",
      "min": 0.0,
      "max": 10.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.5
    },
    {
      "name": "max_grad_norm",
      "help": "Longest gradient allowed; longer ones are shortened to this.",
      "kind": "number",
      "min": 0.001,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 0.5
    },
    {
      "name": "normalise_advantages",
      "help": "Whether advantages are brought to mean 0 and spread 1 in each minibatch.",
      "kind": "switch",
      "unit": "",
      "live": true,
      "log": false,
      "default": true
    },
    {
      "name": "normalise_observations",
      "help": "Whether what is seen is brought to mean 0 and spread 1, by all that was seen so far.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "default": false
    },
    {
      "name": "reward_scale",
      "help": "Rewards are multiplied by this before they are learned from; figures show them as they are.",
      "kind": "number",
      "min": 0.0001,
      "max": 100.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 1.0
    },
    {
      "name": "shaping",
      "help": "Weight of a reward for gaining energy that leaves the best way of acting what it is (Ng, Harada and Russell, 1999); MountainCar only.",
      "kind": "number",
      "min": 0.0,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0
    },
    {
      "name": "initial_spread",
      "help": "How widely a motor's torque is tried out at first: the spread of the untrained policy. Pendulum only.",
      "kind": "number",
      "min": 0.01,
      "max": 10.0,
      "unit": "",
      "live": false,
      "log": false,
      "default": 1.0
    },
    {
      "name": "eval_every",
      "help": "A greedy examination is held every so many iterations; 0 for never.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "default": 1
    },
    {
      "name": "eval_episodes",
      "help": "Episodes in an examination.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "episodes",
      "live": false,
      "log": true,
      "default": 100
    }
  ]
};
