// What the screen says of the agent, the goal and the picture, for the puzzle and the learner of the open run. The lab's
// texts tell of both puzzles in turn, each part after the puzzle's name.

import type { About, CubeLearner, Goal } from "../../generated/protocol";
import type { AboutWords } from "../../ui/lab-view";
import { sentenceStart } from "../../core/format";

/** What the network estimates, and from what it learns that. */
const ESTIMATES: Record<CubeLearner, string> = {
  dqn: "how good each turn is, and learns that from its own attempts",
  davi: "how many turns a state is from solved: 0 for the solved one, and for any other it learns one more than its lowest estimate for the states one turn away",
  efficientcube: "how likely each turn is the way back, and learns that from the last turns of random scrambles",
  cayleypy: "how many turns a state is from solved, and learns that from the lengths of random scrambles",
};

/** What the general text about the goal says of other settings. */
const BY_DEFAULT = / By default .*$/;

/** `goal` is that of the run; null if it is not tested. */
export function aboutWords(
  about: Pick<About, "goal" | "picture">,
  isLarge: boolean,
  learner: CubeLearner,
  goal: Pick<Goal, "words"> | null,
): AboutWords {
  const [smallTask = "", largeTask = ""] = about.goal.split(/ ?\dx\dx\d: /).slice(1);
  const [both = "", small = "", large = ""] = about.picture.split(/ ?For the \dx\dx\d, /);
  const task = sentenceStart(isLarge ? largeTask : smallTask.replace(BY_DEFAULT, ""));
  return {
    agent: `One small neural network. It estimates ${ESTIMATES[learner]}.`,
    goal: `${task} ${goal ? `The goal: ${goal.words}.` : "It is not tested with these settings, so there is no goal."}`,
    picture: `${both} ${sentenceStart(isLarge ? large : small)}`,
  };
}
