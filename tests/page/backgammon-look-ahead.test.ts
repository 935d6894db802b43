// Unit tests of lookahead on the board: the position as an XGID with its stakes, and the words of a result.

import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "./fake-dom";
import { settled } from "./settled";
import type { AskOptions } from "../../www/core/ask";
import { LookAheadPanel } from "../../www/labs/backgammon/look-ahead/panel";
import { describeEquity, describeLine, describeResult, positionOf } from "../../www/labs/backgammon/look-ahead/words";
import type { BackgammonMatch, BackgammonStage } from "../../www/generated/protocol";

/** The start of a game: south's checkers positive, by south's places. */
const START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0];
const CHECKERS = "XGID=-b----E-C---eE---c-e----B-";
const stage = { players: "watch", board: START, side: 0, dice: [3, 1], matchPlay: null, score: [2, 1] };
const match = { length: 7, beavers: false, crawford: false, cube: 1, owner: null };
const stageOf = (changes: object) => ({ ...stage, ...changes }) as unknown as BackgammonStage;
const matchOf = (changes: object) => ({ ...match, ...changes }) as unknown as BackgammonMatch;

test("position on the board is an XGID with the score and the cube of a match", () => {
  assert.equal(positionOf(stageOf({})), `${CHECKERS}:0:0:1:31:0:0:0:0:10`);
  const before = { dice: [0, 0], side: 1 };
  assert.equal(positionOf(stageOf({ ...before, matchPlay: matchOf({}) })), `${CHECKERS}:0:0:-1:00:2:1:0:7:10`);
  const owned = matchOf({ cube: 4, owner: 1, crawford: true });
  assert.equal(positionOf(stageOf({ matchPlay: owned })), `${CHECKERS}:2:-1:1:31:2:1:1:7:10`);
  const session = matchOf({ length: 0, cube: 2, owner: 0 });
  assert.equal(positionOf(stageOf({ matchPlay: session })), `${CHECKERS}:1:1:1:31:0:0:1:0:10`);
  const withBeavers = matchOf({ length: 0, beavers: true });
  assert.equal(positionOf(stageOf({ matchPlay: withBeavers })), `${CHECKERS}:0:0:1:31:0:0:3:0:10`);
});

test("results name the side, the lookahead and the margin of error", () => {
  assert.equal(describeResult(stageOf({}), 2, null), "Best plays for Light at 2 plies:");
  assert.equal(describeResult(stageOf({}), 0, null), "Best plays for Light without lookahead:");
  assert.equal(
    describeResult(stageOf({ dice: [0, 0], players: "learner", side: 1 }), 1, null),
    "Cube decision of the agent at 1 ply:",
  );
  assert.equal(
    describeResult(stageOf({}), "rollout", 36),
    "Equity for Light after 36 games each, with its margin of error:",
  );
  const inMatch = stageOf({ matchPlay: matchOf({}) });
  assert.deepEqual(
    [stageOf({}), inMatch].map((each) => [describeEquity(each, 2), describeEquity(each, "rollout")]),
    [
      ["equity", "equity ± margin of error (95%)"],
      ["equity with the cube", "equity for money without the cube ± margin of error (95%)"],
    ],
  );
  assert.deepEqual(describeLine({ play: "8/5 6/5", equity: 0.1614, error: null }), ["8/5 6/5", "+0.161"]);
  assert.deepEqual(describeLine({ play: "", equity: -0.05, error: 0.01 }), ["this position", "−0.050 ± 0.020"]);
  assert.deepEqual(describeLine({ play: "Double, take", equity: null, error: null }), ["Double, take", ""]);
});

type Options = Pick<AskOptions<"plays">, "signal">;

/** A panel below a game whose stopping ends with `stopped`. `asked` are the positions that were asked about. */
function panelBelowGame() {
  const asked: string[] = [];
  const cubes: boolean[] = [];
  let stopped = () => {};
  const ask = (_tool: string, { position, cube }: { position: string; cube: boolean }, { signal }: Options) => {
    asked.push(position);
    cubes.push(cube);
    assert.equal(signal?.aborted, false);
    return Promise.resolve({ output: { plays: [{ play: "8/5 6/5", equity: 0.25, plies: 1 }] } });
  };
  const panel = new LookAheadPanel({ ask } as never, () => new Promise((resolve) => (stopped = resolve)));
  return { panel, asked, cubes, stop: () => stopped(), press: (name: string) => press(panel.element, name) };
}

/** Presses the button with this text. */
function press(element: Node, name: string): boolean {
  const isButton = element.textContent === name && [...element.childNodes].every((child) => child instanceof Text);
  if (isButton) return element.dispatchEvent(new Event("click"));
  return [...element.childNodes].some((child) => press(child, name));
}

test("a question is about the position in which a watched game stops, even if a turn came after the press", async () => {
  const { panel, asked, stop, press } = panelBelowGame();
  panel.draw(stageOf({}));
  press("1 ply");
  const then = stageOf({ dice: [6, 5], side: 1 });
  panel.draw(then);
  assert.deepEqual([asked, textOf(panel.element, "quiet")], [[], "Computing …"]);
  stop();
  await settled();
  assert.deepEqual(asked, [positionOf(then)]);
  assert.equal(textOf(panel.element, "quiet"), "Best plays for Dark at 1 ply:");
  // The result goes when the position changes.
  panel.draw(stageOf({}));
  assert.match(textOf(panel.element, "quiet"), /^Judges this position/);
});

test("plays are valued with the cube where the game has one, and the list says so", async () => {
  const { panel, cubes, stop, press } = panelBelowGame();
  const heads: (string | null)[] = [];
  for (const matchPlay of [null, matchOf({ length: 0 }), matchOf({})]) {
    panel.draw(stageOf({ matchPlay }));
    press("1 ply");
    stop();
    await settled();
    heads.push(textOf(panel.element, "look-ahead-head"));
  }
  assert.deepEqual(cubes, [false, true, true]);
  assert.deepEqual(
    heads.map((head) => head?.replace("play", "")),
    ["equity", "equity with the cube", "equity with the cube"],
  );
});

test("a question can be cancelled while the game is being stopped", async () => {
  const { panel, asked, stop, press } = panelBelowGame();
  panel.draw(stageOf({}));
  press("2 plies");
  press("Cancel");
  stop();
  await settled();
  assert.deepEqual([asked, textOf(panel.element, "quiet")], [[], "Cancelled."]);
});
