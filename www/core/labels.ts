// What the page calls a setting and its choices. Names in files, links and commands are an interface and stay; where one
// is not the term of docs/glossary.md, its label is here.

import type { JsonValue } from "../generated/protocol";
import { spaced } from "./format";
import { settingText } from "./values";

const LABELS: Record<string, string> = {
  alternatives: "alternative plays",
  anew_after: "restart after",
  anneal: "annealing",
  averaging: "weight averaging",
  backwards: "reversed sums",
  certainty: "initial wire logit",
  considered: "considered plays",
  decided: "quantization noise",
  dirichlet_alpha: "Dirichlet alpha",
  dirichlet_share: "Dirichlet fraction",
  echo_until: "repeat until",
  echoes: "repeated segments",
  focus: "residual fraction",
  gae_lambda: "GAE lambda",
  gamma: "discount factor",
  hidden: "hidden units",
  hidden_1: "hidden layer 1",
  hidden_2: "hidden layer 2",
  hidden_3: "hidden layer 3",
  judge_every: "eval every",
  judge_size: "eval size",
  judge_within: "eval within",
  length: "context length",
  looks: "initial perception",
  mend: "local search",
  muon_rate: "Muon rate",
  prove_every: "eval every",
  race: "hidden units, races",
  renew_below: "refresh below",
  renew_every: "refresh every",
  reuse: "replay ratio",
  scatter: "initial noise",
  second: "second layer",
  settle: "hardening rate",
  settle_below: "hardening threshold",
  size: "problem size",
  slowdown: "rate decay",
  target_kl: "target KL",
  throws: "dice sampling",
};

/** The label of the setting `name`. */
export function settingLabel(name: string): string {
  return LABELS[name] ?? spaced(name);
}

const CHOICES: Record<string, string> = {
  acrobot: "Acrobot",
  adamw: "AdamW",
  afterstates: "TD(lambda)",
  alphazero: "AlphaZero",
  cartpole: "CartPole",
  cayleypy: "CayleyPy",
  davi: "value iteration",
  dqn: "deep Q-learning",
  efficientcube: "EfficientCube",
  mountaincar: "MountainCar",
  muon: "Muon",
  pendulum: "Pendulum",
};

/** The label of a choice of a setting. */
export function choiceLabel(choice: string): string {
  return CHOICES[choice] ?? spaced(choice);
}

/** The value of a setting in a text. */
export function valueLabel(value: JsonValue): string {
  return typeof value === "string" ? choiceLabel(value) : settingText(value);
}
