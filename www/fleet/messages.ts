// The messages between the page of a fleet (tab.ts) and its worker (fleet-worker.ts), beside the messages about the
// bundle and its threads, which all workers share (core/worker-messages.ts).

import type { Failed, LoadRequest, Loading, ThreadStart } from "../core/worker-messages";
import type { ActorsProgress, Build } from "../generated/protocol";
import type { FleetLink } from "./link";
import type { FleetStatus } from "./status";

/** Connects to the fleet's server. The bundle is loaded once the page knows which one the fleet needs. */
export type Connect = {
  type: "connect";
  link: FleetLink;
  /** The name that the fleet's host gives to this tab. */
  label: string;
  /** The secret of this tab, 16 bytes. */
  token: Uint8Array;
};

/** Stops computing, or goes on. The page sends it once there is `ProgressNews`; before, there is nothing to stop. */
export type Pause = { type: "pause"; paused: boolean };

/** Gives back what is unfinished and closes the connection; answered by `Left`. */
export type Leave = {
  type: "leave";
  /** Set to 1 when everything has been sent, for a page that is being closed and cannot wait for `Left`. */
  done?: Int32Array | undefined;
};

export type ToFleetWorker = Connect | LoadRequest | ThreadStart | Pause | Leave;

/** The connection is open, has been lost (`retryMs` until the next try), or cannot be had with this link. */
export type ConnectionNews =
  | { type: "connection"; state: "open" }
  | { type: "connection"; state: "lost"; retryMs: number }
  | { type: "connection"; state: "refused"; reason: string };

export type StatusNews = { type: "status"; status: FleetStatus };
export type ActorsReady = { type: "actorsReady"; build: Build };
export type ProgressNews = { type: "progress"; progress: ActorsProgress };
export type Left = { type: "left" };

export type FromFleetWorker = Loading | Failed | ConnectionNews | StatusNews | ActorsReady | ProgressNews | Left;
