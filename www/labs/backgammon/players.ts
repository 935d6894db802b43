// The row of buttons above the board that chooses who plays: the learner against itself, or the visitor against the
// learner or the expert.

import { svg } from "../../core/dom";
import { choiceCard, Choices } from "../../ui/choices";
import type { BackgammonPlayers } from "../../generated/protocol";

interface PlayersChoice {
  players: BackgammonPlayers;
  name: string;
  task: string;
  /** Whether south and north learn. The small picture shows them as two discs, which are green for learners. */
  learns: [boolean, boolean];
}

export const PLAYERS: PlayersChoice[] = [
  { players: "watch", name: "Watch", task: "the agent against itself", learns: [true, true] },
  { players: "learner", name: "Play the agent", task: "as it is now, while it learns", learns: [false, true] },
  { players: "expert", name: "Play the expert", task: "a network trained before", learns: [false, false] },
];

export function playersChoice(choose: (players: BackgammonPlayers) => void): Choices<BackgammonPlayers> {
  const choices = PLAYERS.map(({ players, name, task, learns }) => {
    const picture = svg(
      "svg",
      { viewBox: "0 0 40 28", class: "players-sign", "aria-hidden": "true" },
      ...learns.map((green, i) =>
        svg("circle", { cx: 12 + 16 * i, cy: 14, r: 7.5, class: green ? "learns" : i === 0 ? "light" : "dark" }),
      ),
    );
    return { value: players, content: choiceCard(picture, name, task) };
  });
  return new Choices({ class: "choices players", buttonClass: "choice", label: "Players", choices, choose });
}
