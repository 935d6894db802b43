// Whether a link that was read leads to an agent for a duel. Loaded when there is such a link.

import { quoted } from "../values";

/** What was read of a link: its run, and what cannot be read. */
interface ReadRun<Request> {
  request: Request;
  problems: string[];
}

/**
 * The agent of a link: that of its run at the last unit. Without one, `problem` says what cannot be read, or is null if
 * the link does not say how long its agent was trained.
 */
export function agentIn<Request extends { units: number | null }>({
  request,
  problems: [problem],
}: ReadRun<Request>): { request: Request & { units: number } } | { problem: string | null } {
  // A setting that was left out would make another agent than the sender's.
  if (problem !== undefined) return { problem };
  const { units } = request;
  return units === null ? { problem: null } : { request: { ...request, units } };
}

/**
 * Why a run up to this unit has no duel with the agent behind `duel=`, which was read as `other`, as a problem of the
 * link; null if there can be one.
 */
export function whyNoDuel(units: number | null, duel: string, other: ReadRun<{ units: number | null }>): string | null {
  const agent = agentIn(other);
  const isUnread = "problem" in agent && agent.problem !== null;
  if (isUnread) return `${quoted(duel)} behind duel cannot be read as a whole, so there is no duel with this agent`;
  const isOpen = units === null ? "first" : "problem" in agent ? "second" : null;
  return isOpen && `The link does not say how long the ${isOpen} agent of its duel was trained, so there is no duel`;
}
