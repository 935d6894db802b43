// The dialog that begins a match, a money session or single games. Loaded when it is opened.

import "./match.css";
import { button, el } from "../../../core/dom";
import { Choices } from "../../../ui/choices";
import { createDialog } from "../../../ui/dialog";
import type { BackgammonPlayers } from "../../../generated/protocol";

/** What a visitor can choose to play for. `length` is 0 for money; null stands for single games without the cube. */
export interface MatchChoice {
  length: number;
  beavers: boolean;
}

/** The lengths offered; the rules allow every one from 1 to 25. */
const LENGTHS = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25];
const DEFAULT_LENGTH = 3;
/** Choices in the list of lengths: a money session, and single games without the cube. */
const [MONEY_LENGTH, SINGLE_GAMES] = [0, -1];

const OPPONENTS: [BackgammonPlayers, string][] = [
  ["learner", "The agent as it is now"],
  ["expert", "The expert, trained before"],
];

/** Opens the dialog. `players` are those of the present game. */
export function openMatchDialog(
  players: BackgammonPlayers,
  start: (players: BackgammonPlayers, choice: MatchChoice | null) => void,
): HTMLDialogElement {
  let length = DEFAULT_LENGTH;
  let opponent: BackgammonPlayers = players === "watch" ? "learner" : players;
  const beavers = el("input", { type: "checkbox", class: "switch" });
  const rules = el(
    "div",
    { class: "match-rules" },
    el("span", { text: "Gammons count once the cube is turned (Jacoby rule)." }),
    el("label", { class: "check" }, beavers, "Beavers: who is doubled may double back and keep the cube"),
  );
  const lengths = new Choices<number>({
    class: "match-lengths",
    buttonClass: "button",
    label: "What to play for",
    choices: [
      { value: SINGLE_GAMES, content: ["Single games"] },
      { value: MONEY_LENGTH, content: ["Money"] },
      ...LENGTHS.map((points) => ({ value: points, content: [String(points)], title: `Match to ${points}` })),
    ],
    choose: (value) => {
      length = value;
      show();
    },
  });
  const opponents = new Choices<BackgammonPlayers>({
    class: "match-opponents",
    buttonClass: "button",
    label: "Opponent",
    choices: OPPONENTS.map(([value, text]) => ({ value, content: [text] })),
    choose: (value) => {
      opponent = value;
      show();
    },
  });
  const show = () => {
    lengths.show(length);
    opponents.show(opponent);
    rules.hidden = length !== MONEY_LENGTH;
  };
  const begin = button(
    "Start",
    () => {
      dialog.close();
      // The button that opened the dialog has the focus again. Enter is to play on the board, not to press it.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const choice = { length, beavers: beavers.checked };
      start(opponent, length === SINGLE_GAMES ? null : choice);
    },
    { class: "primary" },
  );
  const dialog: HTMLDialogElement = createDialog(
    { class: "match-start", titleId: "match-start-title", title: "Play a match", closed: () => dialog.remove() },
    el("p", {
      text: "A match goes to a number of points. Before a roll you may offer to double the stakes; whoever takes the double owns the doubling cube, whoever passes loses the game.",
    }),
    el("h3", { text: "Opponent" }),
    opponents.element,
    el("h3", { text: "Points to win" }),
    lengths.element,
    rules,
    el("div", { class: "dialog-actions" }, begin),
  );
  show();
  document.body.append(dialog);
  dialog.showModal();
  begin.focus();
  return dialog;
}
