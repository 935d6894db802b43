// Makes `www/labs/backgammon/trainer/pool.json`, from which the page takes ten positions a day: mistakes in games of
// the shipped network against itself with some noise (`crates/labs/backgammon/examples/daily_pool.rs`). They are mixed
// by kind, so that no day has one kind only. A card is a decision with its best answer, as the trainer shows it; PLIES
// is the lookahead with which the decisions were judged. The pool in the repository is that of 400 games at 1 ply.
//
// node --import ./tests/page/typescript.mjs scripts/backgammon-pool.mjs GAMES PLIES

import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cardsOf } from "../www/labs/backgammon/trainer/card.ts";
import { KINDS } from "../www/labs/backgammon/trainer/kind.ts";
import { main, root } from "./commands.mjs";

/** The most positions of a kind. */
const MOST_OF_KIND = 70;
/** The range of what their mistakes cost, in equity. */
const [LEAST_COST, MOST_COST] = [0.06, 0.6];

main(async () => {
  const [games, plies] = process.argv.slice(2);
  const args = ["run", "--release", "--quiet", "-p", "learnery-backgammon", "--example", "daily_pool", "--"];
  const made = spawnSync("cargo", [...args, games, plies], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 30 });
  if (made.status !== 0) throw new Error(`the games could not be made: ${made.stderr}`);
  const all = made.stdout
    .trim()
    .split("\n")
    .flatMap((line) => cardsOf(JSON.parse(line), Number(plies), null, 0))
    .filter(({ decision: { cost } }) => cost >= LEAST_COST && cost <= MOST_COST);
  const seen = new Set();
  const cards = all.filter(({ id }) => !seen.has(id) && seen.add(id));
  const byKind = KINDS.map((kind) => cards.filter((card) => card.kind === kind).slice(0, MOST_OF_KIND));
  // One of each kind after the other, as long as there are any.
  const mixed = Array.from({ length: MOST_OF_KIND }, (_, i) => byKind.map((list) => list[i])).flat();
  // `box` and `due` say when a card comes back, which each visitor's browser decides.
  const pool = mixed.filter(Boolean).map((card) => ({ ...card, box: undefined, due: undefined }));
  const file = join(root, "www/labs/backgammon/trainer/pool.json");
  await writeFile(file, `[\n${pool.map((card) => JSON.stringify(card)).join(",\n")}\n]\n`);
  console.log(`${pool.length} positions: ${byKind.map((list, i) => `${list.length} ${KINDS[i]}`).join(", ")}`);
});
