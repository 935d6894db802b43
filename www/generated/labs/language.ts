// Written by `cargo xtask bindings` from the Rust types. Change those, not this file.

import type { LabInfo } from "../protocol";

export const LAB: LabInfo = {
  "about": {
    "id": "language",
    "title": "Language",
    "tagline": "A small transformer learns to write: from noise to words, to sentences, to stories that make sense.",
    "agent": "A decoder-only transformer, of tens of thousands to some million parameters: blocks of causal attention that see what was written so far and guess the next token.",
    "goal": "Answer 99 of 100 problems exactly that it never saw; or write stories so well that they cost hardly more bits than the grammar they come from has entropy.",
    "picture": "A text as it is being written, and how the same beginning was continued earlier. Type your own beginning, look into any token and see where each head looks, or bring a text of your own.",
    "work": "tokens",
    "unit": "iteration",
    "presets": [
      {
        "name": "addition",
        "help": "Sums of two-digit numbers: learned within a minute.",
        "settings": "{}"
      },
      {
        "name": "stories",
        "help": "Small stories, byte by byte, and a network small enough for a tab.",
        "settings": "{\"source\": \"stories\", \"width\": 128, \"layers\": 3, \"heads\": 4, \"batch\": 16, \"updates\": 4, \"judge_every\": 10,\n            \"judge_size\": 4096, \"goal\": 20, \"optimiser\": \"muon\", \"learning_rate\": 0.003, \"muon_rate\": 0.03, \"anneal\": 4000,\n            \"echoes\": 0.5, \"echo_until\": 1000}"
      },
      {
        "name": "a",
        "help": "Stories with 3.26 million parameters: a quarter of an hour on two cores.",
        "settings": "{\"source\": \"stories\", \"width\": 256, \"layers\": 4, \"heads\": 8, \"batch\": 32, \"updates\": 1, \"judge_every\": 100,\n            \"judge_size\": 8192, \"goal\": 10, \"optimiser\": \"muon\", \"learning_rate\": 0.005, \"muon_rate\": 0.03, \"anneal\": 2200,\n            \"echoes\": 0.5, \"echo_until\": 500}"
      },
      {
        "name": "b",
        "help": "Stories in pieces of words, with 12.3 million parameters.",
        "settings": "{\"source\": \"stories\", \"tokens\": \"pairs\", \"width\": 384, \"layers\": 6, \"heads\": 6, \"batch\": 32, \"updates\": 1,\n            \"judge_every\": 50, \"judge_size\": 8192, \"goal\": 10, \"optimiser\": \"muon\", \"learning_rate\": 0.003, \"muon_rate\": 0.03,\n            \"anneal\": 1800, \"echoes\": 0.5, \"echo_until\": 450}"
      },
      {
        "name": "text",
        "help": "A text of your own: stories until you bring it.",
        "settings": "{\"source\": \"text\", \"width\": 128, \"layers\": 4, \"heads\": 4, \"batch\": 16, \"updates\": 4, \"judge_every\": 10,\n            \"judge_size\": 8192, \"optimiser\": \"muon\", \"learning_rate\": 0.003, \"muon_rate\": 0.03, \"anneal\": 0}"
      },
      {
        "name": "addition3",
        "help": "Sums of three-digit numbers.",
        "settings": "{\"size\": 3, \"width\": 128, \"batch\": 256, \"judge_size\": 2048, \"anneal\": 2000}"
      },
      {
        "name": "sort",
        "help": "Up to eight letters in the order of the alphabet.",
        "settings": "{\"source\": \"sort\", \"size\": 8, \"anneal\": 2000}"
      },
      {
        "name": "reverse",
        "help": "Up to eight letters backwards.",
        "settings": "{\"source\": \"reverse\", \"size\": 8, \"anneal\": 2000}"
      },
      {
        "name": "copy",
        "help": "Up to eight letters again.",
        "settings": "{\"source\": \"copy\", \"size\": 8, \"anneal\": 2000}"
      },
      {
        "name": "brackets",
        "help": "Closing all brackets that are open.",
        "settings": "{\"source\": \"brackets\", \"size\": 12, \"anneal\": 2000}"
      },
      {
        "name": "modular",
        "help": "Sums modulo 97: remembered first, understood later.",
        "settings": "{\"source\": \"modular\", \"size\": 97, \"width\": 128, \"batch\": 64, \"optimiser\": \"adamw\", \"weight_decay\": 1.0,\n            \"learning_rate\": 0.001, \"anneal\": 0}"
      },
      {
        "name": "parity",
        "help": "Whether the ones are odd in number: hard for attention.",
        "settings": "{\"source\": \"parity\", \"size\": 8, \"anneal\": 8000}"
      }
    ],
    "metrics": [
      {
        "name": "loss",
        "label": "loss",
        "help": "What the text that was just learned from cost: bits for each byte that was asked.",
        "unit": "bits",
        "better": "lower"
      },
      {
        "name": "bits",
        "label": "held-out text",
        "help": "Bits a byte of text that is never learned from.",
        "unit": "bits",
        "better": "lower"
      },
      {
        "name": "excess",
        "label": "above the entropy",
        "help": "How much more that is than the same stories cost who knows their grammar.",
        "unit": "%",
        "better": "lower"
      },
      {
        "name": "exact",
        "label": "exact answers",
        "help": "Problems that are never learned from, answered without a mistake.",
        "unit": "%",
        "better": "higher"
      },
      {
        "name": "exactMargin",
        "label": "margin of exact answers",
        "help": "How far off that share may be (two standard deviations).",
        "unit": "%",
        "better": "neither"
      },
      {
        "name": "gradient",
        "label": "gradient",
        "help": "Length of the gradient before it is shortened.",
        "unit": "",
        "better": "neither"
      },
      {
        "name": "rate",
        "label": "learning rate",
        "help": "Learning rate of the next update.",
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
      "help": "What it reads: stories, one of the tasks with an exact answer, or a text that somebody brings.",
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
      "default": "addition"
    },
    {
      "name": "size",
      "help": "How large the problems of a task are: the digits of a number, the most letters or brackets, the bits, or the modulus.",
      "kind": "integer",
      "min": 1.0,
      "max": 997.0,
      "unit": "",
      "live": false,
      "log": false,
      "default": 2
    },
    {
      "name": "backwards",
      "help": "Whether sums are written from the last digit to the first, as they are worked out.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "default": false
    },
    {
      "name": "tokens",
      "help": "What a text is cut into. Tasks have the few characters they need.",
      "kind": "choice",
      "options": [
        "bytes",
        "characters",
        "pairs"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "bytes"
    },
    {
      "name": "vocabulary",
      "help": "How many different tokens pairs are merged into.",
      "kind": "integer",
      "min": 257.0,
      "max": 16384.0,
      "unit": "tokens",
      "live": false,
      "log": true,
      "default": 4096
    },
    {
      "name": "width",
      "help": "Numbers that the network keeps about each token.",
      "kind": "integer",
      "min": 8.0,
      "max": 1024.0,
      "unit": "",
      "live": false,
      "log": true,
      "default": 64
    },
    {
      "name": "layers",
      "help": "Blocks of attention and perceptron, one after the other.",
      "kind": "integer",
      "min": 1.0,
      "max": 24.0,
      "unit": "blocks",
      "live": false,
      "log": false,
      "default": 2
    },
    {
      "name": "heads",
      "help": "Heads of each attention; they share the width.",
      "kind": "integer",
      "min": 1.0,
      "max": 32.0,
      "unit": "heads",
      "live": false,
      "log": false,
      "default": 4
    },
    {
      "name": "rotary",
      "help": "Whether attention sees how far apart two tokens are (rotary positions) and what stood before each, and not only where each stands.",
      "kind": "switch",
      "unit": "",
      "live": false,
      "log": false,
      "default": true
    },
    {
      "name": "length",
      "help": "How many tokens of a text it sees at once. A task's problems are as long as they are.",
      "kind": "integer",
      "min": 8.0,
      "max": 1024.0,
      "unit": "tokens",
      "live": false,
      "log": true,
      "default": 128
    },
    {
      "name": "batch",
      "help": "Sequences that are learned from together.",
      "kind": "integer",
      "min": 1.0,
      "max": 1024.0,
      "unit": "sequences",
      "live": false,
      "log": true,
      "default": 128
    },
    {
      "name": "updates",
      "help": "Updates in each iteration.",
      "kind": "integer",
      "min": 1.0,
      "max": 1000.0,
      "unit": "updates",
      "live": true,
      "log": true,
      "default": 10
    },
    {
      "name": "echoes",
      "help": "Share of the first batch's rows that say the same again after some tokens, so that looking back is learned early; of stories and texts.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": true,
      "log": false,
      "default": 0.0
    },
    {
      "name": "echo_until",
      "help": "Updates after which no row does so any more: they become fewer evenly.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "default": 500
    },
    {
      "name": "optimiser",
      "help": "Who follows the gradient: AdamW, or Muon with AdamW for what is no matrix inside a block.",
      "kind": "choice",
      "options": [
        "adamw",
        "muon"
      ],
      "unit": "",
      "live": false,
      "log": false,
      "default": "muon"
    },
    {
      "name": "learning_rate",
      "help": "How far each update moves what AdamW changes.",
      "kind": "number",
      "min": 0.0,
      "max": 0.1,
      "unit": "",
      "live": true,
      "log": true,
      "default": 0.004
    },
    {
      "name": "muon_rate",
      "help": "How far each update moves what Muon changes.",
      "kind": "number",
      "min": 0.0,
      "max": 0.5,
      "unit": "",
      "live": true,
      "log": true,
      "default": 0.02
    },
    {
      "name": "warm_up",
      "help": "Updates in which the rates climb to what is set.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "default": 20
    },
    {
      "name": "anneal",
      "help": "Updates after which they have fallen, along half a wave, to a twentieth; 0 for never.",
      "kind": "integer",
      "min": 0.0,
      "max": 10000000.0,
      "unit": "updates",
      "live": true,
      "log": false,
      "default": 800
    },
    {
      "name": "weight_decay",
      "help": "How much of every matrix goes in each update, times the rate.",
      "kind": "number",
      "min": 0.0,
      "max": 1.0,
      "unit": "",
      "live": false,
      "log": false,
      "default": 0.1
    },
    {
      "name": "clip",
      "help": "Longest gradient allowed; longer ones are shortened to this.",
      "kind": "number",
      "min": 0.001,
      "max": 1000.0,
      "unit": "",
      "live": true,
      "log": true,
      "default": 1.0
    },
    {
      "name": "judge_every",
      "help": "It is judged, on what it never learned from, every so many iterations; 0 for never.",
      "kind": "integer",
      "min": 0.0,
      "max": 100000.0,
      "unit": "iterations",
      "live": true,
      "log": false,
      "default": 5
    },
    {
      "name": "judge_size",
      "help": "How much it is judged on: bytes of text, or problems.",
      "kind": "integer",
      "min": 16.0,
      "max": 1000000.0,
      "unit": "",
      "live": false,
      "log": true,
      "default": 512
    },
    {
      "name": "goal",
      "help": "Of problems, how many must be answered exactly; of stories, how many bits a byte may cost above their entropy.",
      "kind": "number",
      "min": 0.0,
      "max": 100.0,
      "unit": "%",
      "live": false,
      "log": false,
      "default": 99.0
    }
  ]
};
