// A race on a cube (www/labs/cube/race): the rules, the agent's attempt on a copy of the stage, and the visitor's cube.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { StageCopy } from "../../www/core/compare/stage-copy";
import type { CubeCommand } from "../../www/generated/protocol";
import { attempt, attemptLarge } from "../../www/labs/cube/race/agent";
import { isSecondQuarter, isSolved, scrambled, turnsOf, verdict } from "../../www/labs/cube/race/rules";
import { moveOf, ROTATIONS, rotateWhole, SOLVED, STICKER_UPS, turn } from "../../www/labs/cube/space";

const after = (...names: string[]) => names.map(moveOf).reduce(turn, { stickers: SOLVED, ups: STICKER_UPS });

test("a cube is solved however it is held, and not after a turn", () => {
  const opposite = after("R", "L'"); // a rotation of the whole cube
  assert.ok(isSolved(opposite.stickers));
  for (const rotation of ROTATIONS) {
    assert.ok(isSolved(rotateWhole(after(), rotation).stickers));
    assert.ok(!isSolved(rotateWhole(after("R"), rotation).stickers));
    assert.ok(!isSolved(rotateWhole(after("R", "U2", "F'"), rotation).stickers));
  }
});

test("half turns count by the metric of the run, also two by key, and rotations of the whole cube do not count", () => {
  const counts = (name: string) => [turnsOf(moveOf(name), "quarter"), turnsOf(moveOf(name), "half")];
  assert.deepEqual(["R'", "R2", "x2"].map(counts), [
    [1, 1],
    [2, 1],
    [0, 0],
  ]);
  const second = (before: string, name: string) => isSecondQuarter(moveOf(before), moveOf(name));
  assert.ok(second("R", "R") && second("U'", "U'"));
  assert.ok(!second("R", "R'") && !second("R", "L") && !second("R", "U") && !second("R2", "R2") && !second("R", "R2"));
});

test("scrambles are never solved, and are held as the lab holds the cube", () => {
  let random = 0;
  const next = () => (random = (random * 16807 + 0.137) % 1);
  for (const metric of ["quarter", "half"] as const)
    for (let turns = 1; turns <= 14; turns++) {
      const stickers = scrambled(turns, metric, next);
      assert.ok(!isSolved(stickers));
      // The stickers of the lower left back cubelet, which the lab keeps in its place.
      assert.deepEqual([stickers[14], stickers[18], stickers[23]], ["D", "L", "B"]);
    }
});

test("fewer turns win, and a cube that is not solved never does", () => {
  const solved = (turns: number) => ({ turns, solved: true });
  const unsolved = (turns: number) => ({ turns, solved: false });
  const three = { turns: 3, isShortest: true };
  assert.match(
    verdict(solved(3), solved(4), three),
    /^You win\. You: solved in 3 turns\. .* It can be solved in 3 turns\.$/,
  );
  assert.match(verdict(solved(5), solved(4), three), /^The agent wins\./);
  assert.match(verdict(solved(4), solved(4), three), /^A draw\./);
  assert.match(verdict(solved(9), unsolved(1), three), /^You win\. .*The agent: not solved after 1 turn\./);
  assert.match(verdict(unsolved(0), solved(40), three), /^The agent wins\./);
  assert.match(verdict(unsolved(0), unsolved(40), three), /^Neither has solved it\./);
  const searched = { turns: 0, solved: false, searches: true };
  assert.equal(
    verdict(solved(5), searched, { turns: 4, isShortest: false }),
    "You win. You: solved in 5 turns. The agent: found no solution. It can be solved in 4 turns or fewer.",
  );
});

test("scrambles of the 3x3x3 leave the centres where they are", () => {
  for (const metric of ["quarter", "half"] as const) {
    const stickers = scrambled(20, metric, Math.random, 3);
    assert.ok(stickers.length === 54 && !isSolved(stickers));
    // The centres stay in their places.
    assert.equal([4, 13, 22, 31, 40, 49].map((i) => stickers[i]).join(""), "URFDLB");
  }
});

/**
 * A copy of a stage on which the agent makes R with each view that takes time, until it has made `solvedAfter` turns.
 */
function copyOf(solvedAfter: number): { copy: StageCopy; commands: CubeCommand[] } {
  const commands: CubeCommand[] = [];
  const made: string[] = [];
  const view = (seconds: number) => {
    const isSolving = commands.at(-1)?.type === "solve";
    if (isSolving && seconds > 0 && made.length < solvedAfter) made.push("R");
    const state = !isSolving ? "idle" : made.length === solvedAfter ? "solved" : "solving";
    const stage = { attempt: state, made: [...made], distance: 2 };
    return Promise.resolve({ puzzle: "2x2x2", metric: "quarter", stage });
  };
  const copy = { command: (command: CubeCommand) => commands.push(command), view } as unknown as StageCopy;
  return { copy, commands };
}

test("the agent attempts the scrambled cube, and is stopped when it goes on and on", async () => {
  const { copy, commands } = copyOf(3);
  assert.deepEqual(await attempt(copy, "…"), {
    moves: ["R", "R", "R"],
    turns: 3,
    solved: true,
    shortest: { turns: 2, isShortest: true },
  });
  assert.deepEqual(commands, [{ type: "place", stickers: "…" }, { type: "solve" }]);
  const endless = await attempt(copyOf(Infinity).copy, "…");
  // The most turns that the agent makes in a race.
  assert.deepEqual([endless.turns, endless.solved], [40, false]);
});

test("on the 3x3x3 the agent searches, and stops after some pictures with what it has found", async () => {
  const stageOf = (endsAfter: number, solution: string[]) => {
    const commands: string[] = [];
    let pictures = 0;
    const view = () => {
      pictures++;
      const stage = { searching: pictures < endsAfter, solution: pictures < 2 ? [] : solution };
      return Promise.resolve({ puzzle: "3x3x3", metric: "quarter", stage });
    };
    const copy = { command: ({ type }: CubeCommand) => commands.push(type), view } as unknown as StageCopy;
    return { copy, commands, pictures: () => pictures };
  };
  const found = stageOf(3, ["R", "U'"]);
  assert.deepEqual(await attemptLarge(found.copy, "…"), {
    moves: ["R", "U'"],
    turns: 2,
    solved: true,
    searches: true,
    shortest: null,
  });
  assert.deepEqual([found.commands, found.pictures()], [["place", "solve", "stop"], 3]);
  const endless = stageOf(Infinity, []);
  assert.equal((await attemptLarge(endless.copy, "…")).solved, false);
  // The most pictures for which the agent searches.
  assert.equal(endless.pictures(), 6);
});
