// Begins games and matches: between the players that the visitor chooses, from a position, and from the dialogs for a
// match and for setting up a position.

import type { BackgammonCommand, BackgammonPlayers } from "../../generated/protocol";
import { Expert, type Send } from "./expert";
import type { MatchPanel } from "./match/panel";
import type { MatchChoice } from "./match/start";
import { OneDialog } from "./one-dialog";
import type { SetUp } from "./set-up/xgid";

export type { Send };

/** A command that starts a game or a match. */
type StartCommand = Extract<BackgammonCommand, { players: BackgammonPlayers }>;

/** What this needs of the game in the picture (game.ts). */
interface GameContext {
  send: Send;
  showProblem: (text: string) => void;
  /** The players of the game on the board. */
  playersOnBoard: () => BackgammonPlayers;
  /** The score, buttons and texts of a match; null until the dialog of a match was first opened. */
  match: () => MatchPanel | null;
  addMatchPanel: (Panel: typeof MatchPanel) => void;
  /** Shows that the expert's network is being loaded. */
  waiting: () => void;
  /** Called before the command that starts a game with these players is sent. */
  starting: (players: BackgammonPlayers) => void;
}

export class GameStarts {
  /** The players that the visitor has chosen; those on the board again if the expert could not be loaded. */
  chosen: BackgammonPlayers = "watch";
  /** Whether a game against the expert begins as soon as the network is there. */
  awaitsExpert = false;
  readonly expert: Expert;
  /**
   * Counts games, matches and runs that were begun or opened. A start that waits is dropped if this changes meanwhile.
   */
  #number = 0;
  /** The dialog that begins a match or sets up a position. */
  #dialog = new OneDialog();
  #destroyed = false;

  constructor(readonly game: GameContext) {
    this.expert = new Expert(game.send);
  }

  destroy(): void {
    this.#dialog.destroy();
    this.#destroyed = true;
  }

  /** Another run was opened: its lab does not have the expert's network, and a start that waits is dropped. */
  runOpened(): void {
    this.#number++;
    this.expert.invited = this.awaitsExpert = false;
  }

  /** Starts a game between these players, or a match. */
  async startGame(players: BackgammonPlayers, match: MatchChoice | null = null): Promise<void> {
    await this.#start(match ? { type: "newMatch", players, ...match } : { type: "newGame", players });
  }

  /** Starts a game from a position in the notation XGID. */
  async startFrom(players: BackgammonPlayers, position: string): Promise<void> {
    await this.#start({ type: "setUp", players, position });
  }

  /**
   * Sends a command that starts a game or a match. Before, the visitor is asked whether a match under way may end, and
   * the network of an expert is loaded.
   */
  async #start(command: StartCommand): Promise<void> {
    const { game } = this;
    const match = game.match();
    const numberBefore = this.#number;
    if (match?.underWay && !(await match.mayEnd())) return;
    if (this.#destroyed || this.#number !== numberBefore) return;
    const number = ++this.#number;
    const { players } = command;
    this.chosen = players;
    game.showProblem("");
    this.awaitsExpert = players === "expert" && !this.expert.invited;
    if (this.awaitsExpert) {
      game.waiting();
      const invited = await this.expert.invite();
      if (this.#destroyed || number !== this.#number) return;
      this.awaitsExpert = false;
      if (!invited) {
        this.chosen = game.playersOnBoard();
        game.showProblem("The expert network could not be loaded. Check the network connection.");
        return;
      }
    }
    game.starting(players);
    game.send(command);
  }

  /** Opens the dialog in which a position is set up, which shows `setUp` at first. */
  async openSetUpDialog(setUp: SetUp): Promise<void> {
    this.game.showProblem("");
    const play = (players: BackgammonPlayers, position: string) => void this.startFrom(players, position);
    const isLoaded = await this.#dialog.open(async () => {
      const { openSetUpDialog } = await import("./set-up/editor");
      return () => openSetUpDialog(setUp, this.chosen, play);
    });
    if (!isLoaded) this.game.showProblem("The position editor could not be loaded. Check the network connection.");
  }

  /** Opens the dialog that begins a match, and loads what a match needs. */
  async openMatchDialog(): Promise<void> {
    const { game } = this;
    game.showProblem("");
    const start = (players: BackgammonPlayers, choice: MatchChoice | null) => void this.startGame(players, choice);
    const isLoaded = await this.#dialog.open(async () => {
      const [{ openMatchDialog }, { MatchPanel }] = await Promise.all([
        import("./match/start"),
        import("./match/panel"),
      ]);
      return () => {
        if (!game.match()) game.addMatchPanel(MatchPanel);
        return openMatchDialog(this.chosen, start);
      };
    });
    if (!isLoaded) game.showProblem("The form for a match could not be loaded. Check the network connection.");
  }
}
