// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "cube",
    "title": "Cube",
    "tagline": "The 2x2x2 cube: 3,674,160 states, and every one of them is judged.",
    "agent": "One small network. It guesses how far a state is from the solved one, or what each turn is worth.",
    "goal": "Solve the cube greedily, turn by turn, without looking ahead: from every state there is (the usual learners) or from every state within five turns (deep Q-learning, the preset dqn).",
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
        "settings": "{\"learner\": \"dqn\", \"encoding\": \"stickers\", \"hidden_1\": 128, \"hidden_2\": 64, \"batch\": 256,\n            \"learning_rate\": 0.005, \"anneal\": 14000, \"gamma\": 1.0, \"turn_cost\": 0.15, \"n_step\": 1, \"target_every\": 100,\n            \"explore_to\": 0.2, \"level_to\": 5, \"rehearse\": 0.25, \"retry\": 0.5, \"patience\": 4, \"judge_within\": 5,\n            \"judge_every\": 5, \"goal\": 100.0}"
      },
      {
        "name": "small",
        "help": "At most 30,000 parameters: 99 states of a hundred in half a minute of a core.",
        "settings": "{\"hidden_1\": 108, \"hidden_2\": 104, \"anneal\": 10000, \"updates\": 1000,\n            \"judge_every\": 2, \"goal\": 99.0}"
      },
      {
        "name": "large",
        "help": "171,265 parameters: every state there is, greedily.",
        "settings": "{\"hidden_1\": 256, \"hidden_2\": 256, \"hidden_3\": 256, \"anneal\": 8000, \"updates\": 500,\n            \"judge_every\": 4, \"goal\": 100.0}"
      },
      {
        "name": "plain",
        "help": "Value iteration that is not told which states are alike.",
        "settings": "{\"symmetry\": false, \"hidden_1\": 108, \"hidden_2\": 104, \"renew_every\": 2000, \"renew_below\": 0.1,\n            \"focus\": 0.0, \"anneal\": 40000, \"judge_every\": 20}"
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
        "help": "How many of all states (or of those near enough) the greedy policy arrives from.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "excess",
        "label": "excess",
        "help": "Turns that it takes more than the least, on average.",
        "unit": "turns",
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
        "unit": "turns",
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
        "help": "How many cubes it solved in this iteration, random turns included.",
        "unit": "%",
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
      "name": "focus",
      "help": "Share of samples that davi draws where its guesses contradict one another, and the more often the more they do; the others come from scrambles.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": false,
      "log": false,
      "default": 0.5
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
      "name": "retry",
      "help": "Share of scrambles that are those given up before, for as long as there are any.",
      "kind": "number",
      "min": 0.0,
      "max": 0.9,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0
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
      "help": "How many of those states must be solved.",
      "kind": "number",
      "min": 0.0,
      "max": 100.0,
      "unit": "%",
      "live": false,
      "log": false,
      "default": 90.0
    }
  ]
};
