// What the screen says of the goal and of the picture, for the puzzle of the open run. The lab's texts tell of both
// puzzles in turn, each part after the puzzle's name.

import type { About } from "../../generated/protocol";
import type { AboutWords } from "../../ui/lab-view";
import { sentenceStart } from "../../core/format";

export function aboutWords({ goal, picture }: Pick<About, "goal" | "picture">, isLarge: boolean): AboutWords {
  const [smallGoal = "", largeGoal = ""] = goal.split(/ ?\dx\dx\d: /).slice(1);
  const [both = "", small = "", large = ""] = picture.split(/ ?For the \dx\dx\d, /);
  return {
    goal: sentenceStart(isLarge ? largeGoal : smallGoal),
    picture: `${both} ${sentenceStart(isLarge ? large : small)}`,
  };
}
