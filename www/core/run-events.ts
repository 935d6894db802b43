// What the open run (run.ts) tells the parts of the page that subscribe to it.

import type { JsonValue, Progress, RunInfo, ViewReply } from "../generated/protocol";
import type { ReplyOf } from "./requests";
import type { Settings } from "./values";
import type { Ready, WorkerFailure } from "./worker-messages";

/** A view of any lab. A view is the data for one drawing of the lab's picture. */
export type AnyView = ViewReply["view"];

export interface RunEvents {
  /** The worker answers requests from now on. */
  ready: Ready;
  /** A run was started or resumed. */
  opened: RunInfo;
  progress: Progress;
  /** A replay of the run has begun or ended (replay.ts). */
  replaying: boolean;
  /** The goal has just been reached. */
  solved: Progress;
  /** Live settings, the seed or the visitor's own data were changed. */
  configured: Settings;
  /** The worker was ended or replaced. */
  closed: null;
  /** The worker could not carry out a request. `request` is its type, such as "start". */
  refused: { request: string; message: string };
  /** The answer to `save`: a checkpoint. */
  saved: ReplyOf<"saved">;
  /** The measured peak speed of the machine. */
  peak: ReplyOf<"peak">;
  /** The run computes on a GPU from now on, or the GPU cannot be used. */
  device: ReplyOf<"device">;
  view: AnyView;
  failed: WorkerFailure;
  /** The losses have stopped being finite numbers, or are finite again. */
  diverged: boolean;
  /** A command was sent to the lab. */
  command: JsonValue;
}
