// The thirty checkers and their animation. Each checker keeps its identity through a game. The moves of a play are
// shown one after the other, and a hit checker goes to the bar when the hitting one has arrived.

import { svg, write } from "../../core/dom";
import { reducedMotion } from "../../core/theme";
import {
  BAR,
  CHECKERS,
  copyPosition,
  applyMove,
  OFF,
  opponent,
  START,
  type Move,
  type Position,
  type Side,
} from "./position";
import { RADIUS, type BoardLayout, type BoardPoint } from "./board-layout";

/** Milliseconds of one move, and from the start of one to the start of the next. */
const MOVE_DURATION = 300;
const MOVE_INTERVAL = 240;
/** A stack of at least so many checkers shows its number. */
const NUMBERED_STACK = 6;
const EASE = "cubic-bezier(0.3, 0.1, 0.2, 1)";

interface Disc {
  node: SVGGElement;
  count: SVGTextElement;
  side: Side;
  point: BoardPoint;
}

/** When a checker starts to move, in milliseconds, and where it goes. */
type Track = { at: number; to: BoardPoint }[];

export class Checkers {
  readonly element = svg("g", { class: "discs" });
  /** By side and place, the lowest checker of a stack first. */
  #stacks: [Disc[][], Disc[][]] = [[], []];
  #at: Position = copyPosition(START);
  #layout: BoardLayout;

  constructor(layout: BoardLayout) {
    this.#layout = layout;
    for (const side of [0, 1] as const) {
      this.#stacks[side] = Array.from({ length: 26 }, () => []);
      for (let i = 0; i < CHECKERS; i++) this.#stacks[side][OFF]?.push(disc(side));
    }
    this.#at = [this.#stacks[0].map((s) => s.length), this.#stacks[1].map((s) => s.length)];
    for (const side of [0, 1] as const)
      for (const { node } of this.#stacks[side][OFF] as Disc[]) this.element.append(node);
    this.set(START, false);
  }

  get position(): Position {
    return this.#at;
  }

  /** The layout of the board has changed. */
  turn(layout: BoardLayout): void {
    this.#layout = layout;
    this.#arrange(null, 0);
  }

  /** Moves all checkers to where `position` has them, by as few moves as possible. */
  set(position: Position, moving: boolean): void {
    for (const side of [0, 1] as const) {
      const stacks = this.#stacks[side];
      const spare: Disc[] = [];
      stacks.forEach((stack, place) => {
        while (stack.length > (position[side][place] as number)) spare.push(stack.pop() as Disc);
      });
      stacks.forEach((stack, place) => {
        while (stack.length < (position[side][place] as number)) stack.push(spare.pop() as Disc);
      });
    }
    this.#at = copyPosition(position);
    const tracks = new Map<Disc, Track>();
    this.#arrange(tracks, 0);
    this.#animate(tracks, moving);
  }

  /** Animates the moves one after the other, and returns the duration in milliseconds. */
  play(moves: readonly Move[], side: Side): number {
    const tracks = new Map<Disc, Track>();
    moves.forEach((step, i) => {
      const mover = this.#stacks[side][step.from]?.pop();
      if (!mover) return;
      const there = this.#stacks[opponent(side)];
      const hit = step.hit ? there[25 - step.to]?.pop() : undefined;
      this.#stacks[side][step.to]?.push(mover);
      applyMove(this.#at, side, step);
      this.element.append(mover.node);
      this.#arrange(tracks, i * MOVE_INTERVAL);
      if (!hit) return;
      there[BAR]?.push(hit);
      this.element.append(hit.node);
      this.#arrange(tracks, i * MOVE_INTERVAL + MOVE_DURATION * 0.7);
    });
    this.#animate(tracks, true);
    return reducedMotion() || moves.length === 0 ? 0 : (moves.length - 1) * MOVE_INTERVAL + MOVE_DURATION;
  }

  /** Takes moves back, the last first. */
  undo(moves: readonly Move[], side: Side): void {
    const at = copyPosition(this.#at);
    for (const { from, to, hit } of [...moves].reverse()) {
      applyMove(at, side, { from: to, to: from, hit: false });
      if (hit) applyMove(at, opponent(side), { from: BAR, to: 25 - to, hit: false });
    }
    this.set(at, true);
  }

  /** Shows the topmost checker of a stack at the pointer. */
  carry(side: Side, place: number, point: BoardPoint): void {
    const top = this.#stacks[side][place]?.at(-1);
    if (!top) return;
    if (!top.node.classList.contains("held")) {
      top.node.classList.add("held");
      this.element.append(top.node);
    }
    top.point = point;
    put(top);
  }

  /** Ends carrying: the checker goes to its stack, which may be a new one. */
  drop(): void {
    for (const node of this.element.querySelectorAll(".held")) node.classList.remove("held");
    const tracks = new Map<Disc, Track>();
    this.#arrange(tracks, 0);
    this.#animate(tracks, true);
  }

  /** Computes the place of every checker, and adds those that have to move to `tracks`. */
  #arrange(tracks: Map<Disc, Track> | null, at: number): void {
    for (const side of [0, 1] as const) {
      this.#stacks[side].forEach((stack, place) => {
        stack.forEach((each, slot) => {
          const to = this.#layout.checker(side, place, slot, stack.length);
          const top = slot === stack.length - 1 && slot + 1 >= NUMBERED_STACK && place !== OFF;
          write(each.count, top ? String(stack.length) : "");
          const track = tracks?.get(each);
          const now = track?.at(-1)?.to ?? each.point;
          if (now.x === to.x && now.y === to.y) return;
          if (!tracks) {
            each.point = to;
            put(each);
          } else if (track) track.push({ at, to });
          else tracks.set(each, [{ at, to }]);
        });
      });
    }
  }

  #animate(tracks: Map<Disc, Track>, moving: boolean): void {
    for (const [each, track] of tracks) {
      const frames: Keyframe[] = [{ offset: 0, transform: shift(each.point), easing: EASE }];
      const total = (track.at(-1)?.at ?? 0) + MOVE_DURATION;
      let from = each.point;
      for (const { at, to } of track) {
        frames.push({ offset: at / total, transform: shift(from), easing: EASE });
        frames.push({ offset: Math.min(1, (at + MOVE_DURATION) / total), transform: shift(to), easing: EASE });
        from = to;
      }
      each.point = from;
      put(each);
      for (const animation of each.node.getAnimations()) animation.cancel();
      if (moving && !reducedMotion()) each.node.animate(ordered(frames), { duration: total });
    }
  }
}

/** Makes the offsets of keyframes ascend, for a checker that is sent on before it has arrived. */
function ordered(frames: Keyframe[]): Keyframe[] {
  let offset = 0;
  for (const frame of frames) frame.offset = offset = Math.max(offset, frame.offset ?? 0);
  return frames;
}

function disc(side: Side): Disc {
  const count = svg("text", { class: "disc-count" });
  const node = svg(
    "g",
    { class: side === 0 ? "disc south" : "disc north" },
    svg("circle", { r: RADIUS, class: "disc-rim" }),
    svg("circle", { r: RADIUS * 0.66, class: "disc-ring" }),
    count,
  );
  return { node, count, side, point: { x: 0, y: 0 } };
}

function put({ node, point: point }: Disc): void {
  node.style.transform = shift(point);
}

function shift({ x, y }: BoardPoint): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}
