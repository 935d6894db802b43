// A visitor's turn: a path through the graph of legal steps that the lab has sent. The rules of the game are not known
// here.

import type { Move } from "./position";

interface Step extends Move {
  node: number;
  next: number;
}

const NUMBERS_A_STEP = 5;

export class Turn {
  #steps: Step[] = [];
  #played: Step[] = [];

  constructor(flat: ArrayLike<number>) {
    for (let i = 0; i + NUMBERS_A_STEP <= flat.length; i += NUMBERS_A_STEP) {
      const [node, from, to, hit, next] = [0, 1, 2, 3, 4].map((k) => flat[i + k] as number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      this.#steps.push({ node, from, to, hit: hit === 1, next });
    }
  }

  get steps(): readonly Move[] {
    return this.#played;
  }

  get done(): boolean {
    return this.#from(this.#node).length === 0;
  }

  get #node(): number {
    return this.#played.at(-1)?.next ?? 0;
  }

  #from(node: number, place?: number): Step[] {
    return this.#steps.filter((step) => step.node === node && (place === undefined || step.from === place));
  }

  /** Places from which a checker can move now, the highest first. */
  sources(): number[] {
    return [...new Set(this.#from(this.#node).map(({ from }) => from))].sort((a, b) => b - a);
  }

  /** Where the checker on a place can go with one or several dice, each with the shortest path there. */
  targets(place: number): Map<number, Move[]> {
    const paths = new Map<number, Step[]>();
    let ends: Step[][] = this.#from(this.#node, place).map((step) => [step]);
    while (ends.length > 0) {
      const next: Step[][] = [];
      for (const path of ends) {
        const last = path.at(-1) as Step;
        if (paths.has(last.to)) continue;
        paths.set(last.to, path);
        next.push(...this.#from(last.next, last.to).map((step) => [...path, step]));
      }
      ends = next;
    }
    return paths;
  }

  play(path: Move[]): void {
    this.#played.push(...(path as Step[]));
  }

  undo(): boolean {
    return this.#played.pop() !== undefined;
  }
}
