// What to try next in the backgammon lab (www/ui/suggestion.ts).

import { presetById } from "../../core/presets";
import { compareSettings, lowerRate, newRun, raiseRate } from "../../ui/common-suggestions";
import type { Suggestions } from "../../ui/suggestion";

export const suggestions: Suggestions<"backgammon"> = (state) => {
  const { lab, settings, view } = state;
  const searches = settings["learner"] === "alphazero";
  const strong = presetById(lab, "strong");
  const [hidden, larger] = [Number(settings["hidden"]), Number(strong["hidden"])];
  const isInMatch = view !== null && view.stage.matchPlay !== null;
  return [
    lowerRate(state),
    newRun(state),
    !isInMatch &&
      view?.stage.players === "watch" && {
        text: "Play a game against it",
        deeds: [{ click: '.players [data-value="learner"]' }],
      },
    !isInMatch && {
      text: "Challenge it to a match with the doubling cube",
      deeds: [{ press: "Play a match", within: ".game-controls" }],
    },
    searches
      ? { text: "Learn without tree search: TD(lambda)", settings: presetById(lab, "standard") }
      : { text: "Learn from tree searches: AlphaZero", settings: presetById(lab, "alphazero") },
    !searches &&
      hidden < larger && {
        text: `Learn with ${larger} hidden units instead of ${hidden}`,
        settings: strong,
      },
    searches &&
      settings["full_search_every"] === 1 && {
        text: "Learn from fewer full searches: policy from values",
        settings: presetById(lab, "values"),
      },
    raiseRate(state),
    compareSettings,
  ];
};
