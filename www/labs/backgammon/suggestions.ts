// What to try next in the backgammon lab (www/ui/suggestion.ts).

import { presetById } from "../../core/presets";
import { compareSettings, newRun, turnDown, turnUp } from "../../ui/common-suggestions";
import type { Suggestions } from "../../ui/suggestion";

export const suggestions: Suggestions<"backgammon"> = (state) => {
  const { lab, settings, view } = state;
  const searches = settings["learner"] === "alphazero";
  const strong = presetById(lab, "strong");
  const [hidden, larger] = [Number(settings["hidden"]), Number(strong["hidden"])];
  const isInMatch = view !== null && view.stage.matchPlay !== null;
  return [
    turnDown(state),
    newRun(state),
    !isInMatch &&
      view?.stage.players === "watch" && {
        text: "Play a game against it",
        deeds: [{ click: '.players [data-value="learner"]' }],
      },
    !isInMatch && {
      text: "Challenge it to a match with the doubling cube",
      deeds: [{ unfold: ".for-players" }, { press: "Play a match", within: ".game-controls" }],
    },
    searches
      ? {
          text: "New run: look at no replies, learn from later turns (TD(lambda))",
          settings: presetById(lab, "standard"),
        }
      : {
          text: "New run: look at the replies too, by a tree search (AlphaZero)",
          settings: presetById(lab, "alphazero"),
        },
    !searches &&
      hidden < larger && {
        text: `New run: a larger network, ${larger} hidden units instead of ${hidden}`,
        settings: strong,
      },
    searches &&
      settings["full_search_every"] === 1 && {
        text: "New run: search fully in one turn of four only",
        settings: presetById(lab, "values"),
      },
    turnUp(state),
    compareSettings,
  ];
};
