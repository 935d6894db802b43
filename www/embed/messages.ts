// The messages between an embed and the page around it. Both sides check where a message comes from: its origin, and
// the window. The functions below check the rest, because any page may send anything.

import { isObject } from "../core/unknown";

/** Every message has this name under `learnery`, so that other messages of the page are left alone. */
const MESSAGE_NAME = "embed";

/** What the embed tells the page. */
export type FromEmbed =
  /** It listens from now on. */
  | { type: "ready" }
  /** A unit (training iteration) has ended. A metric that has not been measured is null. */
  | { type: "metrics"; lab: string; unit: number; metrics: Record<string, number | null> }
  /** The goal has been reached in this unit, after this many seconds of training. */
  | { type: "solved"; lab: string; unit: number; seconds: number };

/** What the page asks of the embed. */
export type ToEmbed = { type: "run" } | { type: "pause" };

/** A message as it is posted. */
export const wrapped = (message: FromEmbed | ToEmbed) => ({ learnery: MESSAGE_NAME, ...message });

/** Reads what a page has posted; null if it is nothing for an embed. */
export function readToEmbed(data: unknown): ToEmbed | null {
  if (!isObject(data) || data["learnery"] !== MESSAGE_NAME) return null;
  return data["type"] === "run" || data["type"] === "pause" ? { type: data["type"] } : null;
}

/** Reads what an embed has posted; null if it is none of its messages. */
export function readFromEmbed(data: unknown): FromEmbed | null {
  if (!isObject(data) || data["learnery"] !== MESSAGE_NAME) return null;
  const { type, lab, unit, metrics, seconds } = data;
  if (type === "ready") return { type };
  if (typeof lab !== "string" || typeof unit !== "number") return null;
  if (type === "solved" && typeof seconds === "number") return { type, lab, unit, seconds };
  if (type !== "metrics" || !isObject(metrics)) return null;
  if (!Object.values(metrics).every((value) => value === null || typeof value === "number")) return null;
  return { type, lab, unit, metrics: metrics as Record<string, number | null> };
}
