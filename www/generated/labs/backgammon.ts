// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "backgammon",
    "title": "Backgammon",
    "tagline": "It plays against itself until it plays well: dice, races, gammons and all.",
    "agent": "A small network that says of a position how often it is won, won or lost as a gammon, as a backgammon. It plays whatever leaves its opponent least.",
    "goal": "Win half a point a game from pubeval, the public benchmark player, without the cube. Strength is measured as it learns: the same throws for both players, the seats swapped.",
    "picture": "A board on which it plays, against itself or against you, with what it thinks of every play. Arrows are where a small search looks, the wider the more often.",
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
        "settings": "{\"hidden\": 256, \"second\": 48, \"games\": 512, \"lambda\": 0.4, \"learning_rate\": 0.003, \"replay\": 262144,\n\"eval_every\": 200, \"eval_games\": 2000}"
      },
      {
        "name": "small",
        "help": "A small network, which a browser without threads trains in its sleep.",
        "settings": "{\"games\": 64, \"hidden\": 64, \"second\": 16, \"race\": 16, \"batch\": 256}"
      },
      {
        "name": "alphazero",
        "help": "Learns from searches of a hundred positions a turn, which its own network guides.",
        "settings": "{\"learner\": \"alphazero\", \"games\": 128, \"horizon\": 24, \"lambda\": 1.0, \"batch\": 256, \"reuse\": 1.0,\n\"learning_rate\": 0.001, \"replay\": 100000, \"eval_every\": 20, \"eval_games\": 100}"
      },
      {
        "name": "tournament",
        "help": "The same with tournaments of plays in place of noise, and an eye on what came next: it learns sooner.",
        "settings": "{\"learner\": \"alphazero\", \"games\": 128, \"horizon\": 24, \"lambda\": 0.9, \"batch\": 256, \"reuse\": 2.0,\n\"learning_rate\": 0.002, \"replay\": 100000, \"eval_every\": 20, \"eval_games\": 100, \"dirichlet_alpha\": 0.0, \"temperature\": 0.0}"
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
};
