// What a class does: the run that every pupil starts with a seed of its own, and a question, as a link of the site. And
// by what results can be compared: the run without its seed and its end.

import { readLink, writeLink, type ListedLab, type RunRequest } from "../core/link";
import { linkedChallenge, stageInWords, writeChallenge, type Challenge } from "../core/challenge";
import { packData } from "../core/packed";
import type { LabInfo } from "../generated/protocol";
import { checksum } from "./code-text";
import { keyOf, ownChallenges, type ClassChallenge } from "./done-challenges";
import { isPlainText, MAX_QUESTION } from "./text";

/**
 * Of these the short code of a class consists: no vowels, so that it is no word, and none of 0, 1 and L, which look
 * like a letter or a digit.
 */
const CODE_CHARACTERS = "23456789BCDFGHJKMNPQRSTVWXZ";
const CODE_LENGTH = 4;

/** What every pupil of a class trains. */
export interface Task {
  lab: LabInfo;
  /** The run; its seed and its end do not matter. */
  request: RunRequest;
  /** The run's link without `#/`, its seed and its end. It identifies what is trained. */
  recipe: string;
  /** The same with what is hidden and the challenge. It identifies the task. */
  link: string;
  /** What the runs are to reach (core/challenge.ts); null for none. */
  challenge: Challenge | null;
  /** A question to the class; empty for none. */
  question: string;
}

/** The link of a run without `#/`, its seed and its end: equal for runs that differ in nothing else. */
export async function recipeOf({
  lab,
  settings,
  changes,
  device,
}: Pick<RunRequest, "lab" | "settings" | "changes" | "device">): Promise<string> {
  // Any seed will do: it is taken out of the link, where it stands alone or before other parts.
  const link = writeLink(lab, settings, 0, null, device ?? "cpu", { changes }).replace("?seed=0&", "?");
  const data = (await packData(changes)) ?? "&data=?"; // a run whose data no link can hold
  return link.replace(/^#\//, "").replace(/\?seed=0$/, data === "" ? "" : "?") + data;
}

/** The task of a run's link, which may be a whole address or begin at `#/`; or what is wrong with it, as a sentence. */
export async function taskOf(link: string, question: string, labs: ListedLab[]): Promise<Task | { problem: string }> {
  const noTask = (problem: string) => ({ problem });
  const hash = /#\/.*$/.exec(link.trim())?.[0] ?? `#/${link.trim()}`;
  const name = hash.slice(2).split("?", 1)[0];
  if (!labs.some(({ id }) => id === name))
    return { problem: "This is no link of a run. Copy it from “Share and save”." };
  const { request, problems } = await readLink(hash, labs);
  if (!request || problems.length > 0) {
    // A problem of a link ends with what its visitor gets instead (“…, so its default is used”). A class takes no such
    // link, so that part is left out.
    const [problem = "The link cannot be read"] = problems;
    return { problem: `${problem.replace(/, so .*$/, "")}.` };
  }
  if (question !== "" && !isPlainText(question, MAX_QUESTION))
    return { problem: `A question may have ${MAX_QUESTION} visible characters.` };
  if (request.challenge !== null && request.show)
    return noTask(
      "A class cannot take a challenge that starts in the editor for worlds. Choose one that starts with a run.",
    );
  const { lab } = request;
  const challenge = request.challenge === null ? null : await challengeOfLink(request, request.challenge);
  if (request.challenge !== null && !challenge) return noTask("The challenge in this link cannot be read.");
  const recipe = await recipeOf(request);
  const part = screenPart({ request, challenge });
  const whole = recipe + (recipe.includes("?") ? part : part.replace("&", "?"));
  return { lab, request, recipe, link: whole, challenge, question };
}

/** The challenge of a link, which may be one of the lab's own; null if it cannot be read. */
async function challengeOfLink({ lab, settings }: RunRequest, text: string): Promise<Challenge | null> {
  return linkedChallenge(lab, await ownChallenges(lab), { text, settings });
}

/** What the link of a task has for the lab's screen, which says nothing about the run: what is hidden, the challenge. */
function screenPart({ request: { hide }, challenge }: Pick<Task, "request" | "challenge">): string {
  const hidden = hide === null ? "" : `&hide=${hide}`;
  return challenge ? `${hidden}&challenge=${encodeURIComponent(writeChallenge(challenge))}` : hidden;
}

/** The link of a task without what it has for the screen: by it runs are compared. */
export const recipeIn = (link: string): string => link.replace(/[?&](?:hide|challenge)=[^&]*/g, "");

/** The challenge of a task, by which results are looked up; null without one. */
export function challengeIn({ lab, challenge }: Pick<Task, "lab" | "challenge">): ClassChallenge | null {
  return challenge && { lab: lab.about.id, key: keyOf(challenge), title: challenge.title };
}

/** A challenge in sentences. */
export function challengeWords({ lab, challenge }: Pick<Task, "lab" | "challenge">): string {
  if (!challenge) return "";
  return `Challenge: ${challenge.title}. Goal: ${challenge.stages.map((stage) => stageInWords(lab, stage)).join("; then ")}.`;
}

/** The address, from `#`, with which pupils join a class without a server. */
export function classLink({ link, question }: Task): string {
  const pairs = new URLSearchParams({ run: link, ...(question !== "" && { ask: question }) });
  return `#/class?${pairs.toString()}`;
}

/** Four characters that tell one task from another, for the board: pupils see them too, and can compare. */
export function shortCode({ link, question }: Pick<Task, "link" | "question">): string {
  const bytes = new TextEncoder().encode(`${link}\n${question}`);
  let number = parseInt(checksum(String.fromCharCode(...bytes)), 16);
  let code = "";
  for (let i = 0; i < CODE_LENGTH; i++) {
    code += CODE_CHARACTERS.charAt(number % CODE_CHARACTERS.length);
    number = Math.floor(number / CODE_CHARACTERS.length);
  }
  return code;
}

/** The link, from `#/`, of the run of one pupil: that of the task with this seed. */
export async function pupilLink(task: Task, seed: number): Promise<string> {
  const { lab, settings, changes, device } = task.request;
  const data = (await packData(changes)) ?? "";
  return writeLink(lab, settings, seed, null, device ?? "cpu", { changes }) + data + screenPart(task);
}
