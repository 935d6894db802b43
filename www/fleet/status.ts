// What a fleet's host says once a second of the fleet: FleetStatus in crates/fleet/src/status.rs, of which the page
// shows a part. The status comes from outside, so a field that cannot be used is left empty, or is 0.

import { isObject } from "../core/unknown";

export type FleetStatus = {
  /**
   * Whether products and sums are rounded together (`fused`) or one after the other (`plain`), which differ in bits.
   */
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

/** Reads a status; undefined if it is no JSON object. */
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
    bits: readText(bits),
    lab: readText(lab),
    sweep: isObject(sweep),
    unit: readCount(unit),
    version: readText(version) || null,
    jobs: readCount(counts["all"]),
    done: readCount(counts["done"]),
    machines: Array.isArray(machines) ? machines.length : 0,
  };
}

const MAX_TEXT_LENGTH = 100;

/** A text, cut if it is long; empty if the value is not a text. */
const readText = (value: unknown) => (typeof value === "string" ? value.slice(0, MAX_TEXT_LENGTH) : "");

/** A count; 0 if the value is not a count. */
const readCount = (value: unknown) => (Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : 0);
