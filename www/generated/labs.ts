// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "./protocol";

/** Every lab there is, in the order of the gallery. */
export const LABS: LabInfo[] = [
  {
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
  },
  {
    "about": {
      "id": "backgammon",
      "title": "Backgammon",
      "tagline": "It plays against itself until it plays well: dice, races, gammons and all.",
      "agent": "A small network that says of a position how often it is won, won or lost as a gammon, as a backgammon. It plays whatever leaves its opponent least.",
      "goal": "Win half a point a game from pubeval, the public benchmark player, without the cube. Strength is measured as it learns: the same throws for both players, the seats swapped.",
      "picture": "A board on which it plays, against itself or against you, with what it thinks of every play.",
      "work": "positions",
      "unit": "round",
      "presets": [
        {
          "name": "standard",
          "help": "Plays better than pubeval within minutes.",
          "settings": "{}"
        },
        {
          "name": "strong",
          "help": "A larger network for hours: as strong as this way of learning gets.",
          "settings": "{\"hidden\": 256, \"second\": 48, \"games\": 512, \"replay\": 262144, \"eval_every\": 200, \"eval_games\": 2000}"
        },
        {
          "name": "small",
          "help": "A small network, which a browser without threads trains in its sleep.",
          "settings": "{\"games\": 64, \"hidden\": 64, \"second\": 16, \"race\": 16, \"batch\": 256}"
        },
        {
          "name": "alphazero",
          "help": "Learns from searches of a hundred positions a turn, which its own network guides.",
          "settings": "{\"learner\": \"alphazero\", \"games\": 128, \"horizon\": 24, \"batch\": 256, \"reuse\": 1.0,\n\"learning_rate\": 0.001, \"replay\": 100000, \"eval_every\": 20, \"eval_games\": 100}"
        },
        {
          "name": "patient",
          "help": "Learns from the ends of games alone: watch how much longer that takes.",
          "settings": "{\"lambda\": 1.0}"
        }
      ],
      "metrics": [
        {
          "name": "points",
          "label": "against pubeval",
          "help": "Points a game won from pubeval, without looking ahead.",
          "unit": "points",
          "better": "higher"
        },
        {
          "name": "margin",
          "label": "margin",
          "help": "Within which the true figure lies 95 times of 100.",
          "unit": "points",
          "better": "lower"
        },
        {
          "name": "wins",
          "label": "games won",
          "help": "Share of the games against pubeval that it won.",
          "unit": "",
          "better": "higher"
        },
        {
          "name": "loss",
          "label": "loss",
          "help": "Cross-entropy of the five chances.",
          "unit": "nats",
          "better": "lower"
        },
        {
          "name": "surprise",
          "label": "surprise",
          "help": "How far what it thinks of a position is from what comes of it, in the root mean square.",
          "unit": "points",
          "better": "lower"
        },
        {
          "name": "games",
          "label": "games",
          "help": "Games against itself that ended in this round.",
          "unit": "",
          "better": "neither"
        },
        {
          "name": "gammons",
          "label": "gammons",
          "help": "Share of those that ended with a gammon or more.",
          "unit": "",
          "better": "neither"
        },
        {
          "name": "length",
          "label": "length",
          "help": "Turns of those, up to where the rest is known.",
          "unit": "turns",
          "better": "neither"
        },
        {
          "name": "policyLoss",
          "label": "policy loss",
          "help": "How far AlphaZero's policy is from what its searches find.",
          "unit": "nats",
          "better": "lower"
        },
        {
          "name": "entropy",
          "label": "entropy",
          "help": "How undecided AlphaZero's policy is.",
          "unit": "nats",
          "better": "neither"
        },
        {
          "name": "gradNorm",
          "label": "gradient",
          "help": "Length of the gradient.",
          "unit": "",
          "better": "neither"
        }
      ],
      "charts": [
        "points",
        "loss",
        "surprise",
        "gammons",
        "length"
      ]
    },
    "fields": [
      {
        "name": "games",
        "help": "How many games it plays against itself at the same time.",
        "kind": "integer",
        "min": 1.0,
        "max": 8192.0,
        "unit": "games",
        "live": false,
        "log": false,
        "default": 256
      },
      {
        "name": "horizon",
        "help": "Turns that are played in every game before it learns from them.",
        "kind": "integer",
        "min": 1.0,
        "max": 256.0,
        "unit": "turns",
        "live": false,
        "log": false,
        "default": 16
      },
      {
        "name": "hidden",
        "help": "Width of the first hidden layer while the sides can meet.",
        "kind": "integer",
        "min": 1.0,
        "max": 1024.0,
        "unit": "",
        "live": false,
        "log": false,
        "default": 160
      },
      {
        "name": "second",
        "help": "Width of the second one.",
        "kind": "integer",
        "min": 1.0,
        "max": 1024.0,
        "unit": "",
        "live": false,
        "log": false,
        "default": 32
      },
      {
        "name": "race",
        "help": "Width of the first hidden layer for races; the second is half as wide.",
        "kind": "integer",
        "min": 2.0,
        "max": 1024.0,
        "unit": "",
        "live": false,
        "log": false,
        "default": 48
      },
      {
        "name": "exploration",
        "help": "At first plays are drawn at random, fewer and fewer until so many positions were played.",
        "kind": "integer",
        "min": 0.0,
        "max": 1000000000.0,
        "unit": "positions",
        "live": false,
        "log": false,
        "default": 250000
      },
      {
        "name": "lambda",
        "help": "How far a position learns from what came later: 0 from the next value alone, 1 from the end of the game alone.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.7
      },
      {
        "name": "learning_rate",
        "help": "Step size of the optimiser at the begin.",
        "kind": "number",
        "min": 0.0,
        "max": 0.1,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.002
      },
      {
        "name": "slowdown",
        "help": "Updates after which the step size has fallen to 0.71 of that; it goes on falling as one over the root.",
        "kind": "integer",
        "min": 1.0,
        "max": 100000000.0,
        "unit": "updates",
        "live": true,
        "log": false,
        "default": 4000
      },
      {
        "name": "batch",
        "help": "Positions in an update.",
        "kind": "integer",
        "min": 1.0,
        "max": 16384.0,
        "unit": "positions",
        "live": false,
        "log": false,
        "default": 512
      },
      {
        "name": "reuse",
        "help": "How often a position is learned from, in the mean.",
        "kind": "number",
        "min": 0.1,
        "max": 20.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 2.0
      },
      {
        "name": "replay",
        "help": "Positions remembered.",
        "kind": "integer",
        "min": 1.0,
        "max": 2000000.0,
        "unit": "positions",
        "live": false,
        "log": false,
        "default": 65536
      },
      {
        "name": "averaging",
        "help": "The player's network is the mean of those of about the last part of the run: this part.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.1
      },
      {
        "name": "eval_every",
        "help": "Iterations between measurements of its strength; 0 for none.",
        "kind": "integer",
        "min": 0.0,
        "max": 100000.0,
        "unit": "iterations",
        "live": true,
        "log": false,
        "default": 50
      },
      {
        "name": "eval_games",
        "help": "Games of a measurement, two of which are played with the same dice.",
        "kind": "integer",
        "min": 2.0,
        "max": 20000.0,
        "unit": "games",
        "live": false,
        "log": false,
        "default": 400
      },
      {
        "name": "learner",
        "help": "How it learns. All that follows is for AlphaZero alone.",
        "kind": "choice",
        "options": [
          "afterstates",
          "alphazero"
        ],
        "unit": "",
        "live": false,
        "log": false,
        "default": "afterstates"
      },
      {
        "name": "simulations",
        "help": "Positions that a turn's search looks at.",
        "kind": "integer",
        "min": 1.0,
        "max": 10000.0,
        "unit": "",
        "live": false,
        "log": false,
        "default": 100
      },
      {
        "name": "cpuct",
        "help": "How much the policy weighs beside values in the search.",
        "kind": "number",
        "min": 0.0,
        "max": 20.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 2.0
      },
      {
        "name": "fpu",
        "help": "How much worse than its turn, of three points, a play counts that was never tried.",
        "kind": "number",
        "min": -2.0,
        "max": 2.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.0
      },
      {
        "name": "throws",
        "help": "How the search deals with throws.",
        "kind": "choice",
        "options": [
          "sampled",
          "even",
          "every"
        ],
        "unit": "",
        "live": false,
        "log": false,
        "default": "even"
      },
      {
        "name": "dirichlet_alpha",
        "help": "Concentration of the noise at the root of a search; 0 for a tournament of plays in its place.",
        "kind": "number",
        "min": 0.0,
        "max": 10.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.3
      },
      {
        "name": "dirichlet_share",
        "help": "Share of that noise in the policy.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.25
      },
      {
        "name": "considered",
        "help": "Plays that enter the tournament.",
        "kind": "integer",
        "min": 1.0,
        "max": 64.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 16
      },
      {
        "name": "temperature",
        "help": "How freely plays are drawn by their visits: 1 in proportion, 0 always the most visited.",
        "kind": "number",
        "min": 0.0,
        "max": 10.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 1.0
      },
      {
        "name": "temperature_turns",
        "help": "Turns of a game after which the late temperature holds.",
        "kind": "integer",
        "min": 0.0,
        "max": 10000.0,
        "unit": "turns",
        "live": true,
        "log": false,
        "default": 10000
      },
      {
        "name": "late_temperature",
        "help": "How freely from then on.",
        "kind": "number",
        "min": 0.0,
        "max": 10.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 1.0
      },
      {
        "name": "weight_decay",
        "help": "How fast the network's weights shrink, times the step size.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.0001
      }
    ]
  },
  {
    "about": {
      "id": "cube",
      "title": "Cube",
      "tagline": "The 2x2x2 cube: 3,674,160 states, and every one of them is judged.",
      "agent": "One small network. It guesses how far a state is from the solved one, or what each turn is worth.",
      "goal": "Solve the cube greedily, turn by turn, without looking ahead: from every state there is (the usual learners) or from every state within five turns (deep Q-learning, the preset `dqn`).",
      "picture": "A cube to turn and scramble, and the learner solving it. The strip shows from how many of all states at each distance it would arrive.",
      "work": "samples",
      "unit": "iteration",
      "presets": [
        {
          "name": "standard",
          "help": "Value iteration on states up to symmetry, 24,001 parameters: solves nine states of ten within a minute.",
          "settings": "{}"
        },
        {
          "name": "dqn",
          "help": "Deep Q-learning with a curriculum: everything within five turns.",
          "settings": "{\"learner\": \"dqn\", \"encoding\": \"stickers\", \"hidden_1\": 128, \"hidden_2\": 64, \"batch\": 256,\n            \"learning_rate\": 0.005, \"anneal\": 30000, \"gamma\": 0.8, \"n_step\": 1, \"target_every\": 100, \"explore_to\": 0.2,\n            \"level_to\": 5, \"rehearse\": 0.25, \"patience\": 4, \"judge_within\": 5, \"judge_every\": 10, \"goal\": 1.0}"
        },
        {
          "name": "small",
          "help": "At most 30,000 parameters: nearly all states greedily in five minutes.",
          "settings": "{\"hidden_1\": 108, \"hidden_2\": 104, \"anneal\": 60000, \"updates\": 1000,\n            \"judge_every\": 2, \"goal\": 0.99}"
        },
        {
          "name": "large",
          "help": "At most 200,000 parameters: all but a few states greedily.",
          "settings": "{\"hidden_1\": 256, \"hidden_2\": 256, \"hidden_3\": 256, \"anneal\": 20000, \"updates\": 500,\n            \"judge_every\": 2, \"goal\": 0.999}"
        },
        {
          "name": "plain",
          "help": "Value iteration that is not told which states are alike.",
          "settings": "{\"symmetry\": false, \"hidden_1\": 108, \"hidden_2\": 104, \"renew_every\": 2000, \"renew_below\": 0.1,\n            \"anneal\": 40000, \"judge_every\": 20}"
        },
        {
          "name": "efficientcube",
          "help": "It guesses the last turn of random scrambles, from the stickers.",
          "settings": "{\"learner\": \"efficientcube\", \"symmetry\": false, \"scramble\": 14, \"hidden_1\": 108, \"hidden_2\": 104,\n            \"anneal\": 40000, \"learning_rate\": 0.002}"
        },
        {
          "name": "cayleypy",
          "help": "It guesses how long random scrambles are.",
          "settings": "{\"learner\": \"cayleypy\", \"hidden_1\": 108, \"hidden_2\": 104, \"anneal\": 40000}"
        }
      ],
      "metrics": [
        {
          "name": "solved",
          "label": "solved",
          "help": "Share of all states (or of those near enough) from which the greedy policy arrives.",
          "unit": "",
          "better": "higher"
        },
        {
          "name": "excess",
          "label": "excess",
          "help": "Turns that it takes more than the least, on average.",
          "unit": "",
          "better": "lower"
        },
        {
          "name": "loss",
          "label": "loss",
          "help": "Mean error in what it learns from.",
          "unit": "",
          "better": "lower"
        },
        {
          "name": "gradNorm",
          "label": "gradient",
          "help": "Length of the gradient before it is shortened.",
          "unit": "",
          "better": "neither"
        },
        {
          "name": "level",
          "label": "level",
          "help": "Turns of the longest scrambles that dqn is given.",
          "unit": "",
          "better": "higher"
        },
        {
          "name": "episodes",
          "label": "episodes",
          "help": "Cubes that dqn has tried to solve.",
          "unit": "",
          "better": "neither"
        },
        {
          "name": "won",
          "label": "solved while learning",
          "help": "Share of cubes solved in this iteration, random turns included.",
          "unit": "",
          "better": "higher"
        },
        {
          "name": "q",
          "label": "mean Q",
          "help": "What dqn thinks the turns it learns from are worth, on average.",
          "unit": "",
          "better": "neither"
        }
      ],
      "charts": [
        "solved",
        "excess",
        "loss",
        "level",
        "won",
        "q"
      ]
    },
    "fields": [
      {
        "name": "learner",
        "help": "How it learns: by solving (dqn), by value iteration (davi), from the last turn of scrambles (efficientcube) or from their length (cayleypy).",
        "kind": "choice",
        "options": [
          "dqn",
          "davi",
          "efficientcube",
          "cayleypy"
        ],
        "unit": "",
        "live": false,
        "log": false,
        "default": "davi"
      },
      {
        "name": "metric",
        "help": "What counts as one turn: quarter turns only, or half turns too.",
        "kind": "choice",
        "options": [
          "quarter",
          "half"
        ],
        "unit": "",
        "live": false,
        "log": false,
        "default": "quarter"
      },
      {
        "name": "encoding",
        "help": "What the network sees: the colours of the stickers, or which corner is where.",
        "kind": "choice",
        "options": [
          "stickers",
          "corners"
        ],
        "unit": "",
        "live": false,
        "log": false,
        "default": "corners"
      },
      {
        "name": "symmetry",
        "help": "Whether the network is shown one state of the up to 96 that are alike up to how the cube is held, mirrors and inverses, in place of each of them. For davi and cayleypy, which learn distances: those are the same.",
        "kind": "switch",
        "unit": "",
        "live": false,
        "log": false,
        "default": true
      },
      {
        "name": "hidden_1",
        "help": "Neurons in the first hidden layer.",
        "kind": "integer",
        "min": 4.0,
        "max": 4096.0,
        "unit": "neurons",
        "live": false,
        "log": true,
        "default": 96
      },
      {
        "name": "hidden_2",
        "help": "Neurons in the second hidden layer; 0 for no such layer.",
        "kind": "integer",
        "min": 0.0,
        "max": 4096.0,
        "unit": "neurons",
        "live": false,
        "log": false,
        "default": 96
      },
      {
        "name": "hidden_3",
        "help": "Neurons in the third hidden layer; 0 for no such layer.",
        "kind": "integer",
        "min": 0.0,
        "max": 4096.0,
        "unit": "neurons",
        "live": false,
        "log": false,
        "default": 0
      },
      {
        "name": "dueling",
        "help": "Whether the value of a state and the advantages of turns are estimated apart. For dqn.",
        "kind": "switch",
        "unit": "",
        "live": false,
        "log": false,
        "default": true
      },
      {
        "name": "batch",
        "help": "Samples in each update.",
        "kind": "integer",
        "min": 1.0,
        "max": 16384.0,
        "unit": "samples",
        "live": false,
        "log": true,
        "default": 1024
      },
      {
        "name": "updates",
        "help": "Updates in each iteration.",
        "kind": "integer",
        "min": 1.0,
        "max": 10000.0,
        "unit": "updates",
        "live": true,
        "log": true,
        "default": 100
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
        "default": 0.003
      },
      {
        "name": "anneal",
        "help": "The learning rate falls along half a wave to a hundredth over so many updates; 0 for never.",
        "kind": "integer",
        "min": 0.0,
        "max": 100000000.0,
        "unit": "updates",
        "live": true,
        "log": false,
        "default": 20000
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
        "default": 10.0
      },
      {
        "name": "scramble",
        "help": "Most random turns of the scrambles that davi, efficientcube and cayleypy learn from.",
        "kind": "integer",
        "min": 1.0,
        "max": 100.0,
        "unit": "turns",
        "live": true,
        "log": false,
        "default": 20
      },
      {
        "name": "renew_every",
        "help": "The guesses that davi learns from are renewed after so many updates at the latest, and not before an eighth of it.",
        "kind": "integer",
        "min": 8.0,
        "max": 100000.0,
        "unit": "updates",
        "live": true,
        "log": true,
        "default": 200
      },
      {
        "name": "renew_below",
        "help": "They are renewed sooner once the mean squared error is below this.",
        "kind": "number",
        "min": 0.0,
        "max": 100.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.05
      },
      {
        "name": "worlds",
        "help": "Cubes that dqn tries to solve side by side.",
        "kind": "integer",
        "min": 1.0,
        "max": 16384.0,
        "unit": "cubes",
        "live": false,
        "log": true,
        "default": 256
      },
      {
        "name": "act_every",
        "help": "They are all turned once every so many updates.",
        "kind": "integer",
        "min": 1.0,
        "max": 1000.0,
        "unit": "updates",
        "live": true,
        "log": true,
        "default": 2
      },
      {
        "name": "gamma",
        "help": "How much a reward counts for each turn it lies in the future.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.9
      },
      {
        "name": "turn_cost",
        "help": "What each turn costs; solving earns 1.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.0
      },
      {
        "name": "n_step",
        "help": "Turns whose rewards are seen before the network is asked what follows.",
        "kind": "integer",
        "min": 1.0,
        "max": 16.0,
        "unit": "turns",
        "live": false,
        "log": false,
        "default": 3
      },
      {
        "name": "double",
        "help": "Whether one network chooses the next turn and the other one judges it (double DQN).",
        "kind": "switch",
        "unit": "",
        "live": true,
        "log": false,
        "default": true
      },
      {
        "name": "replay",
        "help": "Steps that are remembered.",
        "kind": "integer",
        "min": 16.0,
        "max": 4194304.0,
        "unit": "steps",
        "live": false,
        "log": true,
        "default": 65536
      },
      {
        "name": "warm_up",
        "help": "Steps to remember before the first update.",
        "kind": "integer",
        "min": 1.0,
        "max": 1000000.0,
        "unit": "steps",
        "live": false,
        "log": true,
        "default": 4096
      },
      {
        "name": "priority",
        "help": "How much more often surprising steps are learned from: 0 for not at all, 1 in proportion to the error.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.6
      },
      {
        "name": "importance",
        "help": "How far that is made up for by smaller updates at first; it grows to 1 over the updates below.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.4
      },
      {
        "name": "importance_updates",
        "help": "Updates until it is made up for entirely.",
        "kind": "integer",
        "min": 1.0,
        "max": 100000000.0,
        "unit": "updates",
        "live": true,
        "log": true,
        "default": 20000
      },
      {
        "name": "huber",
        "help": "Errors beyond this pull no harder (Huber's loss).",
        "kind": "number",
        "min": 0.001,
        "max": 100.0,
        "unit": "",
        "live": true,
        "log": true,
        "default": 1.0
      },
      {
        "name": "target_every",
        "help": "Updates after which the network that judges is renewed.",
        "kind": "integer",
        "min": 1.0,
        "max": 100000.0,
        "unit": "updates",
        "live": true,
        "log": true,
        "default": 200
      },
      {
        "name": "explore_from",
        "help": "Share of random turns at first.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 1.0
      },
      {
        "name": "explore_to",
        "help": "Share of random turns in the end.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.05
      },
      {
        "name": "explore_updates",
        "help": "Updates on the way there.",
        "kind": "integer",
        "min": 1.0,
        "max": 100000000.0,
        "unit": "updates",
        "live": true,
        "log": true,
        "default": 1000
      },
      {
        "name": "level_from",
        "help": "Turns of the first scrambles.",
        "kind": "integer",
        "min": 1.0,
        "max": 30.0,
        "unit": "turns",
        "live": false,
        "log": false,
        "default": 1
      },
      {
        "name": "level_to",
        "help": "Turns of the longest scrambles.",
        "kind": "integer",
        "min": 1.0,
        "max": 30.0,
        "unit": "turns",
        "live": true,
        "log": false,
        "default": 6
      },
      {
        "name": "level_up",
        "help": "Share of scrambles of the present length that must be solved before they get longer by a turn.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.9
      },
      {
        "name": "level_window",
        "help": "Scrambles of the present length by which that is judged.",
        "kind": "integer",
        "min": 1.0,
        "max": 100000.0,
        "unit": "cubes",
        "live": true,
        "log": true,
        "default": 500
      },
      {
        "name": "rehearse",
        "help": "Share of scrambles that are shorter than the present length, lest those be forgotten.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": true,
        "log": false,
        "default": 0.5
      },
      {
        "name": "patience",
        "help": "A cube is given up after as many turns as it was scrambled with, and so many more.",
        "kind": "integer",
        "min": 0.0,
        "max": 100.0,
        "unit": "turns",
        "live": true,
        "log": false,
        "default": 6
      },
      {
        "name": "pretrain",
        "help": "Updates in which dqn is first taught shortest solutions; 0 for learning by itself.",
        "kind": "integer",
        "min": 0.0,
        "max": 1000000.0,
        "unit": "updates",
        "live": false,
        "log": false,
        "default": 0
      },
      {
        "name": "pretrain_scramble",
        "help": "Scrambles it is taught with have so many turns at most.",
        "kind": "integer",
        "min": 1.0,
        "max": 30.0,
        "unit": "turns",
        "live": true,
        "log": false,
        "default": 14
      },
      {
        "name": "judge_every",
        "help": "The greedy policy is judged every so many iterations; 0 for never.",
        "kind": "integer",
        "min": 0.0,
        "max": 10000.0,
        "unit": "iterations",
        "live": true,
        "log": false,
        "default": 5
      },
      {
        "name": "judge_within",
        "help": "It is judged from every state within so many turns of the solved one; 14 are all states there are.",
        "kind": "integer",
        "min": 1.0,
        "max": 14.0,
        "unit": "turns",
        "live": true,
        "log": false,
        "default": 14
      },
      {
        "name": "goal",
        "help": "Share of those states that must be solved.",
        "kind": "number",
        "min": 0.0,
        "max": 1.0,
        "unit": "",
        "live": false,
        "log": false,
        "default": 0.9
      }
    ]
  }
];
