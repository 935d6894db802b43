// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "control",
    "title": "Control",
    "tagline": "A pole on a cart, a car in a valley, a pendulum, two linked rods: one learner, many worlds at once.",
    "agent": "Two small networks: the actor chooses actions, the critic predicts the reward still to come. Both learn by PPO.",
    "goal": "CartPole: keep the pole up for 500 steps. MountainCar: reach the flag in fewer than 110 steps. Pendulum: swing up and stay up. Acrobot: swing above the line in fewer than 100 steps. The score is the mean return of a hundred fresh episodes without exploration. A run stops a little above the usual threshold (475, −110, −200, −100), so that another hundred episodes confirm it.",
    "picture": "The small pictures are the worlds the agent learns from. The large one runs in real time, apart from training: push it! The map shows how much reward the critic expects from each state.",
    "work": "world steps",
    "unit": "iteration",
    "presets": [
      {
        "name": "standard",
        "title": "Balance a pole",
        "help": "Solves CartPole in a few seconds.",
        "settings": "{}"
      },
      {
        "name": "mountaincar",
        "title": "Drive out of a valley",
        "help": "A car too weak to climb straight out of its valley, rewarded for every bit of energy it gains.",
        "settings": "{\"world\": \"mountaincar\", \"worlds\": 16, \"horizon\": 200, \"normalise_observations\": true,\n    \"shaping\": 10.0}"
      },
      {
        "name": "pendulum",
        "title": "Swing up a pendulum",
        "help": "Swing the pendulum up and keep it there, choosing any torque.",
        "settings": "{\"world\": \"pendulum\", \"worlds\": 16, \"horizon\": 200, \"minibatches\": 16, \"gamma\": 0.95,\n    \"reward_scale\": 0.1}"
      },
      {
        "name": "acrobot",
        "title": "Swing up two rods",
        "help": "Two linked rods with a motor only at the joint between them.",
        "settings": "{\"world\": \"acrobot\", \"entropy_weight\": 0.01, \"gae_lambda\": 0.9}"
      },
      {
        "name": "sprint",
        "title": "Balance a pole in record time",
        "help": "Solves CartPole in the least time, with fewer worlds and fewer passes over each batch.",
        "settings": "{\"worlds\": 32, \"horizon\": 64, \"epochs\": 6, \"minibatches\": 16}"
      },
      {
        "name": "fast",
        "title": "Most steps a second",
        "help": "As many steps a second as possible while still solving CartPole: smaller networks, two passes over each batch.",
        "settings": "{\"worlds\": 1024, \"horizon\": 32, \"hidden\": 32, \"epochs\": 2, \"minibatches\": 16,\n    \"learning_rate\": 0.003}"
      },
      {
        "name": "crowd",
        "title": "Two thousand poles",
        "help": "2,048 worlds at once: each iteration gathers more experience, so it needs fewer iterations.",
        "settings": "{\"worlds\": 2048, \"horizon\": 32, \"minibatches\": 32}"
      },
      {
        "name": "hermit",
        "title": "A single pole",
        "help": "A single world, as in the first papers. Watch how much harder that is.",
        "settings": "{\"worlds\": 1, \"horizon\": 512, \"minibatches\": 4}"
      }
    ],
    "metrics": [
      {
        "name": "examReturn",
        "label": "evaluation return",
        "help": "Mean return of new episodes, played without exploration and not learned from.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "return",
        "label": "training return",
        "help": "Mean return of the training episodes that ended in this iteration.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "episodes",
        "label": "episodes",
        "help": "Training episodes that ended in this iteration.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "entropy",
        "label": "entropy",
        "help": "How random the policy is. With two actions, 0.693 is a coin toss and 0 is certainty.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "policyLoss",
        "label": "policy loss",
        "help": "PPO's clipped objective, negated.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "valueLoss",
        "label": "value loss",
        "help": "Mean squared error of the critic's predictions.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "explained",
        "label": "explained variance",
        "help": "The fraction of the variance of returns that the critic predicts. 1 is perfect, 0 no better than a constant.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "kl",
        "label": "KL divergence",
        "help": "How far an iteration changed the policy.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "clipped",
        "label": "clipped fraction",
        "help": "The fraction of samples whose policy gradient was set to zero by the clip.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "gradNorm",
        "label": "gradient norm",
        "help": "Mean norm of the gradient before clipping.",
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
      "help": "What to learn: balance a pole, drive out of a valley, swing up a pendulum or two linked rods.",
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
      "help": "Worlds that the agent acts in at the same time.",
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
      "help": "Steps in every world between two updates of the networks.",
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
      "help": "Neurons in each of the two hidden layers, in both networks.",
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
      "help": "Passes over the collected steps in each iteration.",
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
      "help": "Each epoch splits the collected steps into this many minibatches.",
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
      "help": "Step size of the optimiser, Adam.",
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
      "help": "The learning rate falls linearly to a tenth over this many iterations; 0 keeps it constant.",
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
      "help": "Discount factor: a reward's weight is multiplied by this for each step that it lies in the future.",
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
      "help": "GAE's lambda: 0 estimates advantages from the critic alone, 1 from the observed rewards alone.",
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
      "help": "PPO's clip: once an action has become this fraction more or less likely, updates stop pushing it further.",
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
      "help": "Once the critic's value of a state has moved this far in an iteration, updates stop pushing it; 0 for no limit.",
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
      "help": "Learning stops early in an iteration when an epoch's mean KL divergence exceeds this; 0 for no limit.",
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
      "help": "Weight of the entropy bonus, which rewards the policy for exploring.",
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
      "help": "Weight of the critic's squared error in the loss.",
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
      "help": "Gradients with a larger norm are scaled down to this norm.",
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
      "help": "Normalise advantages to mean 0 and standard deviation 1 in each minibatch.",
      "kind": "switch",
      "unit": "",
      "live": true,
      "log": false,
      "default": true
    },
    {
      "name": "normalise_observations",
      "help": "Normalise observations to mean 0 and standard deviation 1 over everything seen so far.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "default": false
    },
    {
      "name": "reward_scale",
      "help": "Rewards are multiplied by this before they are learned from. Charts show them unscaled.",
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
      "help": "Extra reward for gaining mechanical energy, MountainCar only. Being potential-based, it leaves the optimal policy unchanged (Ng, Harada and Russell, 1999).",
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
      "help": "Standard deviation of the torque under the untrained policy, Pendulum only.",
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
      "help": "Evaluate the greedy policy every this many iterations; 0 for never.",
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
      "help": "Episodes in each evaluation.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "episodes",
      "live": false,
      "log": true,
      "default": 100
    }
  ],
  "usesGpu": false
};
