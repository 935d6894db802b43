// The places of the board in words, for screen readers: what lies on them, and what the visitor has done there. Places
// are numbered as south, the visitor's side, sees them.

import type { BackgammonPlayers } from "../../generated/protocol";
import { BAR, mirrored, OFF, SIDES, SOUTH, type Move, type Position, type Side } from "./position";
import { lower, playerName } from "./wording";

/** Numbers of checkers in words. */
const COUNTS = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" ");

/** A place and what lies on it: "point 13, five of yours". */
export function describePlace(players: BackgammonPlayers, position: Position, place: number): string {
  const isPoint = place !== BAR && place !== OFF;
  const content = SIDES.flatMap((side) => {
    const count = position[side][isPoint && side !== SOUTH ? mirrored(place) : place] ?? 0;
    return count > 0 ? [`${COUNTS[count] ?? count} ${whose(players, side)}`] : [];
  });
  const name = place === BAR ? "bar" : place === OFF ? "borne off" : `point ${place}`;
  return [name, ...(content.length > 0 ? content : [place === OFF ? "none" : "empty"])].join(", ");
}

/** Whose checkers they are, after their number. */
function whose(players: BackgammonPlayers, side: Side): string {
  const name = playerName(players, side);
  if (name === "You") return "of yours";
  return players === "watch" ? name.toLowerCase() : `of ${lower(name)}'s`;
}

/** What the visitor has done with one checker, by one or several dice. */
export function describeMoved(path: readonly Move[]): string {
  const [from, to] = [path[0]?.from ?? OFF, path.at(-1)?.to ?? OFF];
  const moved = to === OFF ? `Bore off from ${placeName(from)}.` : `Moved from ${placeName(from)} to ${placeName(to)}.`;
  const hits = path.filter(({ hit }) => hit).map((move) => ` Hit on ${placeName(move.to)}.`);
  return moved + hits.join("");
}

/** A place in the middle of a sentence. */
export function placeName(place: number): string {
  return place === BAR ? "the bar" : `point ${place}`;
}
