// Opens the challenges of a lab screen: the lab's own ones, and the one that it reads from the link. Notices tell what
// happens in them.

import { linkedChallenge, stageInWords, type Challenge, type LinkedChallenge } from "../../core/challenge";
import type { Run } from "../../core/run";
import type { LabInfo } from "../../generated/protocol";
import type { NoticeAction } from "../notices";
import { Challenges } from "./challenges";

type Tell = (text: string, actions: NoticeAction[]) => void;

/** `listed` are the lab's own challenges. */
export function openChallenges(
  lab: LabInfo,
  run: Run,
  listed: Challenge[],
  link: LinkedChallenge | null,
  tell: Tell,
  showAll: () => void,
): Challenges {
  const actions = [{ label: "All challenges", run: showAll }];
  const linked = link && linkedChallenge(lab, listed, link);
  const others = listed.filter((each) => each !== linked);
  if (linked) {
    const goal = linked.stages.map((stage) => stageInWords(lab, stage)).join("; then ");
    tell(`Challenge: ${linked.title}. Goal: ${goal}.`, actions);
  } else if (link) {
    tell("The challenge in this link cannot be read.", actions);
  }
  return new Challenges(lab, run, others, linked, (challenge, { unit }) =>
    tell(`Challenge done in ${lab.about.unit} ${unit}: ${challenge.title}.`, actions),
  );
}
