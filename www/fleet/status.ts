// What a fleet's host says once a second of the fleet: FleetStatus in crates/fleet/src/status.rs, of which the page
// shows a part. The status comes from outside, so each field is checked.

import { isObject } from "../core/unknown";

export type FleetStatus = {
  /** The class of bits, `fused` or `plain`. */
  bits: string;
  /** The id of the lab. */
  lab: string;
  /** Whether the fleet computes many whole runs, which are its jobs. */
  sweep: boolean;
  /** The number of the unit (training iteration) under way. */
  unit: number;
  /** The version of the weights; null between two units. */
  version: string | null;
  /** Jobs of the unit, and how many have a result. */
  jobs: number;
  done: number;
  /** Machines and tabs that compute. */
  machines: number;
};

/** Reads a status, or returns undefined. */
export function readStatus(json: string): FleetStatus | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { bits, lab, sweep, unit, version, jobs, machines } = value;
  const counts = isObject(jobs) ? jobs : {};
  return {
    bits: text(bits),
    lab: text(lab),
    sweep: isObject(sweep),
    unit: count(unit),
    version: text(version) || null,
    jobs: count(counts["all"]),
    done: count(counts["done"]),
    machines: Array.isArray(machines) ? machines.length : 0,
  };
}

const MAX_TEXT_LENGTH = 100;

const text = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH) : "");

const count = (value: unknown) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0);
