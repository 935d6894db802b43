// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "backgammon",
    "title": "Backgammon",
    "tagline": "Self-play: an agent learns backgammon from nothing but the rules and games against itself.",
    "agent": "A small neural network that estimates, from a position, the probabilities of winning and losing the game, a gammon (which counts double) or a backgammon (triple). The agent makes the play that leaves its opponent the lowest equity: the score that the opponent can expect.",
    "goal": "Win half a point per game on average against pubeval, a program from 1993 that never changes, without the doubling cube. It is tested while it learns, in pairs of games with the same dice and the sides exchanged.",
    "picture": "A board on which the agent plays against itself or against you. Thick arrows show the play that it makes, thin ones others that it tries by looking ahead (a small tree search). The bar shows how likely it thinks each side is to win, the list how good each play is for the side that rolled.",
    "work": "positions",
    "unit": "round",
    "presets": [
      {
        "name": "standard",
        "title": "TD(lambda)",
        "help": "Learns from its own estimates of later positions. Beats the program pubeval after a few minutes of training.",
        "settings": "{}"
      },
      {
        "name": "strong",
        "title": "TD(lambda), large network",
        "help": "A larger network, to be trained for hours, which also sees counts that players use: shots, escapes, primes and contact. The strongest preset. It becomes stronger still if it looks one roll ahead in its last rounds, which take longer (the setting “lookahead from”).",
        "settings": "{\"hidden\": 256, \"second\": 48, \"inputs\": \"expert\", \"games\": 512, \"lambda\": 0.4, \"learning_rate\": 0.003, \"replay\": 262144,\n\"eval_every\": 200, \"eval_games\": 2000}"
      },
      {
        "name": "small",
        "title": "TD(lambda), small network",
        "help": "A network that trains quickly even in a browser without threads.",
        "settings": "{\"games\": 64, \"hidden\": 64, \"second\": 16, \"race\": 16, \"batch\": 256}"
      },
      {
        "name": "alphazero",
        "title": "AlphaZero",
        "help": "Learns from tree searches of a hundred simulations a turn, guided by its own network.",
        "settings": "{\"learner\": \"alphazero\", \"games\": 128, \"horizon\": 24, \"lambda\": 1.0, \"batch\": 256, \"reuse\": 1.0,\n\"learning_rate\": 0.001, \"replay\": 100000, \"eval_every\": 20, \"eval_games\": 100}"
      },
      {
        "name": "tournament",
        "title": "AlphaZero, Gumbel search",
        "help": "Searches a few plays drawn at random, and halves their number again and again (Gumbel sampling with sequential halving). With lambda 0.9, and twice the reuse and learning rate, it learns faster than the preset AlphaZero.",
        "settings": "{\"learner\": \"alphazero\", \"games\": 128, \"horizon\": 24, \"lambda\": 0.9, \"batch\": 256, \"reuse\": 2.0,\n\"learning_rate\": 0.002, \"replay\": 100000, \"eval_every\": 20, \"eval_games\": 100,\n\"dirichlet_alpha\": 0.0, \"temperature\": 0.0}"
      },
      {
        "name": "values",
        "title": "AlphaZero, policy from values",
        "help": "AlphaZero that learns no separate probabilities of plays (it has no policy head): they come from the network's values of the positions that plays lead to. One turn in four, drawn at random, has a full search, the others one simulation. The strongest AlphaZero preset for a CPU.",
        "settings": "{\"learner\": \"alphazero\", \"policy\": \"values\", \"games\": 128, \"horizon\": 24, \"lambda\": 0.7,\n\"full_search_every\": 4, \"quick_simulations\": 1, \"batch\": 256, \"reuse\": 2.0, \"learning_rate\": 0.002, \"slowdown\": 4000,\n\"replay\": 100000, \"eval_every\": 20, \"eval_games\": 400, \"dirichlet_alpha\": 0.0, \"temperature\": 0.0}"
      },
      {
        "name": "gpu",
        "title": "AlphaZero, 8,192 games, for a GPU",
        "help": "Policy from values, with so many games at the same time that a GPU is kept busy: it evaluates the positions of one half while the CPU searches in the other. Takes gigabytes of memory; for the command line.",
        "settings": "{\"learner\": \"alphazero\", \"policy\": \"values\", \"games\": 8192, \"horizon\": 32, \"lambda\": 0.7,\n\"full_search_every\": 4, \"quick_simulations\": 1, \"batch\": 1024, \"reuse\": 2.0, \"learning_rate\": 0.002, \"slowdown\": 4000,\n\"replay\": 1000000, \"eval_every\": 5, \"eval_games\": 400, \"dirichlet_alpha\": 0.0, \"temperature\": 0.0}"
      },
      {
        "name": "patient",
        "title": "Monte Carlo (lambda 1)",
        "help": "Learns from the results of games, or from its estimate at the end of a round if that comes first, not from estimates in between. It takes much longer than TD(lambda).",
        "settings": "{\"lambda\": 1.0}"
      }
    ],
    "metrics": [
      {
        "name": "points",
        "label": "score against pubeval",
        "help": "Points per game in a test (evaluation) against the program pubeval, won minus lost, without looking ahead. A gammon counts double, a backgammon triple.",
        "unit": "points",
        "better": "higher"
      },
      {
        "name": "margin",
        "label": "margin of error (95%)",
        "help": "How exact the score against pubeval is: in 95 of 100 such tests, the true score is at most this far from the measured one (half the width of the 95% confidence interval).",
        "unit": "points",
        "better": "lower"
      },
      {
        "name": "wins",
        "label": "win rate",
        "help": "Share of the games of a test against pubeval that the agent won.",
        "unit": "",
        "better": "higher"
      },
      {
        "name": "loss",
        "label": "value loss",
        "help": "How wrong its estimates of who wins are: how far the network's five probabilities are from those that it learns from (binary cross-entropy, summed over the five), on average over the minibatches of this round.",
        "unit": "nats",
        "better": "lower"
      },
      {
        "name": "surprise",
        "label": "TD error",
        "help": "How far the network's value of a position typically is from what it learns, which follows from how the game went on (the TD(lambda) target; root mean square difference).",
        "unit": "points",
        "better": "lower"
      },
      {
        "name": "games",
        "label": "finished games",
        "help": "Self-play games that ended in this round.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "gammons",
        "label": "gammon rate",
        "help": "Fraction of the self-play games of this round that ended in a gammon or a backgammon: wins that count double or triple.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "length",
        "label": "game length",
        "help": "Mean length of the self-play games of this round. TD(lambda) stops a game once both sides bear off, where the value is known exactly.",
        "unit": "turns",
        "better": "neither"
      },
      {
        "name": "policyLoss",
        "label": "policy loss",
        "help": "How far the network's probabilities of plays are from those of AlphaZero's full searches, which it learns (KL divergence): from their visits or, with Gumbel sampling, from their improved policy.",
        "unit": "nats",
        "better": "lower"
      },
      {
        "name": "entropy",
        "label": "policy entropy",
        "help": "Entropy of the policy from AlphaZero's policy head: 0 means that one play has all the probability.",
        "unit": "nats",
        "better": "neither"
      },
      {
        "name": "gradNorm",
        "label": "gradient norm",
        "help": "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this round.",
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
      "title": "games",
      "help": "Games against itself that run at the same time. Up: each round has more varied games, but takes longer. Down: rounds are quicker, but have fewer games.",
      "kind": "integer",
      "min": 1.0,
      "max": 8192.0,
      "unit": "games",
      "live": false,
      "log": false,
      "group": "acting",
      "main": true,
      "applies": [],
      "default": 256
    },
    {
      "name": "horizon",
      "title": "horizon",
      "help": "Turns played in every game of a round, before the network learns from them. Up: longer rounds with more data. Down: shorter rounds, so the network is updated sooner.",
      "kind": "integer",
      "min": 1.0,
      "max": 256.0,
      "unit": "turns",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [],
      "default": 16
    },
    {
      "name": "hidden",
      "title": "hidden units",
      "help": "Hidden units: neurons in the first layer of the network for contact positions, in which the sides can still hit each other. Up: plays better in the end, but rounds take longer. Down: rounds are quicker, but it plays worse in the end.",
      "kind": "integer",
      "min": 1.0,
      "max": 1024.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": true,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": 160
    },
    {
      "name": "second",
      "title": "second layer",
      "help": "Neurons in the second layer for contact positions. Up: can judge more finely, but computes slower. Down: computes faster, but judges more coarsely.",
      "kind": "integer",
      "min": 1.0,
      "max": 1024.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": 32
    },
    {
      "name": "race",
      "title": "hidden units, races",
      "help": "Neurons in the first layer for races, in which no side can hit any more; the second is half as wide. Up: can judge more finely, but computes slower. Down: computes faster, but judges more coarsely.",
      "kind": "integer",
      "min": 2.0,
      "max": 1024.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": 48
    },
    {
      "name": "inputs",
      "title": "inputs",
      "help": "What the network sees in contact positions: only the checkers on each place (raw), or also counts that players use (expert): shots, escapes, primes, contact; or also the rolls that hit and make each point, and products of counts (full). More inputs make it stronger, but slower.",
      "kind": "choice",
      "options": [
        "raw",
        "expert",
        "full"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": "raw"
    },
    {
      "name": "pruning",
      "title": "pruning",
      "help": "Neurons of a small network that sorts out poor plays first, when it looks ahead; 0 for none. Up: sorts out fewer good plays by mistake, but computes slower. Down: computes faster, but loses more good plays.",
      "kind": "integer",
      "min": 0.0,
      "max": 256.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": 0
    },
    {
      "name": "exploration",
      "title": "exploration",
      "help": "Exploration: the first plays are random, then fewer and fewer, and none after this many positions. Up: sees more varied games, but plays badly for longer. Down: plays sensibly sooner, but sees less variety.",
      "kind": "integer",
      "min": 0.0,
      "max": 1000000000.0,
      "unit": "positions",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": 250000
    },
    {
      "name": "lambda",
      "title": "lambda",
      "help": "Lambda of TD(lambda): what the network learns from, between the next position (0) and the result of the game (1). Up: more from what came later, up to the result, which varies with the dice. Down: more from its own next estimate, which is steadier, but may be wrong.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.7
    },
    {
      "name": "lookahead_from",
      "title": "lookahead from round",
      "help": "Lookahead: from this round on, it learns from the mean over all 21 rolls instead of the one that was rolled; 0 never. Up: more rounds with quick, noisy estimates first. Down: less noise sooner, but rounds take some five (with pruning) to fourteen times as long.",
      "kind": "integer",
      "min": 0.0,
      "max": 1000000.0,
      "unit": "rounds",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": 0
    },
    {
      "name": "alternatives",
      "title": "alternative plays",
      "help": "Alternative plays: with lookahead, the probability that a turn makes a play other than the best, drawn from those that lose less than 0.08 points by its own estimate. Up: corrects more estimates that are too low. Down: better games, and more learned from later turns.",
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
            "afterstates"
          ]
        }
      ],
      "default": 0.0
    },
    {
      "name": "warm_restart_at",
      "title": "warm restart at round",
      "help": "Warm restart: before this round, training begins anew from the averaged weights, with new games, an empty replay buffer and a new optimiser, so the learning rate has not decayed; 0 never. Up: begins anew from better weights. Down: leaves more rounds after the restart.",
      "kind": "integer",
      "min": 0.0,
      "max": 1000000.0,
      "unit": "rounds",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "afterstates"
          ]
        }
      ],
      "default": 0
    },
    {
      "name": "learning_rate",
      "title": "learning rate",
      "help": "Learning rate at the start: how far an update moves the weights. Up: the score rises faster, but too high a rate undoes what was learned. Down: the score rises more slowly and steadily; at 0 nothing is learned.",
      "kind": "number",
      "min": 0.0,
      "max": 0.1,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.002
    },
    {
      "name": "slowdown",
      "title": "rate decay",
      "help": "Learning rate decay: updates after which the rate is down to 0.71 of its start; it goes on falling as one over the square root. Up: the rate stays high for longer. Down: it falls sooner, which is steadier, but slower. In AlphaZero with the policy `moves` the rate is constant.",
      "kind": "integer",
      "min": 1.0,
      "max": 100000000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 4000
    },
    {
      "name": "batch",
      "title": "batch",
      "help": "Minibatch size: positions in each update. Up: the loss falls more smoothly, but updates take longer. Down: updates are quicker, but the loss jumps more.",
      "kind": "integer",
      "min": 1.0,
      "max": 16384.0,
      "unit": "positions",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 512
    },
    {
      "name": "reuse",
      "title": "replay ratio",
      "help": "Replay ratio: how often each position is learned from, on average. Up: learns more from each game, but leaves less time to play. Down: plays more games, but learns less from each.",
      "kind": "number",
      "min": 0.1,
      "max": 20.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 2.0
    },
    {
      "name": "replay",
      "title": "replay",
      "help": "Replay buffer: how many past positions are kept to learn from. Up: more varied, but contains older estimates. Down: newer estimates, but less varied.",
      "kind": "integer",
      "min": 1.0,
      "max": 2000000.0,
      "unit": "positions",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 65536
    },
    {
      "name": "averaging",
      "title": "weight averaging",
      "help": "Weight averaging: the network that plays is the average of the weights over this fraction of the run, the latest part. Up: the score is steadier, but follows progress later. Down: follows progress at once, but fluctuates.",
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
            "afterstates"
          ]
        }
      ],
      "default": 0.1
    },
    {
      "name": "eval_every",
      "title": "eval every",
      "help": "Rounds between two tests (evaluations) against pubeval; 0 never tests. Up: training is faster, but progress shows later. Down: progress shows more often, but training is slower.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "rounds",
      "live": true,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 50
    },
    {
      "name": "eval_games",
      "title": "games per eval",
      "help": "Games in each test, in pairs with the same dice and the sides exchanged. Up: the score is more exact, but a test takes longer. Down: a test is quicker, but luck counts more.",
      "kind": "integer",
      "min": 2.0,
      "max": 20000.0,
      "unit": "games",
      "live": false,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 400
    },
    {
      "name": "learner",
      "title": "learner",
      "help": "Learning algorithm: TD(lambda), which learns the value of the positions after a play (afterstates), or AlphaZero, which learns from tree searches.",
      "kind": "choice",
      "options": [
        "afterstates",
        "alphazero"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": "afterstates"
    },
    {
      "name": "simulations",
      "title": "simulations",
      "help": "Simulations: plays and replies that it tries out before each turn (tree search). Up: chooses better plays, but takes longer. Down: plays faster, but worse.",
      "kind": "integer",
      "min": 1.0,
      "max": 10000.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": true,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 100
    },
    {
      "name": "policy",
      "title": "policy",
      "help": "Policy of the tree search: a policy head that learns which checker moves the searches prefer (moves), or the network's values of the positions that plays lead to (values). From values it learns much faster, but a search evaluates every play of a position.",
      "kind": "choice",
      "options": [
        "moves",
        "values"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": "moves"
    },
    {
      "name": "full_search_every",
      "title": "full search interval",
      "help": "Full searches: one turn in this many, drawn at random, has all simulations; the others have only the quick simulations, and the policy does not learn from them. Up: more games, but fewer well searched turns. Down: fewer games, better searched.",
      "kind": "integer",
      "min": 1.0,
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
            "alphazero"
          ]
        }
      ],
      "default": 1
    },
    {
      "name": "quick_simulations",
      "title": "quick simulations",
      "help": "Simulations of a turn without a full search. Up: better plays, but slower. Down: faster, but worse plays.",
      "kind": "integer",
      "min": 1.0,
      "max": 10000.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 8
    },
    {
      "name": "search_values",
      "title": "search values",
      "help": "Search values: which values of later turns the value targets use. On: those that the searches found, which are more exact but depend on the rolls that were tried. Off: the network's own values.",
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
            "alphazero"
          ]
        }
      ],
      "default": false
    },
    {
      "name": "cpuct",
      "title": "exploration constant",
      "help": "How much the tree search tries plays that do not look best so far (the exploration constant of PUCT, its rule of choice). Up: lets the policy decide more and tries more plays. Down: follows the values found so far.",
      "kind": "number",
      "min": 0.0,
      "max": 20.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 2.0
    },
    {
      "name": "fpu",
      "title": "first-play urgency",
      "help": "First-play urgency: a play without visits counts as the value of its position minus this, in units of three points. Up: tries fewer plays. Down: tries more plays; below 0 they count as better than their position.",
      "kind": "number",
      "min": -2.0,
      "max": 2.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 0.0
    },
    {
      "name": "throws",
      "title": "dice sampling",
      "help": "How the search samples dice rolls: at random (sampled), evenly over all rolls (even), or all rolls at the first visit (every).",
      "kind": "choice",
      "options": [
        "sampled",
        "even",
        "every"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": "even"
    },
    {
      "name": "dirichlet_alpha",
      "title": "Dirichlet alpha",
      "help": "How evenly Dirichlet noise, random numbers that let each search try unlikely plays too, is spread over the plays; 0 uses Gumbel sampling with sequential halving instead. Up: spreads the noise over more plays. Down: concentrates it on few plays.",
      "kind": "number",
      "min": 0.0,
      "max": 10.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 0.3
    },
    {
      "name": "dirichlet_share",
      "title": "Dirichlet fraction",
      "help": "How much of the probabilities with which a search starts is random (Dirichlet noise). Up: explores more. Down: follows its policy more.",
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
            "alphazero"
          ]
        }
      ],
      "default": 0.25
    },
    {
      "name": "considered",
      "title": "considered plays",
      "help": "Sequential halving: how many plays a search with Gumbel sampling begins with; the worse half of them is dropped again and again. Up: more plays, with fewer simulations for each. Down: fewer plays, each searched more deeply.",
      "kind": "integer",
      "min": 1.0,
      "max": 64.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 16
    },
    {
      "name": "temperature",
      "title": "temperature",
      "help": "Temperature of self-play: at 0 it makes the play that it tried most, at 1 it draws one, more often if tried more. Up: closer to random, so games are more varied. Down: better plays, but games are more alike.",
      "kind": "number",
      "min": 0.0,
      "max": 10.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": true,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 1.0
    },
    {
      "name": "temperature_turns",
      "title": "temperature turns",
      "help": "Turns of a game after which the late temperature replaces the first. Up: the first temperature holds for longer. Down: the late temperature begins sooner.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000.0,
      "unit": "turns",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 10000
    },
    {
      "name": "late_temperature",
      "title": "late temperature",
      "help": "Temperature of self-play once the turns of the setting `temperature turns` are over. Up: more varied, but worse games. Down: better, but less varied games.",
      "kind": "number",
      "min": 0.0,
      "max": 10.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "acting",
      "main": false,
      "applies": [
        {
          "setting": "learner",
          "values": [
            "alphazero"
          ]
        }
      ],
      "default": 1.0
    },
    {
      "name": "weight_decay",
      "title": "weight decay",
      "help": "Weight decay: each update makes all weights a little smaller, by this fraction times the learning rate. Up: keeps the weights small, against learning games by heart. Down: fits its games more closely, but may learn them by heart.",
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
            "alphazero"
          ]
        }
      ],
      "default": 0.0001
    }
  ],
  "usesGpu": false,
  "whyNoGpu": "The network of TD(lambda) is too small for a GPU. AlphaZero's searches wait for every answer of the network, so a GPU pays only with thousands of games at the same time, for which a tab has too little memory. On the command line, the preset “gpu” plays 8,192 games.",
  "toolsApart": true
};
