// The picture of the backgammon lab: board, players, predicted result, candidate plays, and the record of the game. The
// lab screen (www/ui/lab-screen.ts) loads this module; its interface is `ViewModule`.

import "./backgammon.css";
import { el } from "../../core/dom";
import type { Run } from "../../core/run";
import type { LabView } from "../../ui/lab-view";
import { introduceExpert } from "./expert-words";
import { Game } from "./game";
import { playersChoice } from "./players";
import type { BackgammonCommand, BackgammonView } from "../../generated/protocol";

export { default as recordedRuns } from "./goal-units.json";
export { story } from "./story";

/** Explains the test score: the opponent, and what games count. It must fit into two lines, so that the curve below it is in sight in a low window. */
const SCORE_HELP =
  "Pubeval: a simple program of 1993. A win is 1 point, a gammon 2, a backgammon 3; a loss costs the same.";

/** Points a game of random legal plays against pubeval. */
const RANDOM_PLAY = { value: -2.4, name: "random play" };

/** The keys of the picture, for the list in the page's help: each with what it does. */
export const keys: [string, string][] = [
  ["← → ↑ ↓", "on the board: go to another point"],
  ["Enter Space", "on the board: pick a checker up, put it down, finish the turn"],
  ["Esc", "put the checker back"],
  ["Backspace", "undo a move, or a turn"],
  ["X", "swap the dice: pressing a checker a second time plays the first of them"],
  ["H", "show the best plays"],
  ["N", "play the next turn now, or begin the next game of a match"],
  ["R D", "in a match: roll (R) or double (D)"],
  ["T P B", "in a match: take or pass a double, or beaver it (double back)"],
  ["A", "after a match: open its analysis"],
];

export function open(run: Run): LabView<BackgammonView> {
  const send = (command: BackgammonCommand, file?: Uint8Array<ArrayBuffer>) => {
    game.showProblem(""); // clears what was told about an earlier command
    run.command(command, file);
  };
  const game = new Game(send, run);
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
    lookBack: (looksBack) => {
      choice.disable(looksBack ? "Return to the present to choose who plays" : "");
      game.looksBack = looksBack;
    },
    headline: () => ({ unit: "points a game", comparison: SCORE_HELP, chance: RANDOM_PLAY }),
    estimates: "chances",
    celebrate: () => game.celebrate(),
    introduction: () => (game.isAgainstExpert ? introduceExpert() : null),
    describe: () => game.describe(),
    show: (position) => void game.startFrom("watch", position),
    refused: (sentence) => game.refused(sentence),
    destroy: () => game.destroy(),
  };
}
