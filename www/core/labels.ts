// What the page calls a setting. Names in files, links and commands are an interface and stay; where one is not the term
// of docs/glossary.md, its label is here.

import { spaced } from "./format";

const LABELS: Record<string, string> = {
  anew_after: "restart after",
  anneal: "annealing",
  averaging: "weight averaging",
  backwards: "reversed sums",
  certainty: "initial wire logit",
  considered: "considered plays",
  decided: "quantization noise",
  dirichlet_share: "dirichlet fraction",
  echo_until: "repeat until",
  echoes: "repeated segments",
  focus: "residual fraction",
  gamma: "discount factor",
  judge_every: "eval every",
  judge_size: "eval size",
  judge_within: "eval within",
  length: "context length",
  looks: "initial perception",
  mend: "local search",
  prove_every: "eval every",
  race: "hidden, races",
  renew_below: "refresh below",
  renew_every: "refresh every",
  reuse: "replay ratio",
  scatter: "initial noise",
  second: "second hidden",
  settle: "hardening rate",
  settle_below: "hardening threshold",
  size: "problem size",
  slowdown: "rate decay",
  throws: "dice sampling",
};

/** The label of the setting `name`. */
export function settingLabel(name: string): string {
  return LABELS[name] ?? spaced(name);
}
