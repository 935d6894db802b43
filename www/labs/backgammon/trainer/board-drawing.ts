// The board of a card as the text of one SVG, with its colours in it: other programs, such as Anki (anki.ts), do not
// have the style sheets of the page.

import { BoardLayout, CHECKER_RADIUS, CUBE_SIZE, type BoardPoint } from "../board-layout";
import { isAnswer } from "../match-file/words";
import { BAR, OFF, readPosition, SIDES, SOUTH, type Side } from "../position";
import type { Card } from "./card";

const COLOURS = {
  field: "#f2efe6",
  tray: "#e3decf",
  points: ["#d9b99b", "#b98b6b"],
  ink: "#3a3a36",
  checkers: [
    { fill: "#fdfdfb", rim: "#8f9a95" },
    { fill: "#262d30", rim: "#0d1112" },
  ],
} as const;
/** Side of a die, in units of the drawing (board-layout.ts). */
const DIE_SIZE = 42;
/** A stack of more checkers than this has their number on its top one. */
const MAX_SPACED = 5;

/** Draws the position of a card, with the dice of a play or the cube. */
export function drawBoard({ decision, length }: Card): string {
  const layout = new BoardLayout(false, true);
  const { board, dice, player, cube, owner, cubeReview } = decision;
  const side = player as Side;
  const parts: string[] = [
    ...layout.halves().map((area) => rect({ ...layout.rect(area), fill: COLOURS.field })),
    ...SIDES.map((each) => rect({ ...layout.rect(layout.tray(each)), fill: COLOURS.tray })),
  ];
  for (let point = 1; point <= 24; point++) {
    const corners = layout.point(point).map(({ x, y }) => `${x} ${y}`);
    parts.push(`<path d="M${corners.join("L")}Z" fill="${COLOURS.points[point % 2] ?? ""}"/>`);
    parts.push(text(layout.pointNumber(point), String(point), 13));
  }
  const position = readPosition(board);
  for (const each of SIDES) {
    for (const [place, count] of position[each].entries()) {
      for (let i = 0; i < count; i++) parts.push(checker(layout.checker(each, place, i, count), each));
      if (count > MAX_SPACED && place !== OFF && place !== BAR)
        parts.push(text(layout.checker(each, place, count - 1, count), String(count), 17, each));
    }
  }
  const rolled = cubeReview || dice[0] === 0 ? [] : dice;
  for (const [i, number] of rolled.entries()) parts.push(square(layout.die(side, i, 2), String(number), side));
  // An offered cube lies where a single die of the side that has to answer would lie. A cube in the middle shows 64, as
  // a real one does. In a match to 1 point nobody doubles, so there is none.
  if (isAnswer(decision)) parts.push(square(layout.die(side, 0, 1), String(2 * cube), null));
  else if (length !== 1) parts.push(square(layout.cube(owner as Side | null), String(cube === 1 ? 64 : cube), null));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${layout.viewBox}" style="width:100%;max-width:640px" font-family="sans-serif">${parts.join("")}</svg>`;
}

function rect(attributes: Record<string, string | number>): string {
  return `<rect ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(" ")}/>`;
}

function checker({ x, y }: BoardPoint, side: Side): string {
  const { fill, rim } = COLOURS.checkers[side];
  return `<circle cx="${x}" cy="${y}" r="${CHECKER_RADIUS}" fill="${fill}" stroke="${rim}" stroke-width="1.5"/>`;
}

/** A text in the middle of a place; on a checker of `side` in the colour of the other. */
function text({ x, y }: BoardPoint, content: string, size: number, side: Side | null = null): string {
  const fill = side === null ? COLOURS.ink : COLOURS.checkers[side === SOUTH ? 1 : 0].fill;
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="middle" dominant-baseline="central">${content}</text>`;
}

/** A die of a side, or the cube. */
function square({ x, y }: BoardPoint, content: string, side: Side | null): string {
  const size = side === null ? CUBE_SIZE : DIE_SIZE;
  const { fill, rim } = COLOURS.checkers[side ?? SOUTH];
  const box = rect({ x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 8, fill, stroke: rim });
  return box + text({ x, y }, content, side === null ? 18 : 24, side);
}
