// Links of a duel: reads the link of an agent, and writes one with both agents. The link of a duel is that of the first
// agent with the second one's behind `duel=`, so whoever opens it repeats the first run and finds the duel prepared.

import { readRun, writeLink, type AgentRequest, type RunRequest } from "../link";
import { MAX_PACKED, packData } from "../packed";
import { LABS } from "../../generated/labs";
import type { LabInfo } from "../../generated/protocol";
import { sentence } from "../format";
import { agentIn } from "./agent";

/** A link that was read: the run of its agent, or why it has none, as a sentence. */
export type ReadAgentLink = { request: AgentRequest } | { problem: string };

/** The most characters of a link that is read: more than any link of the page has. */
const MAX_READ = 32_000;
/** The most characters of a link that is written. Some programs cut longer links. */
export const MAX_LINK = MAX_PACKED;

const NO_LINK = "This is no link to a run. Paste one from “Share and save”, such as “Link to this moment”.";

/** Reads the link of an agent of this lab: a whole address or the part behind its “#”. */
export async function readAgentLink(text: string, lab: LabInfo): Promise<ReadAgentLink> {
  const trimmed = text.trim();
  if (trimmed.length > MAX_READ) return { problem: "This link is too long to be one of Learnery." };
  const at = trimmed.indexOf("#/");
  if (at < 0) return { problem: NO_LINK };
  const hash = trimmed.slice(at);
  const [name = "", query = ""] = hash.slice(2).split("?", 2);
  const listed = LABS.find(({ id }) => id === name);
  if (!listed) return { problem: NO_LINK };
  if (listed.id !== lab.about.id)
    return {
      problem: `This link leads to ${listed.title}, and the open lab is ${lab.about.title}. Agents of different labs have no task in common.`,
    };
  const read = agentIn(await readRun(lab, query));
  if ("request" in read) return read;
  if (read.problem !== null) return { problem: `This link cannot be read as a whole: ${sentence(read.problem)}` };
  return {
    problem: `This link does not say how long its agent was trained. Make one with “Link to this moment”, or tick “stop at ${lab.about.unit}”.`,
  };
}

/** The link of a run up to its last unit, as the hash of an address; null if data of the visitor's own are too long. */
export async function linkOf(request: RunRequest): Promise<string | null> {
  const { lab, settings, seed, changes, units, device, bits } = request;
  const data = await packData(changes);
  return data === null ? null : writeLink(lab, settings, seed, units, device ?? "cpu", { changes, bits }) + data;
}

/** The link of a duel; null if it is longer than links may be. `origin` is the address before the “#”. */
export function duelLink(origin: string, first: string, second: string): string | null {
  const link = `${origin}${first}&duel=${encodeURIComponent(second.slice(second.indexOf("?") + 1))}`;
  return link.length <= MAX_LINK ? link : null;
}

/** The links of both agents of the link of a duel; the first one is empty if it cannot be written. */
export async function linksOf(request: RunRequest): Promise<[first: string, second: string]> {
  return [(await linkOf(request)) ?? "", `#/${request.lab.about.id}?${request.duel ?? ""}`];
}
