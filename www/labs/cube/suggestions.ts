// What to try next in the cube lab (www/ui/suggestion.ts), with the 2×2×2 and with the 3×3×3.

import { presetById } from "../../core/presets";
import { compareSettings, newRun, turnDown, turnUp } from "../../ui/common-suggestions";
import type { Suggestion, Suggestions, SuggestionState } from "../../ui/suggestion";

/** The percentage of states that the preset with the small network is made for. */
const SMALL_GOAL = 99;
const SOLVE: { press: string; within: string } = { press: "Solve with the agent", within: ".cube-controls" };

export const suggestions: Suggestions<"cube"> = (state) => {
  const own = state.settings["puzzle"] === "3x3x3" ? large(state) : small(state);
  return [turnDown(state), newRun(state), ...own, turnUp(state), compareSettings];
};

function small({ lab, settings, last, view }: SuggestionState<"cube">): (Suggestion | false)[] {
  const preset = (id: string) => presetById(lab, id);
  const learnsByPlaying = settings["learner"] === "dqn"; // deep Q-learning
  const [goal, solved] = [Number(settings["goal"]), last("solved")];
  /** The largest distance of any state from solved. */
  const farthest = view?.puzzle === "2x2x2" ? view.statesByDistance.length / Float32Array.BYTES_PER_ELEMENT - 1 : NaN;
  const isFarthest = view?.puzzle === "2x2x2" && view.stage.distance === farthest;
  return [
    !isFarthest && { text: "Give it one of the hardest cubes", deeds: [{ click: ".distance:last-child" }, SOLVE] },
    learnsByPlaying && {
      text: "New run: learn by value iteration, tested on all states",
      settings: preset("standard"),
    },
    // What is not measured yet counts as not solved.
    !learnsByPlaying &&
      goal < SMALL_GOAL &&
      !(solved >= SMALL_GOAL) && { text: `New run: solve ${SMALL_GOAL}% of all states`, settings: preset("small") },
    !learnsByPlaying &&
      goal < 100 &&
      solved >= SMALL_GOAL &&
      solved < 100 && { text: "New run: solve every state, with a larger network", settings: preset("large") },
    { text: "New run: the 3x3x3, a few turns from solved", settings: preset("cube3-small") },
    !learnsByPlaying && { text: "New run: learn from its own attempts (deep Q-learning)", settings: preset("dqn") },
    settings["learner"] === "davi" &&
      settings["symmetry"] === true && {
        text: "New run: treat turned and mirrored cubes as different",
        settings: preset("plain"),
      },
  ];
}

function large({ lab, settings, view }: SuggestionState<"cube">): (Suggestion | false)[] {
  const isSearching = view?.puzzle === "3x3x3" && view.stage.searching;
  // Otherwise states after any number of turns are tested.
  const hasShortScrambles = Number(settings["evaluate_scramble"]) > 0;
  return [
    !hasShortScrambles && { text: "Let it solve a cube of your own", deeds: [{ press: "Enter your own cube" }] },
    hasShortScrambles && { text: "New run: learn to solve any scramble", settings: presetById(lab, "cube3") },
    !isSearching && {
      text: "Mix the cube up, and let the agent search",
      deeds: [{ press: "Scramble", within: ".cube-controls" }, SOLVE],
    },
    { text: "New run: the 2x2x2, tested on all its states", settings: presetById(lab, "standard") },
  ];
}
