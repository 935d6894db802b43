// The visitor's unfinished turn: a path through the graph of legal moves that the lab has sent. A node of the graph is
// a position within the turn, an edge is one legal move of a checker. With this graph the page needs no rules of the
// game. Places are in south's numbering (see position.ts): 25 is the bar, 0 is off.

import type { Move } from "./position";

/** A move as an edge of the graph, from `node` to `next`. */
interface Edge extends Move {
  node: number;
  next: number;
}

/** The lab sends an edge as five numbers: node, from, to, hit, next. */
const NUMBERS_PER_EDGE = 5;
/** The position before the first move. */
const START_NODE = 0;

export class Turn {
  #edges: Edge[] = [];
  /** The moves made so far, as a path from the start node. */
  #played: Edge[] = [];
  /** Whether the smaller die is offered first. */
  #swapped = false;

  constructor(numbers: ArrayLike<number>) {
    for (let i = 0; i + NUMBERS_PER_EDGE <= numbers.length; i += NUMBERS_PER_EDGE) {
      const number = (k: number) => numbers[i + k] as number;
      const [node, from, to, hit, next] = [number(0), number(1), number(2), number(3), number(4)];
      this.#edges.push({ node, from, to, hit: hit === 1, next });
    }
  }

  /** Whether the smaller die is offered first. */
  get swapped(): boolean {
    return this.#swapped;
  }

  /** Changes which die is offered first. Returns false after a move: then there is no choice any more. */
  swapDice(): boolean {
    if (this.#played.length > 0) return false;
    this.#swapped = !this.#swapped;
    return true;
  }

  /** The moves made so far. */
  get moves(): readonly Move[] {
    return this.#played;
  }

  /** True if no further move is possible, so that the turn can be played. */
  get done(): boolean {
    return this.#edgesFrom(this.#node).length === 0;
  }

  /** The node that the moves have led to. */
  get #node(): number {
    return this.#played.at(-1)?.next ?? START_NODE;
  }

  /** The legal moves at a node, of any checker or of one on `place`. */
  #edgesFrom(node: number, place?: number): Edge[] {
    return this.#edges.filter((edge) => edge.node === node && (place === undefined || edge.from === place));
  }

  /** Places from which a checker can move now, the highest first. */
  sources(): number[] {
    return [...new Set(this.#edgesFrom(this.#node).map(({ from }) => from))].sort((a, b) => b - a);
  }

  /**
   * The places that the checker on `place` can reach with one or several dice, each with the shortest path there; first
   * those of the die that is offered first.
   */
  targets(place: number): Map<number, Move[]> {
    const paths = new Map<number, Edge[]>();
    // Breadth-first search over paths on which the same checker goes on from where it has arrived. It begins with the
    // moves by one die, those of the larger die first unless the dice are swapped.
    const sign = this.#swapped ? 1 : -1;
    const first = this.#edgesFrom(this.#node, place).sort((a, b) => sign * (a.from - a.to - (b.from - b.to)));
    let frontier: Edge[][] = first.map((edge) => [edge]);
    while (frontier.length > 0) {
      const next: Edge[][] = [];
      for (const path of frontier) {
        const last = path.at(-1) as Edge;
        if (paths.has(last.to)) continue; // a path that was found earlier is as short, or shorter
        paths.set(last.to, path);
        next.push(...this.#edgesFrom(last.next, last.to).map((edge) => [...path, edge]));
      }
      frontier = next;
    }
    return paths;
  }

  /** Makes the moves of a path that `targets` has returned. */
  play(path: Move[]): void {
    this.#played.push(...(path as Edge[]));
  }

  /** Takes the last move back. Returns false if there was none. */
  undo(): boolean {
    return this.#played.pop() !== undefined;
  }
}
