// How far the network looks ahead: the choice, and its words. A ply is a turn of one side.

import { Choices } from "../../../ui/choices";

/** The plies of lookahead that can be chosen. */
const PLIES = [0, 1, 2];

/** "2 plies" */
export function describePlies(plies: number): string {
  return plies === 1 ? "1 ply" : `${plies} plies`;
}

/** "at 2 plies", or "without lookahead" */
export function atPlies(plies: number): string {
  return plies === 0 ? "without lookahead" : `at ${describePlies(plies)}`;
}

/** Buttons for the plies of lookahead. */
export function choosePlies(label: string, choose: (plies: number) => void): Choices<number> {
  const titles = [
    "Judges each position as it stands: a match takes a second or two",
    "Looks one turn (ply) ahead, at all rolls of the opponent and the best play of each: takes some 20 times as long",
    "Looks two turns ahead: takes a minute or more",
  ];
  return new Choices<number>({
    class: "segments plies-choice",
    buttonClass: "button",
    label,
    choices: PLIES.map((plies) => ({
      value: plies,
      content: [plies === 0 ? "No lookahead" : describePlies(plies)],
      title: titles[plies],
    })),
    choose,
  });
}
