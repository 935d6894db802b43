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

test("a line of the table is read, and lines that cannot be read are left out", () => {
  const good = "money\t\t31\t160\t3\t8/5 6/5\t0\t0\t288\t24/20\t80\t6\t72";
  const table = new OpeningTable(
    `# a note\n${good}\nmoney\t\t21\t160\nmoney\t\t32\tx\t3\t24/21\t0\t0\t72\ngo\t31 8/5 6/5`,
  );
  assert.equal(table.size, 1);
  assert.deepEqual(table.find("money", null, [3, 1]), {
    equity: 0.16,
    standardError: 0.003,
    plays: [
      { play: "8/5 6/5", behind: 0, standardError: 0, games: 288 },
      { play: "24/20", behind: 0.08, standardError: 0.006, games: 72 },
    ],
  });
  assert.equal(table.find("money", null, [2, 1]), null);
  assert.equal(table.find("go", null, [3, 1]), null);
  assert.ok(!table.hasReplies("money", { roll: [3, 1], play: "8/5 6/5" }));
});

test("the shipped table has all 21 rolls at every score, all replies to a play or none, and five best plays of the books", () => {
  assert.ok(gzipSync(TEXT).length < 60_000, "the table has more than 60 kB compressed");
  const table = new OpeningTable(TEXT);
  assert.equal(table.size, TEXT.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length);
  for (const [score] of SCORE_NAMES) {
    for (const roll of ROLLS) {
      const decision = table.find(score, null, roll);
      assert.ok(decision, `${score} ${roll.join("")}`);
      for (const { play } of decision.plays) {
        assertHasCheckers(null, play);
        const opening = { roll, play };
        if (!table.hasReplies(score, opening)) continue;
        for (const reply of ROLLS) {
          const found = table.find(score, opening, reply);
          assert.ok(found, `${score} ${roll.join("")} ${play}: the reply ${reply.join("")} is missing`);
          for (const each of found.plays) assertHasCheckers(opening, each.play);
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

/** Fails if a play moves or hits a checker that is not there. Whether dice and points allow it is not checked. */
function assertHasCheckers(opening: Opening | null, play: string): void {
  const position = opening ? positionAfter(opening.play) : positionAfter("");
  const what = `${opening?.play ?? ""}, ${play}`;
  for (const move of parsePlay(play)) applyMove(position, SOUTH, move);
  for (const side of SIDES) {
    assert.ok(position[side].every((count) => count >= 0), what); // prettier-ignore
    assert.equal(position[side].reduce((sum, count) => sum + count, 0), CHECKERS_PER_SIDE, what); // prettier-ignore
  }
}

test("the position after an opening play is seen from the side that replies", () => {
  assert.deepEqual(positionAfter(""), START_POSITION);
  const [replying, opening] = positionAfter("24/23 13/11");
  assert.deepEqual(replying, START_POSITION[0]);
  assert.deepEqual([opening[24], opening[23], opening[13], opening[11]], [1, 1, 4, 1]);
});

test("the words say what each side needs at a score, and how certain the ranking of the plays is", () => {
  assert.equal(describeQuestion(null, [6, 4]), "First roll 6-4");
  assert.equal(
    describeQuestion(null, [1, 1]),
    "First roll 1-1, by rules that let a double stand (usually it is rolled again)",
  );
  assert.equal(describeQuestion({ roll: [3, 1], play: "8/5 6/5" }, [6, 4]), "Reply with 6-4, after 3-1: 8/5 6/5");
  assert.match(describeScore("go", false), /^Light needs two points/);
  assert.equal(describeScore("go", true), describeScore("save", false));
  assert.equal(describeScore("save", true), describeScore("go", false));
  const play = (name: string, behind: number, standardError: number) => ({
    play: name,
    behind,
    standardError,
    games: 72,
  });
  const [a, b, c] = [play("a", 0, 0), play("b", 0.004, 0.003), play("c", 0.02, 0.005)];
  const decisionOf = (...plays: typeof a[]) => ({ equity: 0.1, standardError: 0.002, plays }); // prettier-ignore
  assert.match(describeLead(decisionOf(a, b, c), "money", false), /^Too close to call: a, b\./);
  assert.match(describeLead(decisionOf(a, c), "money", false), /^a is ahead/);
  assert.match(describeLead(decisionOf(a), "go", true), /every other play is more than 0\.06 points worse/);
  assert.deepEqual(describePlay(decisionOf(a, c), c, false), { equity: "+0.080", behind: "−0.020 ± 0.010" });
  assert.deepEqual(describePlay(decisionOf(a, c), a, true), { equity: "+0.100", behind: "best" });
  assert.match(describeTable(decisionOf(a, c), "money", false), /up to 72 games .* seven rolls .* known to ± 0\.004;/);
  assert.match(describeTable(decisionOf(a), "dmp", true), /five rolls .* at most 0\.06 points worse/);
});
