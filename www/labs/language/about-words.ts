// What the screen says of the goal and of the picture, for what the network of the open run learns from.

import type { About, Goal, LanguageSource } from "../../generated/protocol";
import type { AboutWords } from "../../ui/lab-view";
import { isTask, SOURCES } from "./sources";

/** How the lab's text about the picture begins: with what only tasks have. */
const ONLY_TASKS = /^In a task, (each [^.]*\.) Below, it /;

/** `goal` is that of the run. */
export function aboutWords(
  { picture }: Pick<About, "picture">,
  source: LanguageSource,
  goal: Pick<Goal, "words"> | null,
): AboutWords {
  const none =
    source === "text"
      ? "There is no goal: nobody knows how well your text can be predicted."
      : "It is not tested with these settings, so there is no goal.";
  const start = (_: string, squares: string) =>
    isTask(source) ? `${squares.replace("each", "Each")} Below, it ` : "It ";
  return {
    goal: `The network ${SOURCES[source].task}. ${goal ? `The goal: ${goal.words}.` : none}`,
    picture: picture.replace(ONLY_TASKS, start),
  };
}
