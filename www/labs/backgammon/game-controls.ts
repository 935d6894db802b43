// The buttons below the board. In a watched game they set the tempo; in a game of the visitor they play the turn, take
// back, give a hint and start a new game. What only those need who know backgammon is folded away (for-players.ts).

import { button, el } from "../../core/dom";
import { Choices } from "../../ui/choices";
import { forPlayers } from "./for-players";

/**
 * Tempos of a watched game: label, and seconds that each turn takes; 0 stops the game. The labels are not those of
 * training, which has its own speed.
 */
const TEMPOS: [label: string, seconds: number][] = [
  ["Stop", 0],
  ["Slow", 3.5],
  ["Medium", 1.6],
  ["Fast", 0.5],
];
/** The tempo at first, in seconds for each turn. */
export const NORMAL_TEMPO = 1.6;

/** What the buttons do. */
export interface GameActions {
  /** Sets the seconds for each turn. */
  tempo: (seconds: number) => void;
  /** Plays the next turn of a watched game now. */
  next: () => void;
  /** Takes back the visitor's last move or turn. */
  undo: () => void;
  /** Plays the visitor's turn. */
  finish: () => void;
  /** Shows the best plays. */
  hint: () => void;
  newGame: () => void;
  /** Opens the dialog that begins a match. */
  newMatch: () => void;
  /** Lets the visitor choose the file of a match, to be analysed. */
  openMatchFile: () => void;
  openTrainer: () => void;
  openOpenings: () => void;
  openRules: () => void;
  /** Opens the dialog in which a position is set up. */
  setUp: () => void;
}

/** Which buttons are shown and can be used now. */
export interface AvailableActions {
  /** True for a game of the learner against itself. */
  watching: boolean;
  undo: boolean;
  finish: boolean;
  hint: boolean;
  /** The game is over, so the button for a new game stands out. */
  gameOver: boolean;
  /** The game belongs to a match, which has buttons of its own (match/panel.ts). */
  inMatch: boolean;
  /** The buttons of the match take the place of those that watch and play. */
  hidden: boolean;
}

export class GameControls {
  readonly element: HTMLElement;
  #tempos: Choices<number>;
  #watch: HTMLElement;
  #play: HTMLElement;
  #undo: HTMLButtonElement;
  #finish: HTMLButtonElement;
  #hint: HTMLButtonElement;
  #newGame: HTMLButtonElement;

  /** `lookAhead` is the button for lookahead and rollouts (look-ahead/control.ts). */
  constructor(actions: GameActions, lookAhead: HTMLElement) {
    this.#tempos = new Choices({
      class: "segments",
      buttonClass: "button",
      label: "Speed of the game on the board",
      choices: TEMPOS.map(([label, seconds]) => ({
        value: seconds,
        title:
          seconds === 0
            ? "Stop the game on the board. This does not pause training"
            : `One turn every ${seconds} seconds`,
        content: [label],
      })),
      choose: actions.tempo,
    });
    const next = button("Next turn", actions.next, { title: "Play this turn now (N)" });
    const name = el("span", { class: "game-speed-name", text: "Game on the board" });
    this.#watch = el("div", { class: "button-group" }, name, this.#tempos.element, next);
    this.#undo = button("Undo", actions.undo, {
      title: "Undo the last move, or the turn before (Backspace)",
    });
    this.#finish = button("Finish turn", actions.finish, {
      title: "Finish the turn (Enter, or a press on the dice)",
      class: "primary",
    });
    this.#hint = button("Show best plays", actions.hint, {
      title: "List the plays by what they are worth, and draw the best on the board (H)",
    });
    this.#newGame = button("New game", actions.newGame, {
      title: "Leave this game, and begin from the opening position with the same players",
    });
    this.#play = el("div", { class: "button-group" }, this.#finish, this.#undo, this.#hint, this.#newGame);
    const match = button("Play a match", actions.newMatch, { title: "Play a match with the doubling cube" });
    const file = button("Analyse a match file", actions.openMatchFile, {
      title: "Open a match from a .mat or .sgf file and step through it. You can also drop the file on the page",
    });
    const trainer = button("Trainer", actions.openTrainer, {
      title: "Practise on mistakes: those of matches that you have analysed, or ten positions that are new every day",
    });
    const openings = button("Openings", actions.openOpenings, {
      title: "How to play the first roll and the reply to it, by rollouts",
    });
    const rules = button("Rules", actions.openRules, { title: "The rules of backgammon in one minute" });
    const setUp = button("Set up a position", actions.setUp, {
      title: "Change the position on the board, or enter it as a line of text (XGID), and play from there",
    });
    this.element = el(
      "div",
      { class: "game-controls" },
      this.#watch,
      this.#play,
      rules,
      forPlayers(match, setUp, openings, file, trainer, lookAhead),
    );
  }

  draw(available: AvailableActions, tempo: number): void {
    this.#watch.hidden = available.hidden || !available.watching;
    this.#play.hidden = available.hidden || available.watching;
    this.#undo.disabled = !available.undo;
    this.#finish.disabled = !available.finish;
    this.#hint.disabled = !available.hint;
    this.#newGame.hidden = available.inMatch;
    this.#newGame.classList.toggle("primary", available.gameOver);
    this.#tempos.show(tempo);
  }
}
