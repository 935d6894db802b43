// The interactive picture of the lab: connects the board, the buttons and the lists with the lab. The lab, which runs
// in a worker, owns the state of the game, called its stage, and sends it with each view (the data for one drawing);
// this class draws it and sends the visitor's commands. The visitor always plays south, the lower side.
//
// A turn is what one side does with a roll of the dice. Its play consists of moves, each of one checker by one die. In
// a review the board shows the position before an earlier turn, with that turn's play as arrows.

import { el, isLaidOut, pickFile } from "../../core/dom";
import { floats } from "../../core/floats";
import type { Run } from "../../core/run";
import { bringIntoSight } from "../../core/into-sight";
import { Phases } from "../../ui/phases";
import { GameControls, NORMAL_TEMPO } from "./game-controls";
import { gameKey } from "./game-key";
import { GameStarts, type Send } from "./game-starts";
import { Board } from "./board";
import type { MatchPanel } from "./match/panel";
import type { SetUp } from "./set-up/xgid";
import { MATCH_FILES, MatchFile } from "./match-file/match-file";
import { GameDialogs } from "./game-dialogs";
import { LookAhead } from "./look-ahead/control";
import { MOVE_MS } from "./checkers";
import { CandidateList } from "./candidate-list";
import { EquityCurve } from "./equity-curve";
import { Decisions } from "./decisions";
import { MoveInput } from "./move-input";
import { MoveList } from "./move-list";
import { placeName } from "./place-words";
import { EQUITY_INDEX, Outlook } from "./outlook";
import { copyPosition, readMoves, readPosition, samePosition, SOUTH, type Side } from "./position";
import { PASS, turnBefore } from "./game-record";
import { describeNow, StatusText } from "./status-text";
import { Seats } from "./seats";
import { earlierArrows, candidateArrows } from "./move-arrows";
import { ToldMoment, type Moment } from "./told-moment";
import { Turn } from "./turn";
import type { BackgammonCommand, BackgammonPlayers, BackgammonStage, BackgammonView } from "../../generated/protocol";
import { describeLead, describeResult } from "./wording";

export class Game {
  /** The elements of the picture: the board with its surroundings, and the panels. */
  readonly parts: HTMLElement[];
  #board = new Board(() => this.#boardRotated());
  #input = new MoveInput(this.#board, {
    changed: () => this.#movesChanged(),
    finish: () => this.#finish(),
    undo: () => this.#undo(),
    swapDice: () => this.#swapDice(),
  });
  #seats = new Seats();
  #status = new StatusText((turn) => this.#review(turn));
  #controls: GameControls;
  #outlook = new Outlook();
  #candidates = new CandidateList(
    () => this.#drawArrows(),
    () => this.#hint(),
  );
  #moveList = new MoveList((turn) => this.#review(turn));
  #curve = new EquityCurve((turn) => this.#review(turn));
  /** The phases of training. Evaluation plays against pubeval, Tesauro's public benchmark player. */
  #phases = new Phases([
    ["selfPlay", "self-play"],
    ["learning", "learning"],
    ["evaluating", "testing"],
  ]);
  /** The state of the game in the latest view; null before the first view of a run. */
  #stage: BackgammonStage | null = null;
  /** The visitor's unfinished turn, or null if it is not the visitor's turn. */
  #turn: Turn | null = null;
  /** The earlier turn that is being reviewed, if any. */
  #reviewedTurn: number | null = null;
  /** Whether the visitor has asked for a hint in this turn. */
  #hinted = false;
  /** Seconds for each turn; 0 while the game is paused. */
  #tempo = NORMAL_TEMPO;
  /** The score, buttons and texts of a match; loaded when the first match is chosen. */
  #match: MatchPanel | null = null;
  #starts: GameStarts;
  #matchFile: MatchFile;
  #lookAhead: LookAhead;
  #dialogs: GameDialogs;
  /** Whether the board shows an earlier moment of the run, whose network cannot be asked. */
  looksBack = false;
  #destroyed = false;
  #decisions = new Decisions();
  /** No arrows are drawn before this time (`performance.now()`), while checkers are still moving. */
  #arrowsFromMs = 0;
  readonly #moment = new ToldMoment();

  readonly send: Send;

  constructor(send: Send, run: Pick<Run, "ask" | "cpuBundle" | "read">) {
    this.send = (command, file) => {
      if (this.#destroyed) return;
      this.#decisions.forget();
      send(command, file);
    };
    this.#starts = new GameStarts({
      send: this.send,
      showProblem: (text) => this.showProblem(text),
      playersOnBoard: () => this.#stage?.players ?? "watch",
      match: () => this.#match,
      addMatchPanel: (Panel) => (this.#match = this.#addPanel(Panel, () => run.read({ type: "save" }))),
      waiting: () => this.#drawPanels(),
      starting: (players) => this.#starting(players),
    });
    this.#lookAhead = new LookAhead(
      run,
      () => this.#stopWatched(),
      (problem) => this.showProblem(problem),
    );
    this.#dialogs = new GameDialogs({
      bundle: run.cpuBundle,
      showProblem: (problem) => this.showProblem(problem),
      setUp: (setUp) => this.#setUp(setUp),
    });
    this.#controls = new GameControls(
      {
        tempo: (seconds) => this.#setTempo(seconds),
        next: () => this.#decide({ type: "next" }),
        undo: () => this.#undo(),
        finish: () => this.#finish(),
        hint: () => this.#hint(),
        newGame: () => void this.startGame(this.#stage?.players ?? "watch"),
        newMatch: () => void this.#starts.openMatchDialog(),
        openMatchFile: () => pickFile(MATCH_FILES, (file) => this.#destroyed || void this.#matchFile.open(file)),
        openTrainer: () => void this.#dialogs.openTrainer(),
        openRules: () => void this.#dialogs.openRules(),
        openOpenings: () => void this.#dialogs.openOpenings(),
        setUp: () => this.#stage && this.#setUp(turnBefore(this.#stage, this.#moment.record, this.#reviewedTurn)),
      },
      this.#lookAhead.button,
    );
    this.#matchFile = new MatchFile({
      bundle: run.cpuBundle,
      showProblem: (problem) => this.showProblem(problem),
      setUp: (setUp) => this.#setUp(setUp),
      isShown: () => isLaidOut(this.#board.element),
    });
    addEventListener("keydown", this.#onKeyDown);
    const table = el("div", { class: "table" }, this.#seats.element, this.#outlook.element);
    table.append(this.#board.element, el("div", { class: "below" }, this.#status.element, this.#controls.element));
    const candidates = this.#candidates.element;
    candidates.querySelector("figcaption")?.append(this.#phases.element);
    candidates.append(this.#lookAhead.element);
    this.parts = [
      table,
      el("div", { class: "captions panels" }, candidates, this.#moveList.element, this.#curve.element),
    ];
  }

  destroy(): void {
    removeEventListener("keydown", this.#onKeyDown);
    this.#match?.destroy();
    this.#matchFile.destroy();
    this.#lookAhead.destroy();
    this.#dialogs.destroy();
    this.#starts.destroy();
    this.#input.destroy();
    this.#board.destroy();
    this.#destroyed = true;
  }

  /** A run was opened. Its stage has the default tempo and players, so the visitor's choices are sent again. */
  async begin(): Promise<void> {
    const hasLostMatch = this.#match?.underWay ?? false;
    this.#match?.ended();
    this.#stage = null;
    this.#turn = null;
    this.#reviewedTurn = null;
    this.#starts.runOpened();
    this.#decisions.forget();
    this.showProblem("");
    if (this.#tempo !== NORMAL_TEMPO) this.send({ type: "tempo", seconds: this.#tempo });
    if (this.#starts.chosen !== "watch") await this.startGame(this.#starts.chosen);
    if (hasLostMatch) this.showProblem("Another run was opened, so the match has ended.");
  }

  startGame(players: BackgammonPlayers): Promise<void> {
    return this.#starts.startGame(players);
  }

  /** Starts a game from a position in the notation XGID. */
  startFrom(players: BackgammonPlayers, position: string): Promise<void> {
    return this.#starts.startFrom(players, position);
  }

  /** Shows what went wrong; an empty text removes it. */
  showProblem(text: string): void {
    this.#status.showProblem(text);
  }

  #starting(players: BackgammonPlayers): void {
    // In a paused game the agent does not answer.
    if (players !== "watch" && this.#tempo === 0) this.#setTempo(NORMAL_TEMPO);
    if (this.#reviewedTurn !== null) this.#review(null);
    this.#match?.ended();
  }

  #setUp(setUp: SetUp): void {
    void this.#starts.openSetUpDialog(setUp);
  }

  /** The lab has refused a command, for the reason in the sentence. */
  refused(sentence: string): void {
    // The next view shows whether a decision was wrong or only late.
    if (!this.#decisions.refused(sentence)) this.showProblem(sentence);
    // The game before goes on, with its players.
    if (this.#stage) this.#starts.chosen = this.#stage.players;
  }

  #addPanel(Panel: typeof MatchPanel, file: () => Promise<string>): MatchPanel {
    const panel = new Panel(this.#board, {
      send: this.send,
      file,
      analyse: (match) => void this.#matchFile.open(match),
      decide: (command) => this.#decide(command),
      newMatch: () => void this.#starts.openMatchDialog(),
    });
    this.#seats.element.after(panel.score);
    this.#status.element.append(panel.lines);
    this.#controls.element.before(panel.buttons);
    return panel;
  }

  draw({ phase, stage }: BackgammonView, seconds: number, running: boolean): void {
    const previous = this.#stage;
    this.#stage = stage;
    this.#moment.arrived(stage);
    // `awaits` is true while the lab waits for the visitor's play.
    const isSameTurn =
      previous?.game === stage.game && previous.turn === stage.turn && previous.awaits === stage.awaits;
    // In a match the dice of a turn may be rolled later.
    const hasSameDice = previous?.dice.join() === stage.dice.join();
    this.#input.players = stage.players;
    const refusal = this.#decisions.takeRefusal(stage);
    if (refusal !== "") this.showProblem(refusal);
    this.#match?.draw(stage);
    if (!isSameTurn || !hasSameDice || previous.result !== stage.result) {
      const playMs = this.#advance(previous, stage);
      this.#moment.playing(this.#match?.asks ? 0 : playMs); // a question is asked at once
    }
    this.#phases.draw(phase, seconds, running);
    this.#phases.element.hidden = this.isAgainstExpert; // they are those of the agent in training
    this.#drawPanels();
    // On a phone, what a visitor needs to play lies below the bar at the lower edge.
    if (previous?.players === "watch" && stage.players !== "watch") bringIntoSight(this.#controls.element);
  }

  describe(): string {
    const stage = this.#moment.told?.stage;
    if (!this.#stage || !stage) return "";
    const [leader, points] = describeLead(stage.players, stage.outlook[EQUITY_INDEX] ?? 0);
    return `Game ${stage.game + 1}, turn ${stage.turn + 1}. ${this.#now(stage)} ${leader} ${points} points.`;
  }

  /** Whether the game on the board is one against the expert. */
  get isAgainstExpert(): boolean {
    return this.#stage?.players === "expert";
  }

  /** The players of the game, or of one that begins as soon as its network is there. */
  get players(): BackgammonPlayers {
    return this.#starts.awaitsExpert ? "expert" : (this.#stage?.players ?? "watch");
  }

  /** The state of the game in a sentence. */
  #now(stage: BackgammonStage): string {
    if (this.#starts.awaitsExpert) return "Loading the expert…";
    return this.#match?.sentence(stage) || describeNow(stage, stage === this.#stage ? this.#turn : null);
  }

  /** The result on the board, once the game is over. */
  #resultText(stage: BackgammonStage): string {
    if (stage.result === 0) return "";
    return this.#match?.result(stage) || describeResult(stage.players, stage.result);
  }

  celebrate(): void {
    this.#board.glow();
  }

  /**
   * Shows a new turn or game. If the new position is one turn after the previous one, that turn is animated. Otherwise
   * each checker moves straight to its new place. A review of the same game goes on undisturbed. Returns how long the
   * turn is shown, in milliseconds.
   */
  #advance(previous: BackgammonStage | null, stage: BackgammonStage): number {
    this.#hinted = false;
    this.#turn = stage.awaits ? new Turn(floats(stage.steps)) : null;
    if (this.#reviewedTurn !== null && previous?.game === stage.game) return 0;
    this.#reviewedTurn = null;
    const { checkers } = this.#board;
    const target = readPosition(stage.board);
    let [playMs, animationMs] = [0, 0];
    if (previous?.game === stage.game && previous.turn + 1 === stage.turn && stage.last) {
      // A visitor's own moves are on the board already, so they are not animated again.
      const start = readPosition(previous.board);
      if (samePosition(checkers.position, start))
        animationMs = playMs = checkers.play(readMoves(stage.last.moves), stage.last.side as Side);
    }
    if (!samePosition(checkers.position, target)) {
      checkers.set(target, previous !== null);
      animationMs = MOVE_MS;
    }
    this.#arrowsFromMs = performance.now() + animationMs;
    this.#board.dice.show(this.#board.layout, stage.side as Side, stage.dice, animationMs);
    this.#input.setTurn(this.#turn);
    return playMs;
  }

  /** Draws everything around the checkers and dice. */
  #drawPanels(): void {
    const [stage, moment, reviewed] = [this.#stage, this.#moment.told, this.#reviewedTurn];
    if (!stage || !moment) return;
    this.#tell(moment, stage, reviewed);
    this.#lookAhead.draw(stage, this.looksBack || this.#hidesCandidates(stage));
    const available = {
      watching: stage.players === "watch",
      undo: reviewed === null && ((this.#turn?.moves.length ?? 0) > 0 || this.#canUndoTurn),
      finish: reviewed === null && (this.#turn?.done ?? false),
      hint: stage.awaits && !this.#hinted,
      gameOver: stage.result !== 0,
      inMatch: stage.matchPlay !== null,
      hidden: reviewed === null && (this.#match?.asks ?? false),
    };
    this.#controls.draw(available, this.#tempo);
    if (this.#match) this.#match.reviewing = reviewed !== null;
    this.#drawArrows();
  }

  /** Tells the moment that the board shows; `stage` is the latest. */
  #tell({ stage: told, record }: Moment, stage: BackgammonStage, reviewed: number | null): void {
    this.#seats.draw(told, told === stage ? this.#board.checkers.position : readPosition(told.board));
    this.#outlook.draw(told.players, told.outlook);
    this.#candidates.draw(told, this.#hidesCandidates(told));
    this.#moveList.draw(told.players, record, floats(told.costs), reviewed);
    this.#curve.draw(told.players, floats(told.equities), reviewed);
    this.#status.draw(told, this.#now(told), record, reviewed, this.#input.said);
    this.#board.showText(reviewed === null ? this.#resultText(told) : "");
  }

  /**
   * Whether a finished turn of the visitor can be undone. In a match none can, and a turn without a legal move is none.
   */
  get #canUndoTurn(): boolean {
    return (
      !this.#stage?.matchPlay && this.#moment.record.some(({ side, notation }) => side === SOUTH && notation !== PASS)
    );
  }

  /** The candidates are hidden from a visitor whose turn it is, until a hint is asked for. */
  #hidesCandidates(stage: BackgammonStage): boolean {
    return stage.awaits && !this.#hinted;
  }

  /** Draws arrows for the reviewed turn, or for the candidate plays of the current turn. */
  #drawArrows(): void {
    const stage = this.#stage;
    if (!stage) return;
    const board = this.#board;
    if (this.#reviewedTurn !== null) {
      const recorded = this.#moment.record[this.#reviewedTurn];
      if (!recorded) return;
      const { position, side } = turnBefore(stage, this.#moment.record, this.#reviewedTurn);
      // The lab has analysed only the visitor's last turn.
      const review = stage.review?.turn === this.#reviewedTurn ? stage.review : null;
      board.arrows.draw(board.layout, position, side, earlierArrows(recorded, review));
      return;
    }
    const hidesArrows =
      performance.now() < this.#arrowsFromMs || stage.result !== 0 || (this.#turn?.moves.length ?? 0) > 0;
    const arrows = hidesArrows || this.#hidesCandidates(stage) ? [] : candidateArrows(stage, this.#candidates.pointed);
    board.arrows.draw(board.layout, readPosition(stage.board), stage.side as Side, arrows);
  }

  #movesChanged(): void {
    this.#board.dice.fadePlayed(this.#turn?.moves ?? []);
    this.#moment.skip();
    this.#drawPanels();
  }

  /** Sends the visitor's turn if it is complete. */
  #finish(): void {
    const [stage, turn] = [this.#stage, this.#turn];
    if (!stage || !turn?.done || this.#reviewedTurn !== null) return;
    this.#turn = null;
    this.#input.setTurn(null);
    this.send({ type: "play", turn: stage.turn, steps: turn.moves.map(({ from, to }) => [from, to]) });
  }

  /** Swaps the two dice of the visitor's turn. Pressing a selected checker again plays the first die. */
  #swapDice(): void {
    const [stage, turn] = [this.#stage, this.#turn];
    // Equal dice have no order.
    if (!stage || !turn || this.#reviewedTurn !== null || stage.dice[0] === stage.dice[1] || !turn.swapDice()) return;
    this.#board.dice.show(this.#board.layout, SOUTH, this.#diceInOrder(stage));
    this.#input.show();
  }

  /** The roll as it lies on the board, the larger number first unless the visitor has swapped the dice. */
  #diceInOrder({ dice: [high, low] }: BackgammonStage): [number, number] {
    return this.#turn?.swapped ? [low, high] : [high, low];
  }

  /** Undoes the last move of the visitor's unfinished turn; without one, the lab undoes the visitor's turn before. */
  #undo(): void {
    const lastMove = this.#turn?.moves.at(-1);
    if (!this.#stage || this.#stage.players === "watch" || this.#reviewedTurn !== null) return;
    if (lastMove) {
      this.#turn?.undo();
      this.#board.checkers.undo([lastMove], SOUTH);
      this.#input.setTurn(this.#turn);
      this.#input.said = `Took back the move from ${placeName(lastMove.from)}.`;
      this.#movesChanged();
    } else if (this.#canUndoTurn) this.send({ type: "undo" });
  }

  /** Sends what is decided at this moment of the game. Another press before the lab has answered does nothing. */
  #decide(command: BackgammonCommand): void {
    const stage = this.#stage;
    if (!stage || this.#decisions.isRepeated(stage)) return;
    this.send(command);
    this.#decisions.sent(stage);
  }

  #hint(): void {
    this.#hinted = true;
    this.#moment.skip();
    this.#drawPanels();
    // The list may lie below the bar at the lower edge; the first rows suffice, so that the board stays in sight.
    const third = this.#candidates.element.querySelectorAll("li")[2];
    if (third) bringIntoSight(third);
  }

  #setTempo(seconds: number): void {
    this.#tempo = seconds;
    this.send({ type: "tempo", seconds });
    this.#drawPanels();
  }

  /** Stops a game that goes on by itself. Returns false in a game of the visitor. */
  #stopWatched(): boolean {
    const isWatched = this.#stage?.players === "watch";
    if (isWatched && this.#tempo > 0) this.#setTempo(0);
    return isWatched;
  }

  /**
   * Shows the position before an earlier turn. For null, or for the turn that is shown already, it returns to the
   * current position. The moves of an unfinished turn are undone.
   */
  #review(turn: number | null): void {
    const stage = this.#stage;
    if (!stage) return;
    const { checkers, dice, layout } = this.#board;
    this.#reviewedTurn = turn === this.#reviewedTurn ? null : turn;
    const recorded = this.#reviewedTurn === null ? undefined : this.#moment.record[this.#reviewedTurn];
    if (recorded && this.#reviewedTurn !== null) {
      checkers.set(turnBefore(stage, this.#moment.record, this.#reviewedTurn).position, true);
      this.#input.setTurn(null);
      dice.show(layout, recorded.side, recorded.dice);
    } else {
      this.#reviewedTurn = null;
      this.#turn = stage.awaits ? new Turn(floats(stage.steps)) : null;
      checkers.set(copyPosition(readPosition(stage.board)), true);
      dice.show(layout, stage.side as Side, stage.dice);
      this.#input.setTurn(this.#turn);
    }
    this.#moment.skip();
    // Equal dice are not drawn again, but those of an unfinished turn may be faded.
    dice.fadePlayed([]);
    this.#drawPanels();
  }

  /** Draws everything again on the rotated board. */
  #boardRotated(): void {
    const stage = this.#stage;
    if (!stage) return;
    const { dice, layout } = this.#board;
    const reviewed = this.#reviewedTurn === null ? undefined : this.#moment.record[this.#reviewedTurn];
    if (reviewed) dice.show(layout, reviewed.side, reviewed.dice);
    else {
      dice.show(layout, stage.side as Side, this.#diceInOrder(stage));
      dice.fadePlayed(this.#turn?.moves ?? []);
    }
    this.#input.show();
    this.#drawPanels();
  }

  #onKeyDown = (event: KeyboardEvent): void => {
    const key = gameKey(event, this.#board.element);
    if (key === "h" && this.#stage?.awaits) this.#hint();
    else if (key === "x") this.#swapDice();
    else if (key === "n" && this.#stage && !this.#stage.awaits && !this.#match?.holds) this.#decide({ type: "next" });
    else if (key === "escape" && this.#reviewedTurn !== null) this.#review(null);
  };
}
