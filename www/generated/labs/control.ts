// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "control",
    "title": "Control",
    "tagline": "Reinforcement learning: an agent learns by trial and error to balance a pole, climb a hill or swing up one rod or two.",
    "agent": "Two small neural networks: the actor chooses actions, the critic predicts the reward still to come. Both learn by PPO (proximal policy optimisation).",
    "goal": "The test score is the mean return (sum of rewards) of a hundred fresh episodes without exploration. The number to reach stands beside the score. In CartPole it means a pole that stays up for 490 of 500 steps, in MountainCar reaching the flag within 105 steps, in Pendulum swinging up and staying up, in Acrobot reaching the line within 88 steps; in your own world it is what its text says. Each goal of ours is a little harder than the usual one, so that a second test will mostly pass too.",
    "picture": "The small pictures are the worlds (environments) that the agent learns from. The large one runs in real time, apart from training and tests: push it! (In CartPole it goes on after 500 steps.) The map shows how much reward the critic expects from each state.",
    "work": "world steps",
    "unit": "iteration",
    "presets": [
      {
        "name": "standard",
        "title": "CartPole",
        "help": "Balance a pole on a cart. Solved in a few seconds.",
        "settings": "{}"
      },
      {
        "name": "mountaincar",
        "title": "MountainCar",
        "help": "Drive out of a valley, with a car too weak to climb straight out. Reward shaping: extra reward for energy gained.",
        "settings": "{\"world\": \"mountaincar\", \"worlds\": 16, \"horizon\": 200, \"normalise_observations\": true,\n    \"shaping\": 10.0}"
      },
      {
        "name": "pendulum",
        "title": "Pendulum",
        "help": "Swing the pendulum up and keep it there, choosing any torque.",
        "settings": "{\"world\": \"pendulum\", \"worlds\": 16, \"horizon\": 200, \"minibatches\": 16, \"gamma\": 0.95,\n    \"reward_scale\": 0.1}"
      },
      {
        "name": "acrobot",
        "title": "Acrobot",
        "help": "Swing up two linked rods, with a motor only at the joint between them.",
        "settings": "{\"world\": \"acrobot\", \"entropy_weight\": 0.01, \"gae_lambda\": 0.9}"
      },
      {
        "name": "own",
        "title": "Your own world",
        "help": "Learns a world whose rules you write, in ten to sixty lines.",
        "settings": "{\"world\": \"own\", \"worlds\": 64, \"horizon\": 128, \"minibatches\": 16, \"normalise_observations\": true,\n    \"entropy_weight\": 0.02}"
      },
      {
        "name": "sprint",
        "title": "CartPole, shortest training",
        "help": "Solves CartPole in the least time, with fewer worlds and fewer passes over each batch.",
        "settings": "{\"worlds\": 32, \"horizon\": 64, \"epochs\": 6, \"minibatches\": 16}"
      },
      {
        "name": "fast",
        "title": "CartPole, most steps per second",
        "help": "As many steps per second as possible while still solving CartPole: smaller networks, two passes over each batch.",
        "settings": "{\"worlds\": 1024, \"horizon\": 32, \"hidden\": 32, \"epochs\": 2, \"minibatches\": 16,\n    \"learning_rate\": 0.003}"
      },
      {
        "name": "crowd",
        "title": "CartPole, 2,048 worlds",
        "help": "2,048 worlds at once: each iteration gathers more experience, so it needs fewer iterations.",
        "settings": "{\"worlds\": 2048, \"horizon\": 32, \"minibatches\": 32}"
      },
      {
        "name": "gpu",
        "title": "CartPole, 4,096 worlds, for a GPU",
        "help": "Many worlds and large batches, which a GPU computes fast; a processor learns the same, only slower. Suits every world.",
        "settings": "{\"worlds\": 4096, \"horizon\": 64, \"minibatches\": 32, \"normalise_observations\": true, \"reward_scale\": 0.1,\n    \"shaping\": 1.0, \"eval_every\": 2}"
      },
      {
        "name": "hermit",
        "title": "CartPole, one world",
        "help": "A single world instead of 128 in parallel, so successive samples are much alike. It still reaches the goal, and after fewer world steps.",
        "settings": "{\"worlds\": 1, \"horizon\": 512, \"minibatches\": 4}"
      }
    ],
    "metrics": [
      {
        "name": "examReturn",
        "label": "test score (fresh episodes)",
        "help": "Evaluation: mean return (sum of rewards) of fresh episodes, 100 by default, played without exploration and not learned from.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "return",
        "label": "training return",
        "help": "Return (sum of the rewards) of a training episode, on average over those that ended in this iteration. In training the agent also acts at random, to try things out (exploration); in tests it does not.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "episodes",
        "label": "training episodes",
        "help": "Training episodes that ended in this iteration.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "entropy",
        "label": "policy entropy",
        "help": "How random the agent's choices are in training (entropy): 0 is always sure. With two choices the most is 0.693, a coin toss; with three, 1.099. Where it chooses a number, such as a torque, it can be negative.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "policyLoss",
        "label": "policy loss",
        "help": "The loss of the actor: PPO's clipped objective, negated, averaged over the minibatches (small batches) of this iteration. Its size says little about how good the agent is.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "valueLoss",
        "label": "value loss",
        "help": "How far the critic's predictions of the reward still to come are from the sums that it should have predicted (returns), squared and averaged over this iteration (mean squared error). 0 is perfect.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "explained",
        "label": "critic's fit",
        "help": "How well the critic foresees which situations bring more reward and which less (explained variance): 1 is perfect, 0 is no better than always guessing the mean, below 0 is worse.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "kl",
        "label": "KL divergence",
        "help": "How much learning in this iteration changed the agent's choices in the situations that it had just been in, on average (KL divergence): 0 is not at all.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "clipped",
        "label": "clipped fraction",
        "help": "The fraction of the samples that updates left out, because PPO's clip limits how far one iteration may change the policy.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "gradNorm",
        "label": "gradient norm",
        "help": "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this iteration.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "successes",
        "label": "successes (fresh episodes)",
        "help": "Evaluation: the share of the fresh episodes of the test that ended as a success. Only a world of your own with a line `succeed when` has it.",
        "unit": "%",
        "better": "higher"
      }
    ],
    "charts": [
      "examReturn",
      "return",
      "entropy",
      "valueLoss",
      "explained",
      "kl",
      "successes"
    ]
  },
  "fields": [
    {
      "name": "world",
      "title": "world",
      "help": "The task (environment): balance a pole (cartpole), drive out of a valley (mountaincar), swing up a pendulum or two linked rods (acrobot), or what a text of your own says (own).",
      "kind": "choice",
      "options": [
        "cartpole",
        "mountaincar",
        "pendulum",
        "acrobot",
        "own"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [],
      "default": "cartpole"
    },
    {
      "name": "worlds",
      "title": "worlds",
      "help": "Worlds (environments) in which the agent acts at the same time. Up: each iteration sees more, but takes longer. Down: iterations are quicker, but see little, and much alike.",
      "kind": "integer",
      "min": 1.0,
      "max": 65536.0,
      "unit": "worlds",
      "live": false,
      "log": true,
      "group": "acting",
      "main": true,
      "applies": [],
      "default": 128
    },
    {
      "name": "horizon",
      "title": "horizon",
      "help": "Rollout length: steps in every world between two updates of the networks. Up: better estimates of returns, but fewer updates. Down: updates come sooner, but rely more on the critic's guesses.",
      "kind": "integer",
      "min": 1.0,
      "max": 4096.0,
      "unit": "steps",
      "live": false,
      "log": true,
      "group": "acting",
      "main": false,
      "applies": [],
      "default": 32
    },
    {
      "name": "hidden",
      "title": "hidden units",
      "help": "Hidden units: neurons in each of the two hidden layers, in both networks. Up: can learn finer behaviour, but computes slower. Down: computes faster, but too few cannot do the task.",
      "kind": "integer",
      "min": 4.0,
      "max": 512.0,
      "unit": "neurons",
      "live": false,
      "log": true,
      "group": "network",
      "main": true,
      "applies": [],
      "default": 64
    },
    {
      "name": "epochs",
      "title": "epochs",
      "help": "Epochs: how often each iteration learns from all steps that it has collected. Up: learns more from the same steps, but may change too much, and the score falls. Down: changes less at a time, but learns more slowly.",
      "kind": "integer",
      "min": 1.0,
      "max": 50.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 10
    },
    {
      "name": "minibatches",
      "title": "minibatches",
      "help": "Minibatches: parts into which each epoch splits the collected steps; each part gives one update. Up: more updates, each of them noisier. Down: fewer updates, each of them steadier.",
      "kind": "integer",
      "min": 1.0,
      "max": 256.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 8
    },
    {
      "name": "learning_rate",
      "title": "learning rate",
      "help": "Learning rate of Adam: how far each update moves the weights. Up: the score rises faster, but too high a rate makes it collapse. Down: it rises more slowly and steadily; at 0 nothing is learned.",
      "kind": "number",
      "min": 0.0,
      "max": 0.1,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.001
    },
    {
      "name": "anneal",
      "title": "annealing",
      "help": "Annealing: the learning rate falls linearly to a tenth over this many iterations; 0 keeps it constant. Up: large updates for longer. Down: fine updates sooner, perhaps before enough is learned.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0
    },
    {
      "name": "gamma",
      "title": "discount factor",
      "help": "Discount factor: for each step that a reward comes later, what it counts is multiplied by this. Up: looks further ahead. Down: cares only for the next steps; at 0 only for the very next reward.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.99
    },
    {
      "name": "gae_lambda",
      "title": "GAE lambda",
      "help": "Lambda of generalised advantage estimation (GAE): whether an action is judged by the rewards that followed, or by the critic. Up: more by the rewards, which vary with chance. Down: more by the critic, which is steadier, but may be wrong.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.95
    },
    {
      "name": "clip",
      "title": "clip",
      "help": "PPO's clip range: once an action has become this fraction more or less likely, updates push it no further. Up: behaviour changes faster, but the score may suddenly fall. Down: behaviour changes little at a time, and the score rises more slowly.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.2
    },
    {
      "name": "value_clip",
      "title": "value clip",
      "help": "Value clipping: once the critic's value of a state has moved this far in an iteration, updates stop pushing it; 0 for no limit. Up: the critic may change faster. Down: more cautious.",
      "kind": "number",
      "min": 0.0,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.0
    },
    {
      "name": "target_kl",
      "title": "target KL",
      "help": "KL limit: learning stops early in an iteration when an epoch has changed the agent's choices by more than this, as a mean KL divergence; 0 for no limit. Up: allows larger changes of the policy. Down: more cautious.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "nats",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.0
    },
    {
      "name": "entropy_weight",
      "title": "entropy weight",
      "help": "Entropy weight: a bonus for choosing at random, in the loss. Up: it acts more at random, so it tries out more. Down: it settles on one way to act sooner, perhaps a wrong one.",
      "kind": "number",
      "min": 0.0,
      "max": 0.5,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.0
    },
    {
      "name": "value_weight",
      "title": "value weight",
      "help": "Value weight: how much the critic's error counts in the loss, where the actor's counts 1. Up: favours the critic. Down: favours the actor.",
      "kind": "number",
      "min": 0.0,
      "max": 10.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.5
    },
    {
      "name": "max_grad_norm",
      "title": "gradient clipping",
      "help": "Gradient clipping: a gradient that is longer than this (by its norm) is scaled down to this length. Up: large gradients pass, which may be unstable. Down: makes the largest updates smaller.",
      "kind": "number",
      "min": 0.001,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.5
    },
    {
      "name": "normalise_advantages",
      "title": "normalise advantages",
      "help": "Normalise advantages to mean 0 and standard deviation 1 in each minibatch. On: updates do not depend on the size of the rewards. Off: larger rewards make larger updates.",
      "kind": "switch",
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": true
    },
    {
      "name": "normalise_observations",
      "title": "normalise observations",
      "help": "Normalise observations to mean 0 and standard deviation 1 over everything seen so far. On: large and small quantities count alike. Off: the networks see positions and speeds as they are.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": false
    },
    {
      "name": "reward_scale",
      "title": "reward scale",
      "help": "Reward scaling: rewards are multiplied by this before they are learned from. Charts show them unscaled. Up: larger returns, which the critic learns less easily. Down: keeps large returns in a range that the critic learns easily.",
      "kind": "number",
      "min": 0.0001,
      "max": 100.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 1.0
    },
    {
      "name": "shaping",
      "title": "shaping",
      "help": "Reward shaping: extra reward for gaining mechanical energy, which is taken back where energy is lost (potential-based). So the best behaviour stays the best (Ng, Harada and Russell, 1999). Up: guides more. Down: guides less; 0 not at all.",
      "kind": "number",
      "min": 0.0,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "world",
          "values": [
            "mountaincar"
          ]
        }
      ],
      "default": 0.0
    },
    {
      "name": "initial_spread",
      "title": "initial spread",
      "help": "Initial exploration: standard deviation of the torque, or of the numbers of an action, under the untrained policy. Up: tries stronger torques. Down: tries weaker ones, which swing up less often.",
      "kind": "number",
      "min": 0.01,
      "max": 10.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "world",
          "values": [
            "pendulum",
            "own"
          ]
        }
      ],
      "default": 1.0
    },
    {
      "name": "action_bounds",
      "title": "action bounds",
      "help": "How the numbers of a continuous action, which the policy draws from a normal distribution, are kept within their bounds. Clipped: what lies beyond a bound becomes the bound. Squashed: their hyperbolic tangent, scaled to the bounds (a squashed Gaussian), which comes close to the bounds but hardly reaches them; a number without two finite bounds stays as it is. The entropy, its weight and the initial exploration are those of the normal distribution before squashing.",
      "kind": "choice",
      "options": [
        "clipped",
        "squashed"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "world",
          "values": [
            "pendulum",
            "own"
          ]
        }
      ],
      "default": "clipped"
    },
    {
      "name": "eval_every",
      "title": "eval every",
      "help": "Iterations between two evaluations of the greedy policy, which always takes the most probable action; 0 never evaluates. Up: training is faster, but progress shows later. Down: progress shows sooner, but training is slower.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 1
    },
    {
      "name": "eval_episodes",
      "title": "episodes per eval",
      "help": "Episodes in each evaluation. Up: measures the score more precisely, but takes longer. Down: quicker, but luck counts more.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "episodes",
      "live": false,
      "log": true,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 100
    }
  ],
  "usesGpu": true,
  "whyNoGpu": null,
  "toolsApart": false
};
