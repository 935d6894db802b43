// The picture of the backgammon lab: board, players, predicted result, candidate plays, and the record of the game. The
// lab screen (www/ui/lab-screen.ts) loads this module; its interface is `ViewModule`.

import "./backgammon.css";
import { el } from "../../core/dom";
import { presetSettings } from "../../core/presets";
import type { Run } from "../../core/run";
import type { LabView, Suggestion } from "../../ui/lab-view";
import { introduceExpert } from "./expert-words";
import { Game } from "./game";
import { playersChoice } from "./players";
import type { BackgammonCommand, BackgammonView } from "../../generated/protocol";

export { default as recordedRuns } from "./goal-units.json";
export { story } from "./story";

export const tour = () => import("./tour").then(({ captions }) => captions);

export const keys: [string, string][] = [
  ["← →", "choose a checker, then its target"],
  ["Enter", "pick the checker, move it, finish the turn"],
  ["Backspace", "undo a move, or a turn"],
  ["X", "swap the dice: the first one is played by a second press on a checker"],
  ["H", "show the best plays"],
  ["N", "play the next turn now, or begin the next game of a match"],
  ["R D", "in a match: roll, or double first"],
  ["T P B", "in a match: take, pass or beaver a double"],
  ["A", "after a match: open its analysis"],
];

export function suggestions({ lab }: Run): Suggestion[] {
  // The second and the third preset: a larger and a smaller network than the default.
  const presets = lab?.about.presets.slice(1, 3) ?? [];
  return [
    { text: "Play against it: choose “Play the agent” above the board" },
    ...presets.map((preset) => ({ text: `${preset.title}. ${preset.help}`, settings: presetSettings(preset) })),
  ];
}

export function open(run: Run): LabView<BackgammonView> {
  const game = new Game((command: BackgammonCommand) => {
    game.showProblem(""); // what is told about an earlier command
    run.command(command);
  });
  const choice = playersChoice((players) => void game.startGame(players));
  const element = el("div", { class: "backgammon-view" }, ...game.parts);
  return {
    element,
    choice: choice.element,
    draw: (view, seconds) => {
      game.draw(view, seconds, run.progress.running);
      choice.show(game.players);
    },
    opened: () => void game.begin(),
    lookBack: (looksBack) => choice.disable(looksBack ? "Go back to now to choose who plays" : ""),
    celebrate: () => game.celebrate(),
    introduction: () => (game.isAgainstExpert ? introduceExpert() : null),
    describe: () => game.describe(),
    show: (position) => void game.startFrom("watch", position),
    refused: (sentence) => game.refused(sentence),
    destroy: () => game.destroy(),
  };
}
