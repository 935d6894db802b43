// What to try next in the language lab (www/ui/suggestion.ts), for tasks and for stories and texts.

import { firstSettingsWith, presetById } from "../../core/presets";
import { isTooHigh } from "../../core/breaking-setting";
import { compareSettings, newRun, turnDown, turnUp } from "../../ui/common-suggestions";
import type { Suggestion, Suggestions, SuggestionState } from "../../ui/suggestion";
import { isTask, sourceOf } from "./sources";
import { HIGH_TEMPERATURE, notchOf, TEMPERATURE_SLIDER, TEMPERATURES, USUAL_TEMPERATURE } from "./temperatures";

/** Longer sums are suggested up to this many digits, the most that the setting `size` accepts for addition. */
const MAX_DIGITS = 12;

export const suggestions: Suggestions<"language"> = (state) => {
  const { lab, settings } = state;
  const source = sourceOf(settings);
  // In order of priority.
  return [
    turnDown(state),
    newRun(state),
    ...(isTask(source) ? forTasks(state) : forTexts(state)),
    source !== "stories" && {
      text: isTask(source) ? "New run: learn to write stories" : "New run: learn from stories instead",
      settings: firstSettingsWith(lab, "source", "stories"),
    },
    {
      text: `Train it on ${source === "text" ? "another" : "a"} text of your own`,
      deeds: [{ click: '.language-sources [data-value="text"]' }],
    },
    isTask(source) &&
      source !== "sort" && {
        text: "New run: learn to sort letters",
        settings: firstSettingsWith(lab, "source", "sort"),
      },
    turnUp(state),
    compareSettings,
  ];
};

function forTasks({ lab, settings, view }: SuggestionState<"language">): (Suggestion | false)[] {
  const digits = Number(settings["size"]);
  // A new run would have the learning rate too, so nothing is suggested while it breaks training.
  const canGrow = sourceOf(settings) === "addition" && digits < MAX_DIGITS && !isTooHigh({ lab, settings });
  return [
    // No problem has been typed yet.
    view?.grid?.own === null && { text: "Type a problem of your own", deeds: [{ focus: "#language-own" }] },
    canGrow && {
      text: `New run: add numbers of ${digits + 1} digits instead of ${digits}`,
      settings: { ...settings, size: digits + 1 },
    },
  ];
}

function forTexts({ lab, settings, view }: SuggestionState<"language">): (Suggestion | false)[] {
  const highestNotch = TEMPERATURES.length - 1;
  const isFree = view !== null && view.temperature >= HIGH_TEMPERATURE;
  const larger = presetById(lab, "a"); // 3 million parameters
  return [
    view !== null &&
      (isFree
        ? {
            text: `Let it write less freely: temperature ${USUAL_TEMPERATURE}`,
            deeds: [{ slide: TEMPERATURE_SLIDER, to: notchOf(USUAL_TEMPERATURE) }],
          }
        : {
            text: `Let it write more freely: temperature ${TEMPERATURES[highestNotch]}`,
            deeds: [{ slide: TEMPERATURE_SLIDER, to: highestNotch }],
          }),
    { text: "Begin a text for it to continue", deeds: [{ focus: "#language-prompt" }] },
    sourceOf(settings) === "stories" &&
      Number(settings["width"]) < Number(larger["width"]) && {
        text: "New run: a larger network, 3 million parameters",
        settings: larger,
      },
  ];
}
