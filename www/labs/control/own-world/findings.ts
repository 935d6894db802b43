// What the check of a text has found, in a sentence.

import { formatCount } from "../../../core/format";
import type { Problem } from "../../../generated/protocol";

/** The first error, or the first warning if there is none. */
export const firstOf = (problems: Problem[]): Problem | undefined =>
  problems.find(({ warning }) => !warning) ?? problems[0];

/** `isWorld` says whether the text is a world, `hasPicture` whether there is a picture of this or an earlier text. */
export function findingsOf(problems: Problem[], isWorld: boolean, hasPicture: boolean): string {
  const first = firstOf(problems);
  const place = first ? ` Line ${first.line}: ${first.message}.` : "";
  const warnings = problems.filter(({ warning }) => warning).length;
  if (!isWorld) {
    const shown = hasPicture ? "; the picture shows the last text that was a world" : "";
    return `${formatCount(problems.length - warnings, "error")}${shown}.${place}`;
  }
  return warnings > 0 ? `This is a world, with ${formatCount(warnings, "warning")}.${place}` : "This is a world.";
}

/** The sentence about a text whose rules are hidden: what is wrong in it would tell them. */
export const findingOfHidden = (isWorld: boolean): string =>
  isWorld
    ? "This is a world."
    : "This world cannot be played, because its rules have a mistake. Ask whoever gave you the link for a new one.";
