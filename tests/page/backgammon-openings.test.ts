// The table of openings and replies: its file, and the words about it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { parsePlay } from "../../www/labs/backgammon/game-record";
import { positionAfter } from "../../www/labs/backgammon/openings/position-after";
import { OpeningTable, ROLLS, type Opening, type Roll } from "../../www/labs/backgammon/openings/table";
import {
  describeLead,
  describePlay,
  describeQuestion,
  describeScore,
  describeTable,
  SCORE_NAMES,
} from "../../www/labs/backgammon/openings/words";
import { applyMove, CHECKERS_PER_SIDE, SIDES, SOUTH, START_POSITION } from "../../www/labs/backgammon/position";

const TEXT = readFileSync(new URL("../../www/labs/backgammon/openings/table.tsv", import.meta.url), "utf8");

test("a line is read, and one that is none is left out", () => {
  const good = "money\t\t31\t160\t3\t8/5 6/5\t0\t0\t288\t24/20\t80\t6\t72";
  const table = new OpeningTable(
    `# a note\n${good}\nmoney\t\t21\t160\nmoney\t\t32\tx\t3\t24/21\t0\t0\t72\ngo\t31 8/5 6/5`,
  );
  assert.equal(table.size, 1);
  assert.deepEqual(table.find("money", null, [3, 1]), {
    equity: 0.16,
    error: 0.003,
    plays: [
      { play: "8/5 6/5", behind: 0, error: 0, games: 288 },
      { play: "24/20", behind: 0.08, error: 0.006, games: 72 },
    ],
  });
  assert.equal(table.find("money", null, [2, 1]), null);
  assert.equal(table.find("go", null, [3, 1]), null);
  assert.ok(!table.hasReplies("money", { roll: [3, 1], play: "8/5 6/5" }));
});

test("the shipped table has all openings, legal positions and the plays that are known to be best", () => {
  assert.ok(gzipSync(TEXT).length < 60_000, "too large to be loaded in passing");
  const table = new OpeningTable(TEXT);
  assert.equal(table.size, TEXT.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length);
  for (const [score] of SCORE_NAMES) {
    for (const roll of ROLLS) {
      const decision = table.find(score, null, roll);
      assert.ok(decision, `${score} ${roll.join("")}`);
      for (const { play } of decision.plays) {
        assertPlayable(null, play);
        const opening = { roll, play };
        if (!table.hasReplies(score, opening)) continue;
        for (const reply of ROLLS) {
          const found = table.find(score, opening, reply);
          assert.ok(found, `${score} ${roll.join("")} ${play}: the reply ${reply.join("")} is missing`);
          for (const each of found.plays) assertPlayable(opening, each.play);
        }
      }
    }
  }
  const best = (roll: Roll) => table.find("money", null, roll)?.plays[0]?.play;
  for (const [roll, play] of [
    [[3, 1], "8/5 6/5"],
    [[4, 2], "8/4 6/4"],
    [[5, 3], "8/3 6/3"],
    [[6, 1], "13/7 8/7"],
    [[6, 5], "24/13"],
  ] as const)
    assert.equal(best(roll), play);
});

/** Fails if a play moves a checker that is not there. */
function assertPlayable(opening: Opening | null, play: string): void {
  const position = opening ? positionAfter(opening.play) : positionAfter("");
  const what = `${opening?.play ?? ""}, ${play}`;
  for (const move of parsePlay(play)) applyMove(position, SOUTH, move);
  for (const side of SIDES) {
    assert.ok(position[side].every((count) => count >= 0), what); // prettier-ignore
    assert.equal(position[side].reduce((sum, count) => sum + count, 0), CHECKERS_PER_SIDE, what); // prettier-ignore
  }
}

test("a reply is played from the other side", () => {
  assert.deepEqual(positionAfter(""), START_POSITION);
  const [own, other] = positionAfter("24/23 13/11");
  assert.deepEqual(own, START_POSITION[0]);
  assert.deepEqual([other[24], other[23], other[13], other[11]], [1, 1, 4, 1]);
});

test("words say who needs what, and how sure the order is", () => {
  assert.equal(describeQuestion(null, [6, 4]), "First roll 6-4");
  assert.equal(describeQuestion({ roll: [3, 1], play: "8/5 6/5" }, [6, 4]), "Reply with 6-4, after 3-1: 8/5 6/5");
  assert.match(describeScore("go", false), /^Light needs two points/);
  assert.equal(describeScore("go", true), describeScore("save", false));
  assert.equal(describeScore("save", true), describeScore("go", false));
  const play = (name: string, behind: number, error: number) => ({ play: name, behind, error, games: 72 });
  const [a, b, c] = [play("a", 0, 0), play("b", 0.004, 0.003), play("c", 0.02, 0.005)];
  const of = (...plays: typeof a[]) => ({ equity: 0.1, error: 0.002, plays }); // prettier-ignore
  assert.match(describeLead(of(a, b, c), "money", false), /^Too close to call: a, b\./);
  assert.match(describeLead(of(a, c), "money", false), /^a is ahead/);
  assert.match(describeLead(of(a), "go", true), /every other play is more than 0\.06 points worse/);
  assert.deepEqual(describePlay(of(a, c), c, false), { equity: "+0.080", behind: "−0.020 ± 0.010" });
  assert.deepEqual(describePlay(of(a, c), a, true), { equity: "+0.100", behind: "best" });
  assert.match(describeTable(of(a, c), "money", false), /up to 72 games .* seven rolls .* known to ± 0\.004;/);
  assert.match(describeTable(of(a), "dmp", true), /five rolls .* within 0\.06 /);
});
