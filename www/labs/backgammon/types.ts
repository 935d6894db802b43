// The shapes of what the lab sends and hears.

export type BackgammonPlayers = "watch" | "learner" | "expert";
export type BackgammonPhase = "playing" | "learning" | "measured";

export type BackgammonCommand =
  | { type: "newGame"; players: BackgammonPlayers }
  | { type: "play"; turn: number; steps: [number, number][] }
  | { type: "undo" }
  | { type: "tempo"; seconds: number }
  | { type: "next" }
  | { type: "invite"; checkpoint: string };

export interface BackgammonCandidate {
  notation: string;
  moves: number[];
  equity: number;
  outcomes: number[];
  visits: number;
}

export interface BackgammonPlayed {
  side: number;
  dice: [number, number];
  moves: number[];
}

export interface BackgammonJudged {
  turn: number;
  played: string;
  equity: number;
  best: string;
  bestEquity: number;
  bestMoves: number[];
  cost: number;
  rank: number;
  of: number;
}

export interface BackgammonStage {
  players: BackgammonPlayers;
  game: number;
  turn: number;
  board: number[];
  side: number;
  dice: [number, number];
  awaits: boolean;
  steps: Uint8Array<ArrayBuffer>;
  candidates: BackgammonCandidate[];
  plays: number;
  simulations: number;
  outlook: number[];
  record: string;
  first: number;
  equities: Uint8Array<ArrayBuffer>;
  costs: Uint8Array<ArrayBuffer>;
  last: BackgammonPlayed | null;
  judged: BackgammonJudged | null;
  result: number;
  score: [number, number];
}

export interface BackgammonView {
  phase: BackgammonPhase;
  phaseShare: number;
  games: number;
  stage: BackgammonStage;
}
