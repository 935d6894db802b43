// The thirty checkers and their animation. The same SVG element stands for the same checker through a game, so that it
// can be animated from place to place. The moves of a play are shown one after the other, each a little before the last
// one ends; a hit checker goes to the bar when the one that hits it is about to arrive. Places and sides are those of
// position.ts.

import { svg, write } from "../../core/dom";
import { reducedMotion } from "../../core/theme";
import {
  BAR,
  copyPosition,
  applyMove,
  mirrored,
  OFF,
  opponent,
  SIDES,
  SOUTH,
  START_POSITION,
  type Move,
  type Position,
  type Side,
} from "./position";
import { CHECKER_RADIUS, type BoardLayout, type BoardPoint } from "./board-layout";

/** Duration of a move, and the time from the start of one to the start of the next. */
export const MOVE_MS = 300;
const MOVE_INTERVAL_MS = 240;
/** A hit checker starts after this fraction of the move that hits it. */
const HIT_FRACTION = 0.7;
/** A stack of at least this many checkers shows their number. */
const MIN_NUMBERED_STACK = 6;
const EASING = "cubic-bezier(0.3, 0.1, 0.2, 1)";

/** A drawn checker. */
interface Disc {
  node: SVGGElement;
  /** The number of checkers in a high stack, written on the topmost one. */
  count: SVGTextElement;
  side: Side;
  /** The centre, in units of the drawing. */
  point: BoardPoint;
}

/** The moves of one checker during an animation: when each starts, in milliseconds, and where it goes. */
type Track = { startMs: number; to: BoardPoint }[];

export class Checkers {
  readonly element = svg("g", { class: "discs" });
  /** `#stacks[side][place]` holds the checkers of a stack, the lowest first. */
  #stacks: [Disc[][], Disc[][]];
  /** The position that the stacks make up. */
  #position: Position;
  /** Where on the drawing the places are. */
  #layout: BoardLayout;

  constructor(layout: BoardLayout) {
    this.#layout = layout;
    this.#position = copyPosition(START_POSITION);
    const discs = (side: Side) =>
      START_POSITION[side].map((count) => Array.from({ length: count }, () => createDisc(side)));
    this.#stacks = [discs(SIDES[0]), discs(SIDES[1])];
    for (const { node } of this.#stacks.flat(2)) this.element.append(node);
    this.#arrange(null, 0);
  }

  get position(): Position {
    return this.#position;
  }

  /** Places all checkers in a new layout of the board. */
  setLayout(layout: BoardLayout): void {
    this.#layout = layout;
    this.#arrange(null, 0);
  }

  /** Shows a position by moving as few checkers as possible. */
  set(position: Position, animated: boolean): void {
    for (const side of SIDES) {
      const stacks = this.#stacks[side];
      // Checkers that are too many on their place go to where some are missing.
      const spare: Disc[] = [];
      stacks.forEach((stack, place) => {
        while (stack.length > (position[side][place] as number)) spare.push(stack.pop() as Disc);
      });
      stacks.forEach((stack, place) => {
        while (stack.length < (position[side][place] as number)) stack.push(spare.pop() as Disc);
      });
    }
    this.#position = copyPosition(position);
    const tracks = new Map<Disc, Track>();
    this.#arrange(tracks, 0);
    this.#animate(tracks, animated);
  }

  /** Makes the moves, animated, and returns how long that takes in milliseconds: 0 without animation. */
  play(moves: readonly Move[], side: Side): number {
    // The stacks change at once, and the tracks remember how. The pictures follow when the tracks are animated.
    const tracks = new Map<Disc, Track>();
    moves.forEach((move, i) => {
      const mover = this.#stacks[side][move.from]?.pop();
      if (!mover) return;
      const opposing = this.#stacks[opponent(side)];
      const hit = move.hit ? opposing[mirrored(move.to)]?.pop() : undefined;
      this.#stacks[side][move.to]?.push(mover);
      applyMove(this.#position, side, move);
      this.element.append(mover.node); // drawn last, above the other checkers
      this.#arrange(tracks, i * MOVE_INTERVAL_MS);
      if (!hit) return;
      opposing[BAR]?.push(hit);
      this.element.append(hit.node);
      this.#arrange(tracks, i * MOVE_INTERVAL_MS + MOVE_MS * HIT_FRACTION);
    });
    this.#animate(tracks, true);
    return reducedMotion() || moves.length === 0 ? 0 : (moves.length - 1) * MOVE_INTERVAL_MS + MOVE_MS;
  }

  /** Takes moves back, the last first. */
  undo(moves: readonly Move[], side: Side): void {
    const position = copyPosition(this.#position);
    for (const { from, to, hit } of [...moves].reverse()) {
      applyMove(position, side, { from: to, to: from, hit: false });
      // The checker that was hit goes back from the bar.
      if (hit) applyMove(position, opponent(side), { from: BAR, to: mirrored(to), hit: false });
    }
    this.set(position, true);
  }

  /** Shows the topmost checker of a stack under the pointer while it is dragged. */
  drag(side: Side, place: number, point: BoardPoint): void {
    const top = this.#stacks[side][place]?.at(-1);
    if (!top) return;
    if (!top.node.classList.contains("held")) {
      top.node.classList.add("held");
      this.element.append(top.node);
    }
    top.point = point;
    placeDisc(top);
  }

  /** Ends dragging: the checker goes to its stack, which may be a new one. */
  drop(): void {
    for (const node of this.element.querySelectorAll(".held")) node.classList.remove("held");
    const tracks = new Map<Disc, Track>();
    this.#arrange(tracks, 0);
    this.#animate(tracks, true);
  }

  /**
   * Computes where every checker belongs, and writes the numbers on high stacks. Checkers that have to move get an
   * entry in `tracks` that starts at `startMs`; without `tracks` they are put in place at once.
   */
  #arrange(tracks: Map<Disc, Track> | null, startMs: number): void {
    for (const side of SIDES) {
      this.#stacks[side].forEach((stack, place) => {
        stack.forEach((disc, index) => {
          const to = this.#layout.checker(side, place, index, stack.length);
          const numbered = index === stack.length - 1 && stack.length >= MIN_NUMBERED_STACK && place !== OFF;
          write(disc.count, numbered ? String(stack.length) : "");
          const track = tracks?.get(disc);
          const current = track?.at(-1)?.to ?? disc.point;
          if (current.x === to.x && current.y === to.y) return;
          if (!tracks) {
            disc.point = to;
            placeDisc(disc);
          } else if (track) track.push({ startMs, to });
          else tracks.set(disc, [{ startMs, to }]);
        });
      });
    }
  }

  /** Puts checkers at the ends of their tracks, and animates the way there if `animated`. */
  #animate(tracks: Map<Disc, Track>, animated: boolean): void {
    for (const [disc, track] of tracks) {
      const frames: Keyframe[] = [{ offset: 0, transform: translation(disc.point), easing: EASING }];
      const totalMs = (track.at(-1)?.startMs ?? 0) + MOVE_MS;
      let from = disc.point;
      for (const { startMs, to } of track) {
        frames.push({ offset: startMs / totalMs, transform: translation(from), easing: EASING });
        frames.push({ offset: Math.min(1, (startMs + MOVE_MS) / totalMs), transform: translation(to), easing: EASING });
        from = to;
      }
      disc.point = from;
      placeDisc(disc);
      for (const animation of disc.node.getAnimations()) animation.cancel();
      if (animated && !reducedMotion()) disc.node.animate(ascending(frames), { duration: totalMs });
    }
  }
}

/** Makes the offsets of keyframes ascend, for a checker whose next move starts before the last one has ended. */
function ascending(frames: Keyframe[]): Keyframe[] {
  let offset = 0;
  for (const frame of frames) frame.offset = offset = Math.max(offset, frame.offset ?? 0);
  return frames;
}

function createDisc(side: Side): Disc {
  const count = svg("text", { class: "disc-count" });
  const node = svg(
    "g",
    { class: side === SOUTH ? "disc south" : "disc north" },
    svg("circle", { r: CHECKER_RADIUS, class: "disc-rim" }),
    svg("circle", { r: CHECKER_RADIUS * 0.66, class: "disc-ring" }),
    count,
  );
  return { node, count, side, point: { x: 0, y: 0 } };
}

function placeDisc({ node, point }: Disc): void {
  node.style.transform = translation(point);
}

function translation({ x, y }: BoardPoint): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}
