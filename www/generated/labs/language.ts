// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "language",
    "title": "Language",
    "tagline": "A small transformer (a language model) learns to add numbers, sort letters or write stories by predicting what comes next.",
    "agent": "A decoder-only transformer with tens of thousands to millions of parameters: blocks of causal attention read what has been written so far and predict the next token.",
    "goal": "Answer 99 of 100 problems exactly, none of which it was trained on; or predict new stories nearly as well as their entropy, the theoretical limit, allows.",
    "picture": "In a task, each square is a problem that it is never trained on, green if its answer is right. Below, it continues a prompt, now and after earlier iterations. Press a token to see what it predicts next, and what each attention head attends to.",
    "work": "tokens",
    "unit": "iteration",
    "presets": [
      {
        "name": "addition",
        "title": "Addition, two digits",
        "help": "Sums of two-digit numbers, learned within a minute.",
        "settings": "{}"
      },
      {
        "name": "stories",
        "title": "Stories, small model",
        "help": "Stories byte by byte, with a model small enough for a browser tab.",
        "settings": "{\"source\": \"stories\", \"width\": 128, \"layers\": 3, \"heads\": 4, \"batch\": 16, \"updates\": 4, \"judge_every\": 10,\n            \"judge_size\": 4096, \"goal\": 20, \"optimiser\": \"muon\", \"learning_rate\": 0.003, \"muon_rate\": 0.03, \"anneal\": 4000,\n            \"echoes\": 0.5, \"echo_until\": 1000}"
      },
      {
        "name": "a",
        "title": "Stories, 3 million parameters",
        "help": "Stories byte by byte, with 3.26 million parameters; a quarter of an hour on two cores.",
        "settings": "{\"source\": \"stories\", \"width\": 256, \"layers\": 4, \"heads\": 8, \"batch\": 32, \"updates\": 1, \"judge_every\": 100,\n            \"judge_size\": 8192, \"goal\": 10, \"optimiser\": \"muon\", \"learning_rate\": 0.005, \"muon_rate\": 0.03, \"anneal\": 2200,\n            \"echoes\": 0.5, \"echo_until\": 500}"
      },
      {
        "name": "b",
        "title": "Stories, 12 million parameters",
        "help": "12.3 million parameters, and word pieces as tokens (byte pair encoding).",
        "settings": "{\"source\": \"stories\", \"tokens\": \"pairs\", \"width\": 384, \"layers\": 6, \"heads\": 6, \"batch\": 32, \"updates\": 1,\n            \"judge_every\": 50, \"judge_size\": 8192, \"goal\": 10, \"optimiser\": \"muon\", \"learning_rate\": 0.003, \"muon_rate\": 0.03,\n            \"anneal\": 1800, \"echoes\": 0.5, \"echo_until\": 450}"
      },
      {
        "name": "gpu",
        "title": "Stories, 24 million parameters",
        "help": "For a GPU: 24 million parameters and a context of 512 tokens; too slow without a GPU.",
        "settings": "{\"source\": \"stories\", \"tokens\": \"pairs\", \"width\": 512, \"layers\": 7, \"heads\": 8, \"length\": 512, \"batch\": 32,\n            \"updates\": 1, \"judge_every\": 50, \"judge_size\": 8192, \"goal\": 10, \"optimiser\": \"muon\", \"learning_rate\": 0.003,\n            \"muon_rate\": 0.03, \"anneal\": 3000, \"echoes\": 0.5, \"echo_until\": 450}"
      },
      {
        "name": "text",
        "title": "Your own text",
        "help": "Learns to write like a text you bring; stories until you do.",
        "settings": "{\"source\": \"text\", \"width\": 128, \"layers\": 4, \"heads\": 4, \"batch\": 16, \"updates\": 4, \"judge_every\": 10,\n            \"judge_size\": 8192, \"optimiser\": \"muon\", \"learning_rate\": 0.003, \"muon_rate\": 0.03, \"anneal\": 0}"
      },
      {
        "name": "addition3",
        "title": "Addition, three digits",
        "help": "Sums of three-digit numbers, with a wider model and larger batches.",
        "settings": "{\"size\": 3, \"width\": 128, \"batch\": 256, \"judge_size\": 2048, \"anneal\": 2000}"
      },
      {
        "name": "sort",
        "title": "Sort letters",
        "help": "Up to eight letters, put in alphabetical order.",
        "settings": "{\"source\": \"sort\", \"size\": 8, \"anneal\": 2000}"
      },
      {
        "name": "reverse",
        "title": "Reverse letters",
        "help": "Up to eight letters, written backwards.",
        "settings": "{\"source\": \"reverse\", \"size\": 8, \"anneal\": 2000}"
      },
      {
        "name": "copy",
        "title": "Copy letters",
        "help": "Up to eight letters, repeated.",
        "settings": "{\"source\": \"copy\", \"size\": 8, \"anneal\": 2000}"
      },
      {
        "name": "brackets",
        "title": "Close brackets",
        "help": "Up to twelve brackets; it closes all that are still open.",
        "settings": "{\"source\": \"brackets\", \"size\": 12, \"anneal\": 2000}"
      },
      {
        "name": "modular",
        "title": "Modular addition",
        "help": "Sums modulo 97, known for grokking: the network memorises first and generalises much later.",
        "settings": "{\"source\": \"modular\", \"size\": 97, \"width\": 128, \"batch\": 64, \"optimiser\": \"adamw\", \"weight_decay\": 1.0,\n            \"learning_rate\": 0.001, \"anneal\": 0}"
      },
      {
        "name": "parity",
        "title": "Parity",
        "help": "Whether the number of ones is odd: hard for attention.",
        "settings": "{\"source\": \"parity\", \"size\": 8, \"anneal\": 8000}"
      }
    ],
    "metrics": [
      {
        "name": "loss",
        "label": "training loss",
        "help": "How badly it predicts the text that it trains on: the bits per byte (mostly a letter) that the text would take if it were compressed with its predictions (cross-entropy). With 0 it would be certain of each byte and right; without compression it is 8. In tasks, such as adding, only the answers count.",
        "unit": "bits",
        "better": "lower"
      },
      {
        "name": "bits",
        "label": "held-out loss",
        "help": "Evaluation: how badly it predicts text that it never trains on: the bits per byte (mostly a letter) that the text would take if it were compressed with its predictions (cross-entropy). Without compression it is 8.",
        "unit": "bits",
        "better": "lower"
      },
      {
        "name": "excess",
        "label": "loss above the entropy",
        "help": "Evaluation: how many percent more bits new stories take, compressed with its predictions, than with those of the best possible predictor (the stories' entropy).",
        "unit": "%",
        "better": "lower"
      },
      {
        "name": "exact",
        "label": "exact answers",
        "help": "Evaluation: percentage of problems it is never trained on that are answered without a mistake.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "exactMargin",
        "label": "margin of error (95%)",
        "help": "How exact the percentage of exact answers is: in 95 of 100 such evaluations, the true one is at most this far from the measured one (two standard deviations).",
        "unit": "%",
        "better": "neither"
      },
      {
        "name": "gradient",
        "label": "gradient norm",
        "help": "How large a change the loss asks for (norm of the gradient), before it is limited: the mean over the updates of this iteration.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "rate",
        "label": "learning rate",
        "help": "AdamW's learning rate: about how far the next update moves a parameter. Muon has its own.",
        "unit": "",
        "better": "neither"
      }
    ],
    "charts": [
      "loss",
      "exact",
      "bits",
      "excess",
      "gradient",
      "rate"
    ]
  },
  "fields": [
    {
      "name": "source",
      "title": "source",
      "help": "Training data: generated stories, a task with exact answers, or a text of your own.",
      "kind": "choice",
      "options": [
        "stories",
        "copy",
        "reverse",
        "sort",
        "addition",
        "modular",
        "brackets",
        "parity",
        "text"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "data",
      "main": false,
      "applies": [],
      "default": "addition"
    },
    {
      "name": "size",
      "title": "problem size",
      "help": "Problem size of a task: digits of each number, most letters or brackets, number of bits, or the modulus. Up: harder problems. Down: easier problems.",
      "kind": "integer",
      "min": 1.0,
      "max": 997.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "data",
      "main": true,
      "applies": [
        {
          "setting": "source",
          "values": [
            "copy",
            "reverse",
            "sort",
            "addition",
            "modular",
            "brackets",
            "parity"
          ]
        }
      ],
      "default": 2
    },
    {
      "name": "backwards",
      "title": "reversed sums",
      "help": "Order in which the digits of a sum are written. On: from the last digit to the first, the order in which carrying works. Off: from the first digit, as people write it, which is harder.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "group": "data",
      "main": false,
      "applies": [
        {
          "setting": "source",
          "values": [
            "addition"
          ]
        }
      ],
      "default": false
    },
    {
      "name": "tokens",
      "title": "tokens",
      "help": "Tokenizer: splits stories and texts into bytes, characters, or byte pairs (BPE). Tasks use the few characters they need.",
      "kind": "choice",
      "options": [
        "bytes",
        "characters",
        "pairs"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "data",
      "main": false,
      "applies": [
        {
          "setting": "source",
          "values": [
            "stories",
            "text"
          ]
        }
      ],
      "default": "bytes"
    },
    {
      "name": "vocabulary",
      "title": "vocabulary",
      "help": "Vocabulary size: how many different tokens byte pair encoding builds. Up: texts are shorter in tokens, but the network is larger. Down: the network is smaller, but texts are longer in tokens.",
      "kind": "integer",
      "min": 257.0,
      "max": 16384.0,
      "unit": "tokens",
      "live": false,
      "log": true,
      "group": "data",
      "main": false,
      "applies": [
        {
          "setting": "source",
          "values": [
            "stories",
            "text"
          ]
        },
        {
          "setting": "tokens",
          "values": [
            "pairs"
          ]
        }
      ],
      "default": 4096
    },
    {
      "name": "width",
      "title": "width",
      "help": "Model width: size of the vector that represents each token inside the network. Up: predicts better, but computes slower. Down: computes faster, but predicts worse.",
      "kind": "integer",
      "min": 8.0,
      "max": 1024.0,
      "unit": "",
      "live": false,
      "log": true,
      "group": "network",
      "main": true,
      "applies": [],
      "default": 64
    },
    {
      "name": "layers",
      "title": "layers",
      "help": "Transformer blocks, each an attention layer followed by an MLP (layers of neurons). Up: predicts better, but computes slower. Down: computes faster, but predicts worse.",
      "kind": "integer",
      "min": 1.0,
      "max": 24.0,
      "unit": "blocks",
      "live": false,
      "log": false,
      "group": "network",
      "main": true,
      "applies": [],
      "default": 2
    },
    {
      "name": "heads",
      "title": "heads",
      "help": "Attention heads of each block, which share the width equally. Up: looks at more places at once, each in less detail. Down: looks at fewer places, each in more detail.",
      "kind": "integer",
      "min": 1.0,
      "max": 32.0,
      "unit": "heads",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": 4
    },
    {
      "name": "rotary",
      "title": "rotary",
      "help": "Rotary position embeddings: how attention knows the places of tokens. On: it sees how far apart two tokens are and which came first. Off: it sees only where each token stands.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "group": "network",
      "main": false,
      "applies": [],
      "default": true
    },
    {
      "name": "length",
      "title": "context length",
      "help": "Context length: how many tokens of a story or text the network sees at once. A task's context is its longest problem. Up: sees further back, but computes slower. Down: computes faster, but forgets sooner.",
      "kind": "integer",
      "min": 8.0,
      "max": 1024.0,
      "unit": "tokens",
      "live": false,
      "log": true,
      "group": "network",
      "main": true,
      "applies": [
        {
          "setting": "source",
          "values": [
            "stories",
            "text"
          ]
        }
      ],
      "default": 128
    },
    {
      "name": "batch",
      "title": "batch",
      "help": "Batch size: sequences in each update. Up: the loss falls more smoothly, but updates take longer. Down: updates are quicker, but the loss jumps more.",
      "kind": "integer",
      "min": 1.0,
      "max": 1024.0,
      "unit": "sequences",
      "live": false,
      "log": true,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 128
    },
    {
      "name": "updates",
      "title": "updates",
      "help": "Updates in each iteration. Up: longer iterations, so the numbers on the page change less often. Down: shorter iterations, so they change more often.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 10
    },
    {
      "name": "echoes",
      "title": "repeated segments",
      "help": "Repeated segments: fraction of the first sequences that repeat their own beginning. Up: teaches copying earlier (induction heads), but shows less new text. Down: shows more new text.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "group": "data",
      "main": false,
      "applies": [
        {
          "setting": "source",
          "values": [
            "stories",
            "text"
          ]
        }
      ],
      "default": 0.0
    },
    {
      "name": "echo_until",
      "title": "repeat until",
      "help": "Updates over which the fraction of repeated segments falls evenly to zero. Up: keeps them for longer. Down: ends them sooner.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "group": "data",
      "main": false,
      "applies": [
        {
          "setting": "source",
          "values": [
            "stories",
            "text"
          ]
        }
      ],
      "default": 500
    },
    {
      "name": "optimiser",
      "title": "optimiser",
      "help": "Optimiser, the rule that turns gradients into updates. AdamW moves each parameter by a step of its own, the smaller the larger its gradients have been. Muon moves a matrix of weights as a whole, equally far in all its directions; it moves the matrices inside the blocks, and AdamW the rest.",
      "kind": "choice",
      "options": [
        "adamw",
        "muon"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": "muon"
    },
    {
      "name": "learning_rate",
      "title": "learning rate",
      "help": "Learning rate of AdamW: how far each update moves a parameter. Up: the loss falls faster, but without Muon, too high a rate undoes what was learned. Down: it falls more slowly and steadily; 0 leaves these parameters as they are.",
      "kind": "number",
      "min": 0.0,
      "max": 0.1,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": true,
      "applies": [],
      "default": 0.004
    },
    {
      "name": "muon_rate",
      "title": "Muon rate",
      "help": "Learning rate of Muon: how far each update moves the matrices inside the blocks. Up: the loss falls faster, but too high a rate undoes what was learned. Down: it falls more slowly and steadily; 0 leaves these matrices as they are.",
      "kind": "number",
      "min": 0.0,
      "max": 0.5,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": true,
      "applies": [
        {
          "setting": "optimiser",
          "values": [
            "muon"
          ]
        }
      ],
      "default": 0.02
    },
    {
      "name": "warm_up",
      "title": "warm-up",
      "help": "Warm-up: updates over which the learning rates rise evenly to their full value. Up: starts more gently. Down: starts faster, but may be unstable at first.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 20
    },
    {
      "name": "anneal",
      "title": "annealing",
      "help": "Annealing: updates after which the learning rates have fallen along half a cosine to a twentieth; 0 keeps them constant. Up: ends better, but later. Down: ends sooner, perhaps before enough is learned.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 800
    },
    {
      "name": "weight_decay",
      "title": "weight decay",
      "help": "Weight decay: each update shrinks every matrix by this fraction times the learning rate. Up: keeps the weights smaller, against learning the text by heart (overfitting). Down: fits the text more closely, but may learn it by heart.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": false,
      "log": false,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 0.1
    },
    {
      "name": "clip",
      "title": "gradient clipping",
      "help": "Gradient clipping: a gradient that is longer than this (by its norm) is scaled down to this length. Up: one unusual batch can change more. Down: no batch changes much at once.",
      "kind": "number",
      "min": 0.001,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": true,
      "group": "learning",
      "main": false,
      "applies": [],
      "default": 1.0
    },
    {
      "name": "judge_every",
      "title": "eval every",
      "help": "Iterations between two evaluations on held-out data; 0 never evaluates. Up: training is faster, but progress shows later. Down: progress shows more often, but training is slower.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 5
    },
    {
      "name": "judge_size",
      "title": "eval size",
      "help": "Evaluation size: bytes of held-out text, or problems of a task. Up: measures more precisely, but takes longer. Down: quicker, but luck counts more.",
      "kind": "integer",
      "min": 16.0,
      "max": 1000000.0,
      "unit": "",
      "live": false,
      "log": true,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 512
    },
    {
      "name": "goal",
      "title": "goal",
      "help": "Goal: the percentage of problems answered exactly, or for stories, how many percent the bits per byte may lie above the entropy. Up: harder for tasks, easier for stories. Down: easier for tasks, harder for stories.",
      "kind": "number",
      "min": 0.0,
      "max": 100.0,
      "unit": "%",
      "live": false,
      "log": false,
      "group": "measuring",
      "main": false,
      "applies": [],
      "default": 99.0
    }
  ],
  "usesGpu": true,
  "whyNoGpu": null,
  "toolsApart": false
};
