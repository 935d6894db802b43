// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "backgammon",
    "title": "Backgammon",
    "tagline": "It learns backgammon by playing against itself, gammons included.",
    "agent": "A small network that estimates the chances to win or lose a position: a single game, a gammon or a backgammon. It makes the play that leaves its opponent the worst position.",
    "goal": "Win half a point a game from pubeval, the public benchmark player, without the doubling cube. Its strength is measured while it learns, in pairs of games with the same dice and the seats swapped.",
    "picture": "A board on which it plays against itself or against you, with its value of every play. Arrows show where a small tree search looks; a wider arrow means more visits.",
    "work": "positions",
    "unit": "round",
    "presets": [
      {
        "name": "standard",
        "title": "Beat pubeval",
        "help": "Beats pubeval after a few minutes of training.",
        "settings": "{}"
      },
      {
        "name": "strong",
        "title": "Play for strength",
        "help": "A larger network, to be trained for hours: the strongest that TD learning gets here.",
        "settings": "{\"hidden\": 256, \"second\": 48, \"games\": 512, \"lambda\": 0.4, \"learning_rate\": 0.003, \"replay\": 262144,\n\"eval_every\": 200, \"eval_games\": 2000}"
      },
      {
        "name": "small",
        "title": "A small network",
        "help": "A small network that trains quickly even in a browser without threads.",
        "settings": "{\"games\": 64, \"hidden\": 64, \"second\": 16, \"race\": 16, \"batch\": 256}"
      },
      {
        "name": "alphazero",
        "title": "AlphaZero",
        "help": "AlphaZero: learns from tree searches of a hundred positions a turn, guided by its own network.",
        "settings": "{\"learner\": \"alphazero\", \"games\": 128, \"horizon\": 24, \"lambda\": 1.0, \"batch\": 256, \"reuse\": 1.0,\n\"learning_rate\": 0.001, \"replay\": 100000, \"eval_every\": 20, \"eval_games\": 100}"
      },
      {
        "name": "tournament",
        "title": "Gumbel AlphaZero",
        "help": "AlphaZero with Gumbel sampling and sequential halving instead of noise, and lambda 0.9: it learns faster.",
        "settings": "{\"learner\": \"alphazero\", \"games\": 128, \"horizon\": 24, \"lambda\": 0.9, \"batch\": 256, \"reuse\": 2.0,\n\"learning_rate\": 0.002, \"replay\": 100000, \"eval_every\": 20, \"eval_games\": 100, \"dirichlet_alpha\": 0.0, \"temperature\": 0.0}"
      },
      {
        "name": "patient",
        "title": "Wait for the end",
        "help": "Learns from the ends of games only (lambda 1). See how much longer that takes.",
        "settings": "{\"lambda\": 1.0}"
      }
    ],
    "metrics": [
      {
        "name": "points",
        "label": "against pubeval",
        "help": "Points won per game against pubeval, without lookahead.",
        "unit": "points",
        "better": "higher"
      },
      {
        "name": "margin",
        "label": "margin",
        "help": "Half the width of the 95 % confidence interval of the points.",
        "unit": "points",
        "better": "lower"
      },
      {
        "name": "wins",
        "label": "games won",
        "help": "Fraction of the games against pubeval that it won.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "loss",
        "label": "loss",
        "help": "Cross-entropy of the five outcome probabilities.",
        "unit": "nats",
        "better": "lower"
      },
      {
        "name": "surprise",
        "label": "surprise",
        "help": "TD error: root mean square difference between its value of a position and the target it learns.",
        "unit": "points",
        "better": "lower"
      },
      {
        "name": "games",
        "label": "games",
        "help": "Self-play games that ended in this round.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "gammons",
        "label": "gammons",
        "help": "Fraction of these games that ended in a gammon or a backgammon.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "length",
        "label": "length",
        "help": "Mean length of these games. TD stops a game once both sides bear off, where the value is known exactly.",
        "unit": "turns",
        "better": "neither"
      },
      {
        "name": "policyLoss",
        "label": "policy loss",
        "help": "Relative entropy between the visits of AlphaZero's searches and its policy.",
        "unit": "nats",
        "better": "lower"
      },
      {
        "name": "entropy",
        "label": "entropy",
        "help": "Entropy of AlphaZero's policy: 0 means that it is certain of one play.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "gradNorm",
        "label": "gradient",
        "help": "Mean length (L2 norm) of the gradients.",
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
      "help": "Self-play games that run side by side.",
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
      "help": "Turns played in every game before the network learns from them.",
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
      "help": "Width of the first hidden layer for contact positions, in which the sides can still hit each other.",
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
      "help": "Width of the second hidden layer for contact positions.",
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
      "help": "Exploration: the first plays are random, then fewer and fewer, and none after this many positions.",
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
      "help": "Lambda of the targets: 0 learns from the value of the next position only, 1 from the end of the game only.",
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
      "help": "Learning rate of the optimiser at the start.",
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
      "help": "Updates after which the learning rate is down to 0.71 of its start; it goes on falling as one over the square root.",
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
      "help": "Positions in a minibatch.",
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
      "help": "How often each position is learned from, on average.",
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
      "help": "Capacity of the replay buffer.",
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
      "help": "The network that plays averages the weights over this fraction of the run, the latest part.",
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
      "help": "Rounds between evaluations against pubeval; 0 for none.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "rounds",
      "live": true,
      "log": false,
      "default": 50
    },
    {
      "name": "eval_games",
      "help": "Games of an evaluation. They come in pairs with the same dice.",
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
      "help": "Which algorithm learns. The settings below are for AlphaZero only.",
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
      "help": "Positions that a search looks at before each turn.",
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
      "help": "Exploration constant of the search (PUCT): the higher, the more the policy counts beside the values.",
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
      "help": "First-play urgency: how much worse than its position an untried play counts, in units of three points.",
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
      "help": "How the search samples dice rolls.",
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
      "help": "Concentration of the Dirichlet noise at the root of a search; 0 uses Gumbel sampling with sequential halving instead.",
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
      "help": "Fraction of the root policy that is Dirichlet noise.",
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
      "help": "Plays that enter sequential halving.",
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
      "help": "Temperature of self-play: 0 always plays the best move, 1 samples in proportion to visits.",
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
      "help": "Turns of a game after which the late temperature applies.",
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
      "help": "Temperature from then on.",
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
      "help": "Weight decay, in units of the learning rate.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0001
    }
  ],
  "usesGpu": false
};
