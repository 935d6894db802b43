// What the screen says of the goal and of the picture, for the world that the open run learns.

import type { About, World } from "../../generated/protocol";
import type { AboutWords } from "../../ui/lab-view";
import { WORLD_KINDS } from "./worlds/list";

const SCORE = "The test score is the mean return (sum of rewards) of a hundred fresh episodes without exploration.";

/** What the general text about the picture says of CartPole alone. */
const ONLY_CARTPOLE = / \(In CartPole [^)]*\)/;

export function aboutWords({ picture }: Pick<About, "picture">, world: World): AboutWords {
  const goal =
    world === "own"
      ? "Your own world has a goal if its text says one, with “solved at”."
      : `The number to reach stands beside the score: on average ${WORLD_KINDS[world].goal}. This goal is a little harder than the one that is usual in research, so that a second test will mostly pass too.`;
  return {
    goal: `${SCORE} ${goal}`,
    picture: world === "cartpole" ? picture : picture.replace(ONLY_CARTPOLE, ""),
  };
}
