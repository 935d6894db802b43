// The game on the stage: what is shown of it, and what the visitor does to it. The lab has the last word: every view
// says where the game stands, and the board follows.

import { el } from "../../core/dom";
import { calm } from "../../core/theme";
import { floats } from "../../core/floats";
import { Phases } from "../../ui/phases";
import { ActBar, NORMAL } from "./acts";
import { Board } from "./board";
import { Candidates } from "./candidates";
import { EquityCurve } from "./curve";
import { fetchExpert } from "./expert";
import { Hand } from "./hand";
import { MoveList } from "./moves";
import { Outlook } from "./outlook";
import { copy, moves, position, same, type Side } from "./position";
import { before, lines, type Line } from "./record";
import { now, Says } from "./says";
import { Seats } from "./seats";
import { played, thoughts } from "./thoughts";
import { Turn } from "./turn";
import type { BackgammonCommand, BackgammonPlayers, BackgammonStage, BackgammonView } from "../../generated/protocol";
import { ending, points } from "./words";

export class Game {
  readonly parts: HTMLElement[];
  #board = new Board(() => this.#lay());
  #hand = new Hand(this.#board, {
    changed: () => this.#touched(),
    finish: () => this.#finish(),
    back: () => this.#back(),
  });
  #seats = new Seats();
  #says = new Says((turn) => this.#look(turn));
  #acts: ActBar;
  #outlook = new Outlook();
  #thinks = new Candidates(
    () => this.#drawArrows(),
    () => this.#hint(),
  );
  #moves = new MoveList((turn) => this.#look(turn));
  #curve = new EquityCurve((turn) => this.#look(turn));
  #phases = new Phases([
    ["selfPlay", "self-play"],
    ["learning", "learning"],
    ["evaluating", "pubeval"],
  ]);
  #stage: BackgammonStage | null = null;
  #record = "";
  #lines: Line[] = [];
  #turn: Turn | null = null;
  /** An earlier turn that is looked at. */
  #looked: number | null = null;
  #hinted = false;
  #tempo = NORMAL;
  #wanted: BackgammonPlayers = "watch";
  /** Whether the lab has got the expert. */
  #invited = false;
  /** Until then checkers are on their way, and arrows wait. */
  #still = 0;

  constructor(readonly send: (command: BackgammonCommand) => void) {
    this.#acts = new ActBar({
      tempo: (seconds) => this.#pace(seconds),
      next: () => send({ type: "next" }),
      back: () => this.#back(),
      finish: () => this.#finish(),
      hint: () => this.#hint(),
      anew: () => void this.sit(this.#stage?.players ?? "watch"),
    });
    addEventListener("keydown", this.#key);
    const table = el("div", { class: "table" }, this.#seats.element, this.#outlook.element);
    table.append(this.#board.element, el("div", { class: "below" }, this.#says.element, this.#acts.element));
    const thinks = this.#thinks.element;
    thinks.querySelector("figcaption")?.append(this.#phases.element);
    this.parts = [table, el("div", { class: "panels" }, thinks, this.#moves.element, this.#curve.element)];
  }

  leave(): void {
    removeEventListener("keydown", this.#key);
    this.#hand.leave();
    this.#board.leave();
  }

  /** A run was opened: its stage is as the lab makes one, and gets to know what the visitor had chosen. */
  begin(): void {
    this.#stage = null;
    this.#looked = null;
    this.#invited = false;
    if (this.#tempo !== NORMAL) this.send({ type: "tempo", seconds: this.#tempo });
    if (this.#wanted !== "watch") void this.sit(this.#wanted);
  }

  /** A new game of these players; the expert is fetched first. */
  async sit(players: BackgammonPlayers): Promise<void> {
    this.#wanted = players;
    if (players === "expert" && !this.#invited) {
      const checkpoint = await fetchExpert().catch(() => null);
      if (checkpoint === null || this.#wanted !== players) return;
      this.send({ type: "invite", checkpoint });
      this.#invited = true;
    }
    // Nobody can play against somebody who is held.
    if (players !== "watch" && this.#tempo === 0) this.#pace(NORMAL);
    this.#looked = null;
    this.send({ type: "newGame", players });
  }

  draw({ phase, stage }: BackgammonView, seconds: number, running: boolean): void {
    const last = this.#stage;
    this.#stage = stage;
    if (stage.record !== this.#record || stage.first !== this.#lines[0]?.side) {
      this.#record = stage.record;
      this.#lines = lines(stage.record, stage.first);
    }
    const again = last?.game === stage.game && last.turn === stage.turn && last.awaits === stage.awaits;
    if (!again || last.result !== stage.result) this.#advance(last, stage);
    this.#phases.draw(phase, seconds, running);
    this.#drawRest(stage);
  }

  describe(): string {
    const stage = this.#stage;
    if (!stage) return "";
    const worth = `It is worth ${points(stage.outlook[5] ?? 0, 2)} to the lower side.`;
    return `Game ${stage.game + 1}, turn ${stage.turn + 1}. ${now(stage, this.#turn)} ${worth}`;
  }

  celebrate(): void {
    if (calm()) return;
    const glow = { boxShadow: "0 0 0 6px var(--learn)", offset: 0.3 };
    this.#board.element.animate([{}, glow, {}], { duration: 1400 });
  }

  /** The game has gone on: shows how, if it was by one turn that has been seen from its start. */
  #advance(last: BackgammonStage | null, stage: BackgammonStage): void {
    this.#hinted = false;
    this.#turn = stage.awaits ? new Turn(floats(stage.steps)) : null;
    if (this.#looked !== null && last?.game === stage.game) return;
    this.#looked = null;
    const { checkers } = this.#board;
    const target = position(stage.board);
    let wait = 0;
    if (last?.game === stage.game && last.turn + 1 === stage.turn && stage.last) {
      const start = position(last.board);
      if (same(checkers.position, start)) wait = checkers.play(moves(stage.last.moves), stage.last.side as Side);
    }
    if (!same(checkers.position, target)) {
      checkers.set(target, last !== null);
      wait = 300;
    }
    this.#still = performance.now() + wait;
    this.#board.dice.throw(this.#board.plan, stage.side as Side, stage.dice, true, wait);
    this.#board.say(stage.result === 0 ? "" : ending(stage.players, stage.result));
    this.#hand.hold(this.#turn);
  }

  #drawRest(stage: BackgammonStage): void {
    const looked = this.#looked;
    const equities = floats(stage.equities);
    const at = this.#board.checkers.position;
    this.#seats.draw(stage, at);
    this.#outlook.draw(stage.players, stage.outlook);
    this.#thinks.draw(stage, this.#secret(stage));
    this.#moves.draw(this.#lines, floats(stage.costs), looked);
    this.#curve.draw(equities, looked);
    this.#says.draw(stage, this.#turn, this.#lines, looked, this.#hand.says);
    const own = this.#lines.some(({ side }) => side === 0);
    const can = {
      watching: stage.players === "watch",
      back: looked === null && ((this.#turn?.made.length ?? 0) > 0 || own),
      finish: looked === null && (this.#turn?.done ?? false),
      hint: stage.awaits && !this.#hinted,
      over: stage.result !== 0,
    };
    this.#acts.draw(can, this.#tempo);
    this.#drawArrows();
  }

  /** Whether what the agent thinks is kept from the visitor, who is to find it out. */
  #secret(stage: BackgammonStage): boolean {
    return stage.awaits && !this.#hinted;
  }

  #drawArrows(): void {
    const stage = this.#stage;
    if (!stage) return;
    const board = this.#board;
    if (this.#looked !== null) {
      const line = this.#lines[this.#looked];
      if (!line) return;
      const better = stage.review?.turn === this.#looked ? stage.review : null;
      board.arrows.draw(board.plan, before(this.#lines, this.#looked), line.side, played(line, better));
      return;
    }
    const quiet = performance.now() < this.#still || stage.result !== 0 || (this.#turn?.made.length ?? 0) > 0;
    const wishes = quiet || this.#secret(stage) ? [] : thoughts(stage, this.#thinks.pointed);
    board.arrows.draw(board.plan, position(stage.board), stage.side as Side, wishes);
  }

  #touched(): void {
    this.#board.dice.spend(this.#turn?.made ?? []);
    if (this.#stage) this.#drawRest(this.#stage);
  }

  #finish(): void {
    const [stage, turn] = [this.#stage, this.#turn];
    if (!stage || !turn?.done || this.#looked !== null) return;
    this.#turn = null;
    this.#hand.hold(null);
    this.send({ type: "play", turn: stage.turn, steps: turn.made.map(({ from, to }) => [from, to]) });
  }

  #back(): void {
    const last = this.#turn?.made.at(-1);
    if (this.#stage?.players === "watch" || this.#looked !== null) return;
    if (last) {
      this.#turn?.back();
      this.#board.checkers.undo([last], 0);
      this.#hand.hold(this.#turn);
      this.#touched();
    } else if (this.#lines.some(({ side }) => side === 0)) this.send({ type: "undo" });
  }

  #hint(): void {
    this.#hinted = true;
    if (this.#stage) this.#drawRest(this.#stage);
  }

  #pace(seconds: number): void {
    this.#tempo = seconds;
    this.send({ type: "tempo", seconds });
    if (this.#stage) this.#drawRest(this.#stage);
  }

  /** Looks at an earlier turn, or at the game as it is; a turn chosen twice lets go. */
  #look(turn: number | null): void {
    const stage = this.#stage;
    if (!stage) return;
    const { checkers, dice, plan } = this.#board;
    this.#looked = turn === this.#looked ? null : turn;
    const line = this.#looked === null ? undefined : this.#lines[this.#looked];
    if (line && this.#looked !== null) {
      this.#hand.hold(null);
      checkers.set(before(this.#lines, this.#looked), true);
      dice.throw(plan, line.side, line.dice, false, 0);
      this.#board.say("");
    } else {
      this.#looked = null;
      this.#turn = stage.awaits ? new Turn(floats(stage.steps)) : null;
      checkers.set(copy(position(stage.board)), true);
      dice.throw(plan, stage.side as Side, stage.dice, false, 0);
      this.#board.say(stage.result === 0 ? "" : ending(stage.players, stage.result));
      this.#hand.hold(this.#turn);
    }
    this.#drawRest(stage);
  }

  /** The board has been turned. */
  #lay(): void {
    const stage = this.#stage;
    if (!stage) return;
    this.#board.dice.throw(this.#board.plan, stage.side as Side, stage.dice, false, 0);
    this.#hand.show();
    this.#drawRest(stage);
  }

  #key = (event: KeyboardEvent): void => {
    const typing = event.target instanceof Element && event.target.matches("input:not([type=range]), select, textarea");
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === "h" && this.#stage?.awaits) this.#hint();
    else if (key === "n" && this.#stage && !this.#stage.awaits) this.send({ type: "next" });
    else if (key === "escape" && this.#looked !== null) this.#look(null);
  };
}
