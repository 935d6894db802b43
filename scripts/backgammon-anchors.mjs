// `node scripts/backgammon-anchors.mjs [--seeds 1,2,3] [--rounds 0,1,5,20,100,300] [--games 100]`, after `npm run
// build`: how often an agent of backgammon holds an anchor that it has made, before it has learned and at later rounds
// of the default settings. Prints it in percent of sides, for games against itself on the stage (the board on the
// page). An anchor is two or more checkers on a point of the opponent's home board; the point where two of them start
// does not count here. An anchor is held once its side has found it there at the beginning of four turns of its own in
// a row.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { main, root } from "./commands.mjs";

/** The points of the opponent's home board in a side's own numbering, without the one where two checkers start. */
const ANCHORS = [19, 20, 21, 22, 23];
/** An anchor counts as held when its side has seen it in this many of its turns in a row, so has kept it for three. */
const HELD_TURNS = 4;
/** An anchor that is held by this turn of a game, of both sides together, is an early one. */
const EARLY_TURN = 12;
/**
 * South's bar in the board of a view, whose entries 1 to 24 are the points; north's checkers are negative numbers.
 * North counts from the other end: its point p is entry 25 - p (www/labs/backgammon/position.ts).
 */
const BAR = 25;
const SIDES = [0, 1];

/** Opens the bundle of one thread. Returns a function that sends a request and returns its answer. */
async function openHost() {
  globalThis.self ??= globalThis;
  const folder = join(root, "www/generated/wasm/simple/backgammon");
  const bundle = await import(pathToFileURL(join(folder, "learnery_web.js")).href);
  const later = () => new WebAssembly.Module(readFileSync(join(folder, "learnery_web_later.wasm")));
  bundle.onLaterPart((exports) => void new WebAssembly.Instance(later(), { "": exports }));
  await bundle.default({ module_or_path: readFileSync(join(folder, "learnery_web_bg.wasm")) });
  const host = new bundle.Host();
  let last = 0;
  return (request) => {
    const id = ++last;
    let reply = host.handle(JSON.stringify({ id, ...request }));
    while (!reply) {
      host.slice(50);
      for (let message = host.takeMessage(); message; message = host.takeMessage())
        if (message.id === id) reply = message;
    }
    if (reply.type === "refused") throw new Error(reply.message);
    return reply;
  };
}

/**
 * Watches games on the stage. Returns how many sides held an anchor (at most two in a game), how many of them early,
 * and the turns of all games.
 */
function watch(send, games) {
  send({ type: "command", command: { type: "tempo", seconds: 0.01 } });
  send({ type: "command", command: { type: "newGame", players: "watch" } });
  // The stage makes at most one turn between two views, so no turn is missed, however long the seconds.
  const view = (seconds) => send({ type: "view", seconds }).view.stage;
  const total = { held: 0, early: 0, turns: 0 };
  for (let i = 0; i < games; i++) {
    const seen = SIDES.map(() => ANCHORS.map(() => 0));
    const heldAt = SIDES.map(() => Infinity);
    let [stage, turn] = [view(0), -1];
    for (const { game } = stage; stage.game === game; stage = view(0.25)) {
      if (stage.turn === turn) continue;
      const { side, board } = stage;
      ({ turn } = stage);
      ANCHORS.forEach((point, place) => {
        const checkers = side === 0 ? board[point] : -board[BAR - point];
        seen[side][place] = checkers >= 2 ? seen[side][place] + 1 : 0;
        if (seen[side][place] >= HELD_TURNS) heldAt[side] = Math.min(heldAt[side], turn);
      });
    }
    total.held += heldAt.filter(Number.isFinite).length;
    total.early += heldAt.filter((at) => at <= EARLY_TURN).length;
    total.turns += turn;
  }
  return total;
}

main(async () => {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "1,2,3" },
      rounds: { type: "string", default: "0,1,5,20,100,300" },
      games: { type: "string", default: "100" },
    },
  });
  const games = Number(values.games);
  const send = await openHost();
  for (const seed of values.seeds.split(",").map(Number)) {
    send({ type: "start", lab: "backgammon", settings: {}, seed });
    let units = 0;
    for (const round of values.rounds.split(",").map(Number)) {
      while (units < round) ({ units } = send({ type: "step", unit: true }).progress);
      const { held, early, turns } = watch(send, games);
      const percent = (count) => `${Math.round((100 * count) / (SIDES.length * games))}%`;
      const each = `${Math.round(turns / games)} turns a game`;
      console.log(`seed ${seed}, round ${round}: held ${percent(held)}, early ${percent(early)}, ${each}`);
    }
  }
});
