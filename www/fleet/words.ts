// What a tab in a fleet is doing, in one plain sentence.

import type { BundleChoice } from "../core/bundle";
import { formatCount, formatEstimate, sentence } from "../core/format";
import type { ActorsProgress } from "../generated/protocol";

/** The connection to the fleet's server. */
export type Connection =
  | { state: "connecting" }
  | { state: "open" }
  /** `retryMs` were left until the next try when the loss was told. `before` says whether there was a connection. */
  | { state: "lost"; retryMs: number; before: boolean }
  | { state: "refused"; reason: string };

/** Everything that the sentence depends on. */
export type Situation = {
  /** The server, for people. */
  server: string;
  connection: Connection;
  /** A sentence about the program that a development server still builds; undefined elsewhere. */
  building: string | undefined;
  /** The part of the program that has arrived, 0 to 1; undefined before the first of it. */
  loaded: number | undefined;
  /** Undefined until the program runs. */
  progress: ActorsProgress | undefined;
  /** Seconds since the fleet's host was heard; undefined if it never was. */
  silence: number | undefined;
  /** Why this tab cannot compute any more: a failure of its own. */
  failure: string | undefined;
};

export type Sentence = {
  text: string;
  /** Whether the tab computes, cannot go on without the visitor, or waits. */
  tone: "computing" | "wrong" | "waiting";
};

/** A host that is silent for longer counts as absent. It reports its status once a second. */
export const MAX_SILENCE_SECONDS = 10;

/** Why a tab that computes other bits than the fleet cannot join. */
export function otherBits(bits: string, choice: Pick<BundleChoice, "name" | "bits" | "reason">): string {
  const why =
    choice.name === "simple"
      ? choice.reason
      : "This browser rounds twice where the fleet rounds once (no fused multiply-add).";
  return `This fleet computes ${bits} bits, and this tab ${choice.bits} ones. ${why} Join with another browser or from a terminal.`;
}

export function describe(situation: Situation): Sentence {
  const { server, connection, loaded, progress, failure } = situation;
  const wrong = (text: string): Sentence => ({ text: sentence(text), tone: "wrong" });
  const waiting = (text: string): Sentence => ({ text, tone: "waiting" });
  if (failure) return wrong(failure);
  if (progress?.ended) return wrong(progress.ended);
  if (connection.state === "refused") return wrong(connection.reason);
  if (progress && progress.actors.complete > 0)
    return waiting(`The ${progress.sweep ? "sweep" : "run"} is complete. There is nothing left to compute.`);
  if (connection.state === "connecting") return waiting(`Connecting to ${server}.`);
  if (connection.state === "lost") {
    const next = `The next try is in ${formatEstimate(connection.retryMs / 1000)}`;
    return waiting(
      connection.before
        ? `The connection to ${server} is lost. ${next}; finished results wait here until then.`
        : `${server} does not answer. ${next}. The fleet may have ended, or the link may be an old one.`,
    );
  }
  if (progress) return computing(situation, progress);
  if (situation.silence === undefined) return waiting("Connected. Waiting for the first message of the fleet's host.");
  if (loaded === undefined) return waiting(situation.building ?? "Connected. Joining.");
  return waiting(`Loading the program: ${Math.floor(loaded * 100)} %.`);
}

/** What the actors do while there is a connection. */
function computing({ silence }: Situation, { actors, paused, run, sweep }: ActorsProgress): Sentence {
  const { asking, fetching, working, delivering } = actors;
  const isHostAbsent = silence === undefined || silence > MAX_SILENCE_SECONDS;
  if (paused)
    return {
      text: `Paused. The fleet goes on without this tab${delivering > 0 ? ", which is still delivering a result" : ""}.`,
      tone: "waiting",
    };
  if (working > 0) {
    const all = asking + fetching + working + delivering;
    const threads = working < all ? `${working} of ${formatCount(all, "thread")}` : formatCount(all, "thread");
    const away = isHostAbsent ? " The host does not answer; results are sent when it is back." : "";
    return { text: `Computing on ${threads}.${away}`, tone: "computing" };
  }
  if (isHostAbsent) return { text: "The host does not answer. This tab goes on when it is back.", tone: "waiting" };
  if (delivering > 0) return { text: "Delivering a result.", tone: "computing" };
  if (fetching > 0) return { text: sweep ? "Fetching a run." : "Fetching weights.", tone: "computing" };
  const next = sweep
    ? "Waiting for the next run: others compute the last ones."
    : "Waiting for the next job: the host is learning, or others compute the last jobs.";
  return { text: run ? next : "Waiting for the first job.", tone: "waiting" };
}
