// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "cube",
    "title": "Cube",
    "tagline": "An agent teaches itself to solve the cube: the 2x2x2, tested on all its 3,674,160 states, or the 3x3x3.",
    "agent": "One small neural network. It estimates how many turns a state is from solved, or how good each turn is.",
    "goal": "2x2x2: solve the cube greedily: always take the turn with the best estimate, without search. By default the goal is 90% of all states; with deep Q-learning, all states within five turns of solved. 3x3x3: solve random states by beam search, which keeps only the most promising states at each depth.",
    "picture": "A cube to turn and scramble, and the agent solving it. For the 2x2x2, bars show the percentage of states that the agent solves at each distance from solved. For the 3x3x3, a chart shows the beam: the agent's estimates of the distance from solved, at each depth.",
    "work": "samples",
    "unit": "iteration",
    "presets": [
      {
        "name": "standard",
        "title": "Value iteration",
        "help": "Value iteration that treats symmetric states as one, with 24,001 parameters: solves 90% of all states within a minute.",
        "settings": "{}"
      },
      {
        "name": "dqn",
        "title": "Deep Q-learning",
        "help": "Deep Q-learning with a curriculum of longer and longer scrambles: solves every state that is at most five turns from solved.",
        "settings": "{\"learner\": \"dqn\", \"encoding\": \"stickers\", \"hidden_1\": 128, \"hidden_2\": 64, \"batch\": 256,\n            \"learning_rate\": 0.005, \"anneal\": 14000, \"gamma\": 1.0, \"turn_cost\": 0.15, \"n_step\": 1, \"target_every\": 100,\n            \"explore_to\": 0.2, \"level_to\": 5, \"rehearse\": 0.25, \"retry\": 0.5, \"patience\": 4, \"judge_within\": 5,\n            \"judge_every\": 5, \"goal\": 100.0}"
      },
      {
        "name": "small",
        "title": "Value iteration, 99%",
        "help": "Value iteration with 27,849 parameters: solves 99% of all states in half a minute on one core.",
        "settings": "{\"hidden_1\": 108, \"hidden_2\": 104, \"anneal\": 10000, \"updates\": 1000,\n            \"judge_every\": 2, \"goal\": 99.0}"
      },
      {
        "name": "large",
        "title": "Value iteration, every state",
        "help": "Value iteration with 171,265 parameters: solves all states.",
        "settings": "{\"hidden_1\": 256, \"hidden_2\": 256, \"hidden_3\": 256, \"anneal\": 8000, \"updates\": 500,\n            \"judge_every\": 4, \"goal\": 100.0}"
      },
      {
        "name": "plain",
        "title": "Value iteration without symmetry",
        "help": "Value iteration without symmetry: the network has to learn each of up to 96 equivalent states separately.",
        "settings": "{\"symmetry\": false, \"hidden_1\": 108, \"hidden_2\": 104, \"renew_every\": 2000, \"renew_below\": 0.1,\n            \"focus\": 0.0, \"anneal\": 40000, \"judge_every\": 20}"
      },
      {
        "name": "efficientcube",
        "title": "EfficientCube",
        "help": "EfficientCube: predicts the turn that undoes the last one of a random scramble.",
        "settings": "{\"learner\": \"efficientcube\", \"symmetry\": false, \"scramble\": 14, \"hidden_1\": 108, \"hidden_2\": 104,\n            \"anneal\": 40000, \"learning_rate\": 0.002}"
      },
      {
        "name": "cayleypy",
        "title": "CayleyPy",
        "help": "CayleyPy: predicts how many turns a random scramble had, and uses that as the distance.",
        "settings": "{\"learner\": \"cayleypy\", \"hidden_1\": 108, \"hidden_2\": 104, \"anneal\": 40000}"
      },
      {
        "name": "cube3",
        "title": "3x3x3 in half an hour",
        "help": "The 3x3x3 learned from random scrambles alone, with 382,220 parameters, in half an hour on two cores: solves random states by beam search.",
        "settings": "{\"puzzle\": \"3x3x3\", \"learner\": \"cayleypy\", \"hidden_1\": 512, \"hidden_2\": 256, \"batch\": 2080,\n            \"scramble\": 26, \"learning_rate\": 0.001, \"anneal\": 24000, \"distil\": 6500, \"updates\": 250, \"judge_every\": 24,\n            \"evaluate_states\": 16, \"evaluate_beam\": 256, \"goal\": 100.0}"
      },
      {
        "name": "cube3-small",
        "title": "3x3x3, short scrambles",
        "help": "The 3x3x3 with a small network: learns to solve scrambles of 8 turns within minutes, even in a browser.",
        "settings": "{\"puzzle\": \"3x3x3\", \"learner\": \"cayleypy\", \"hidden_1\": 128, \"hidden_2\": 64, \"batch\": 1040,\n            \"scramble\": 13, \"learning_rate\": 0.002, \"anneal\": 10000, \"updates\": 100, \"judge_every\": 5,\n            \"evaluate_states\": 32, \"evaluate_beam\": 64, \"evaluate_scramble\": 8, \"goal\": 95.0}"
      }
    ],
    "metrics": [
      {
        "name": "solved",
        "label": "states solved",
        "help": "Evaluation: percentage of states that the agent solves. 2x2x2: of all states up to the evaluated distance, by the greedy policy. 3x3x3: of a random sample, by beam search.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "excess",
        "label": "extra turns",
        "help": "Evaluation: how many turns longer its solutions are than the shortest possible ones, on average over the solved states.",
        "unit": "turns",
        "better": "lower"
      },
      {
        "name": "length",
        "label": "solution length",
        "help": "Evaluation of the 3x3x3: turns of the solutions, on average over the solved states.",
        "unit": "turns",
        "better": "lower"
      },
      {
        "name": "loss",
        "label": "training loss",
        "help": "How wrong the network is about what it learns, on average over the updates of this iteration (loss). Its size says little; what matters is whether it falls.",
        "unit": "",
        "better": "lower"
      },
      {
        "name": "gradNorm",
        "label": "gradient norm",
        "help": "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this iteration.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "level",
        "label": "scramble length",
        "help": "Length of the longest scrambles that deep Q-learning uses now (its curriculum).",
        "unit": "turns",
        "better": "higher"
      },
      {
        "name": "episodes",
        "label": "training attempts",
        "help": "Attempts at solving a cube that deep Q-learning has finished.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "won",
        "label": "training attempts solved",
        "help": "Percentage of the attempts of this iteration that deep Q-learning solved, random turns included.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "q",
        "label": "mean Q value",
        "help": "How much reward deep Q-learning expects on average after the turns that it learns from.",
        "unit": "",
        "better": "neither"
      }
    ],
    "charts": [
      "solved",
      "excess",
      "length",
      "loss",
      "level",
      "won",
      "q"
    ]
  },
  "fields": [
    {
      "name": "puzzle",
      "title": "puzzle",
      "help": "Puzzle: the 2x2x2 cube, whose 3,674,160 states can all be tested, or the 3x3x3, whose 43 quintillion cannot.",
      "kind": "choice",
      "options": [
        "2x2x2",
        "3x3x3"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [],
      "default": "2x2x2"
    },
    {
      "name": "learner",
      "title": "learner",
      "help": "Learning algorithm: deep Q-learning, value iteration, predicting the last turn of a scramble (EfficientCube) or predicting its length (CayleyPy).",
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
      "group": "learning",
      "main": true,
      "applies": [],
      "default": "davi"
    },
    {
      "name": "metric",
      "title": "metric",
      "help": "Turn metric, what counts as one turn: quarter turns only, or half turns too.",
      "kind": "choice",
      "options": [
        "quarter",
        "half"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [],
      "default": "quarter"
    },
    {
      "name": "encoding",
      "title": "encoding",
      "help": "Input of the network: the colours of the stickers, or which corner is in which position.",
      "kind": "choice",
      "options": [
        "stickers",
        "corners"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [
        {
          "setting": "puzzle",
          "values": [
            "2x2x2"
          ]
        }
      ],
      "default": "corners"
    },
    {
      "name": "symmetry",
      "title": "symmetry",
      "help": "Symmetry reduction: up to 96 states that differ only by rotation, reflection or inversion of the cube have the same distance. On: they are learned as one, from fewer samples. Off: each is learned for itself, which takes longer.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": true,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "davi",
            "cayleypy"
          ]
        },
        {
          "setting": "puzzle",
          "values": [
            "2x2x2"
          ]
        }
      ],
      "default": true
    },
    {
      "name": "hidden_1",
      "title": "hidden layer 1",
      "help": "Neurons in the first hidden layer. Up: solves more states in the end, but computes slower. Down: computes faster, but solves fewer states.",
      "kind": "integer",
      "min": 4.0,
      "max": 4096.0,
      "unit": "neurons",
      "live": false,
      "log": true,
      "group": "network",
      "main": true,
      "applies": [],
      "default": 96
    },
    {
      "name": "hidden_2",
      "title": "hidden layer 2",
      "help": "Neurons in the second hidden layer; 0 leaves this layer out. Up: solves more states in the end, but computes slower. Down: computes faster, but solves fewer states.",
      "kind": "integer",
      "min": 0.0,
      "max": 4096.0,
      "unit": "neurons",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": 96
    },
    {
      "name": "hidden_3",
      "title": "hidden layer 3",
      "help": "Neurons in the third hidden layer; 0 leaves this layer out. Up: solves more states in the end, but computes slower. Down: computes faster, but solves fewer states.",
      "kind": "integer",
      "min": 0.0,
      "max": 4096.0,
      "unit": "neurons",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": 0
    },
    {
      "name": "dueling",
      "title": "dueling",
      "help": "Dueling network: two streams of neurons, one for the value of a state, one for the advantage of each turn. On: the value is learned from every turn. Off: the value of each turn is learned for itself.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": true
    },
    {
      "name": "batch",
      "title": "batch",
      "help": "Minibatch size: samples in each update. Up: the loss falls more smoothly, but updates take longer. Down: updates are quicker, but the loss jumps more.",
      "kind": "integer",
      "min": 1.0,
      "max": 16384.0,
      "unit": "samples",
      "live": false,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 1024
    },
    {
      "name": "updates",
      "title": "updates",
      "help": "Updates in each iteration. Up: longer iterations, so the numbers on the page change less often. Down: shorter iterations, so they change more often.",
      "kind": "integer",
      "min": 1.0,
      "max": 10000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 100
    },
    {
      "name": "learning_rate",
      "title": "learning rate",
      "help": "Learning rate of Adam: how far each update moves the weights. Up: the loss falls faster, but too high a rate undoes what was learned. Down: it falls more slowly and steadily; at 0 nothing is learned.",
      "kind": "number",
      "min": 0.0,
      "max": 0.1,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.003
    },
    {
      "name": "anneal",
      "title": "annealing",
      "help": "Annealing: updates over which the learning rate falls to 1% along a cosine; 0 keeps it constant. Up: ends better, but later. Down: ends sooner, perhaps before enough is learned.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 20000
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
      "default": 10.0
    },
    {
      "name": "scramble",
      "title": "longest training scramble",
      "help": "Longest random scramble to learn from. Up: learns from states that are far from solved. Down: learns only from states that are close to solved.",
      "kind": "integer",
      "min": 1.0,
      "max": 100.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "group": "acting",
      "main": true,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "davi",
            "efficientcube",
            "cayleypy"
          ]
        }
      ],
      "default": 20
    },
    {
      "name": "renew_every",
      "title": "refresh every",
      "help": "Updates after which the target values are computed anew at the latest; at the earliest after an eighth of that. Up: more stable, but the targets are older. Down: follows the network faster, but is less stable.",
      "kind": "integer",
      "min": 8.0,
      "max": 100000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "davi"
          ]
        }
      ],
      "default": 200
    },
    {
      "name": "renew_below",
      "title": "refresh below",
      "help": "The target values are computed anew early once the mean squared error is below this. Up: refreshes them sooner. Down: waits until the network fits them better.",
      "kind": "number",
      "min": 0.0,
      "max": 100.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "davi"
          ]
        }
      ],
      "default": 0.05
    },
    {
      "name": "focus",
      "title": "residual fraction",
      "help": "Fraction of the samples drawn in proportion to the squared Bellman residual, that is where the estimates contradict one another most. Up: works more on contradictions. Down: works more on random scrambles.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "davi"
          ]
        }
      ],
      "default": 0.5
    },
    {
      "name": "worlds",
      "title": "worlds",
      "help": "Cubes that it tries to solve in parallel. Up: more varied data. Down: less varied data, but each cube is turned more often.",
      "kind": "integer",
      "min": 1.0,
      "max": 16384.0,
      "unit": "cubes",
      "live": false,
      "log": true,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 256
    },
    {
      "name": "act_every",
      "title": "updates per turn",
      "help": "Updates between two turns of all cubes. Up: learns more from each turn, but sees fewer. Down: sees more turns, but learns less from each.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 2
    },
    {
      "name": "gamma",
      "title": "discount factor",
      "help": "Discount factor: what solving is worth is multiplied by this for every turn that it takes. Up: looks further ahead. Down: solutions that take many turns count for little.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.9
    },
    {
      "name": "turn_cost",
      "title": "turn cost",
      "help": "Reward that is subtracted for each turn; solving the cube gives 1. Up: prefers shorter solutions, but too high makes solving worthless. Down: the number of turns matters less.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.0
    },
    {
      "name": "n_step",
      "title": "n-step return",
      "help": "N-step returns. The rewards of this many turns are summed before the network's estimate is used. Up: spreads rewards faster, but is noisier. Down: less noisy, but spreads rewards slowly.",
      "kind": "integer",
      "min": 1.0,
      "max": 16.0,
      "unit": "turns",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 3
    },
    {
      "name": "double",
      "title": "double Q-learning",
      "help": "Double Q-learning, which decides which network chooses the next turn for a target. On: the network chooses it and the target network gives its value, which avoids overestimates. Off: the target network does both, and overestimates.",
      "kind": "switch",
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": true
    },
    {
      "name": "replay",
      "title": "replay",
      "help": "Capacity of the replay buffer of past steps. Up: more varied, but contains older attempts. Down: newer attempts, but less varied.",
      "kind": "integer",
      "min": 16.0,
      "max": 4194304.0,
      "unit": "steps",
      "live": false,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 65536
    },
    {
      "name": "warm_up",
      "title": "warm-up",
      "help": "Steps in the replay buffer before the first update. Up: the first updates are more varied, but later. Down: the first updates come sooner, but from few data.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000000.0,
      "unit": "steps",
      "live": false,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 4096
    },
    {
      "name": "priority",
      "title": "priority",
      "help": "Prioritised replay: how strongly steps with large errors are preferred (an exponent); 0 prefers none, 1 is in proportion to the last error. Up: repeats its largest errors more. Down: repeats everything more equally.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.6
    },
    {
      "name": "importance",
      "title": "importance",
      "help": "Initial exponent of the importance weights (beta), which correct the bias of prioritised replay. It grows to 1, the full correction. Up: corrects more from the start. Down: corrects less at the start.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.4
    },
    {
      "name": "importance_updates",
      "title": "importance updates",
      "help": "Updates until that exponent is 1. Up: corrects fully later. Down: corrects fully sooner.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 20000
    },
    {
      "name": "huber",
      "title": "Huber threshold",
      "help": "Where large errors begin (Huber loss): smaller ones count by their square, larger ones only in proportion. Up: large errors pull harder. Down: large errors pull less, so learning is calmer.",
      "kind": "number",
      "min": 0.001,
      "max": 100.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 1.0
    },
    {
      "name": "target_every",
      "title": "target update interval",
      "help": "Updates after which the target network is replaced by a copy of the network. Up: more stable, but slower. Down: faster, but less stable.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 200
    },
    {
      "name": "explore_from",
      "title": "epsilon at the start",
      "help": "Fraction of random turns (epsilon) at the start. Up: explores more. Down: follows its estimates sooner, while they are still bad.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 1.0
    },
    {
      "name": "explore_to",
      "title": "epsilon at the end",
      "help": "Fraction of random turns (epsilon) at the end. Up: explores more, but solves less. Down: solves more, but explores less.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.05
    },
    {
      "name": "explore_updates",
      "title": "epsilon decay",
      "help": "Updates over which epsilon changes from the first value to the last. Up: explores for longer. Down: follows its estimates sooner.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 1000
    },
    {
      "name": "level_from",
      "title": "first scramble length",
      "help": "Length of the first scrambles of the curriculum. Up: begins harder. Down: begins easier.",
      "kind": "integer",
      "min": 1.0,
      "max": 30.0,
      "unit": "turns",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 1
    },
    {
      "name": "level_to",
      "title": "last scramble length",
      "help": "Length of the last scrambles of the curriculum. Up: harder cubes in the end. Down: easier cubes, but it never learns longer scrambles.",
      "kind": "integer",
      "min": 1.0,
      "max": 30.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "group": "acting",
      "main": true,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 6
    },
    {
      "name": "level_up",
      "title": "promotion threshold",
      "help": "Scrambles grow by one turn once this fraction of those at the current length is solved. Up: demands more before they grow. Down: they grow sooner.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.9
    },
    {
      "name": "level_window",
      "title": "promotion window",
      "help": "Scrambles of the current length over which that fraction is measured. Up: measures it more precisely, but later. Down: measures it sooner, but luck counts more.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000.0,
      "unit": "cubes",
      "live": true,
      "log": true,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 500
    },
    {
      "name": "rehearse",
      "title": "shorter scrambles",
      "help": "Fraction of scrambles that are shorter than the current length. Up: short ones are not forgotten. Down: more practice at the current length.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.5
    },
    {
      "name": "retry",
      "title": "retried scrambles",
      "help": "Fraction of attempts that repeat a scramble that failed before, while there are any. Up: more practice at what failed. Down: more new scrambles.",
      "kind": "number",
      "min": 0.0,
      "max": 0.9,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0.0
    },
    {
      "name": "patience",
      "title": "patience",
      "help": "Turns that an attempt may take beyond the length of its scramble before it counts as failed. Up: more detours are allowed. Down: attempts end sooner, so there are more of them.",
      "kind": "integer",
      "min": 0.0,
      "max": 100.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 6
    },
    {
      "name": "pretrain",
      "title": "pretraining",
      "help": "Updates of supervised pretraining on shortest solutions, before it learns by itself; 0 for none. Up: is shown more solutions. Down: has to find more by itself.",
      "kind": "integer",
      "min": 0.0,
      "max": 1000000.0,
      "unit": "updates",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 0
    },
    {
      "name": "pretrain_scramble",
      "title": "longest pretraining scramble",
      "help": "Longest scramble in pretraining. Up: is shown longer solutions. Down: is shown only short ones.",
      "kind": "integer",
      "min": 1.0,
      "max": 30.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "dqn"
          ]
        }
      ],
      "default": 14
    },
    {
      "name": "distil",
      "title": "distillation",
      "help": "Distillation: updates after annealing in which a network that guesses the distance after every turn learns from the one that guesses the distance of a state. It makes a search faster by as many times as there are turns; 0 leaves it out, as does training without annealing. Up: its guesses are closer to those it learns from. Down: training ends sooner.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "davi",
            "cayleypy"
          ]
        },
        {
          "setting": "puzzle",
          "values": [
            "3x3x3"
          ]
        }
      ],
      "default": 0
    },
    {
      "name": "judge_every",
      "title": "eval every",
      "help": "Iterations between two evaluations of the greedy policy; 0 never evaluates. Up: training is faster, but progress shows later. Down: progress shows more often, but training is slower.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 5
    },
    {
      "name": "judge_within",
      "title": "eval within",
      "help": "Evaluation starts from every state that is at most this far from solved. 14 covers all states: it is the largest distance in quarter turns. Up: tests more and harder states. Down: tests fewer and easier states.",
      "kind": "integer",
      "min": 1.0,
      "max": 14.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [
        {
          "setting": "puzzle",
          "values": [
            "2x2x2"
          ]
        }
      ],
      "default": 14
    },
    {
      "name": "evaluate_states",
      "title": "states per eval",
      "help": "States of an evaluation of the 3x3x3. Up: the result is more exact. Down: an evaluation takes less time.",
      "kind": "integer",
      "min": 1.0,
      "max": 10000.0,
      "unit": "states",
      "live": true,
      "log": true,
      "group": "measuring",
      "main": false,
      "applies": [
        {
          "setting": "puzzle",
          "values": [
            "3x3x3"
          ]
        }
      ],
      "default": 16
    },
    {
      "name": "evaluate_beam",
      "title": "beam width in evals",
      "help": "Beam width in an evaluation of the 3x3x3: how many states the search keeps at each depth. Up: solves more states, by shorter solutions. Down: an evaluation takes less time.",
      "kind": "integer",
      "min": 1.0,
      "max": 1048576.0,
      "unit": "states",
      "live": true,
      "log": true,
      "group": "measuring",
      "main": false,
      "applies": [
        {
          "setting": "puzzle",
          "values": [
            "3x3x3"
          ]
        }
      ],
      "default": 256
    },
    {
      "name": "evaluate_scramble",
      "title": "scramble length in evals",
      "help": "Length of the scrambles in an evaluation of the 3x3x3; 0 takes uniformly random states instead. Up: harder to solve. Down: easier to solve.",
      "kind": "integer",
      "min": 0.0,
      "max": 100.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [
        {
          "setting": "puzzle",
          "values": [
            "3x3x3"
          ]
        }
      ],
      "default": 0
    },
    {
      "name": "goal",
      "title": "goal",
      "help": "Goal: the percentage of the states of an evaluation that must be solved. Up: harder to reach. Down: easier to reach.",
      "kind": "number",
      "min": 0.0,
      "max": 100.0,
      "unit": "%",
      "live": false,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 90.0
    }
  ],
  "usesGpu": true,
  "whyNoGpu": null,
  "toolsApart": false
};
