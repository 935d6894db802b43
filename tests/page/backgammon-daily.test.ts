// The positions of the day: which they are, and which are answered. The pool that ships: every card is one that the
// trainer makes of its decision, has one best answer, and every day has several kinds.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { storage } from "./fake-storage";
import type { BackgammonAnalysedMatch } from "../../www/generated/protocol";
import { parsePlay } from "../../www/labs/backgammon/game-record";
import { isAnswer } from "../../www/labs/backgammon/match-file/words";
import { applyMove, copyPosition, readPosition, type Side } from "../../www/labs/backgammon/position";
import { parseXgid } from "../../www/labs/backgammon/set-up/xgid";
import { cardsOf, readCard, type Card } from "../../www/labs/backgammon/trainer/card";
import { cardsOfDay, DAILY_COUNT, DailyAnswers, dayOf } from "../../www/labs/backgammon/trainer/daily";
import { KINDS } from "../../www/labs/backgammon/trainer/kind";
import { cubeOptions, playOptions } from "../../www/labs/backgammon/trainer/options";
import { xgidOf } from "../../www/labs/backgammon/match-file/decision-xgid";

const file = new URL("../../www/labs/backgammon/trainer/pool.json", import.meta.url);
const entries = JSON.parse(readFileSync(file, "utf8")) as object[];
const pool = entries.map((entry) => readCard({ ...entry, box: 0, due: 0 })).filter((card) => card !== null);
/** Numbers of cards have four decimals, so a difference of two may be off by so much. */
const ROUNDING = 1.1e-4;

const [card, other] = pool as [Card, Card];

test("the positions of a day are those of its date in UTC", () => {
  const pool = Array.from({ length: 25 }, (_, i) => ({ ...card, id: String(i) }));
  const day = Date.UTC(2026, 10, 28);
  const ids = (now: number) => cardsOfDay(pool, now).map(({ id }) => id);
  assert.deepEqual(ids(day), ids(day + 86_399_999));
  // Ten a day, and none on two days in a row.
  assert.equal(new Set([...ids(day), ...ids(day + 86_400_000)]).size, 20);
  assert.deepEqual(cardsOfDay([], day), []);
});

test("what is answered of the day's positions is kept until the day ends", () => {
  const day = Date.UTC(2026, 10, 28, 12);
  const tomorrow = day + 86_400_000;
  const pool = Array.from({ length: 20 }, (_, i) => ({ ...card, id: String(i) }));
  const today = cardsOfDay(pool, day);
  const ids = (answers: DailyAnswers, now = day) => answers.left(cardsOfDay(pool, now), dayOf(now)).map(({ id }) => id);
  const kept = storage();
  const [tab, second] = [new DailyAnswers(kept), new DailyAnswers(kept)];
  const all = today.map(({ id }) => id);
  assert.deepEqual(ids(tab), all);
  tab.note(all[0] ?? "", dayOf(day), day);
  second.note(all[3] ?? "", dayOf(day), day);
  const left = all.filter((_, i) => i !== 0 && i !== 3);
  for (const answers of [tab, second, new DailyAnswers(kept)]) assert.deepEqual(ids(answers), left);
  // On the next day there are ten again, and a late answer of another tab takes none away.
  const next = new DailyAnswers(kept);
  assert.equal(ids(next, tomorrow).length, 10);
  next.note(ids(next, tomorrow)[0] ?? "", dayOf(tomorrow), tomorrow);
  tab.note(all[1] ?? "", dayOf(day), tomorrow);
  assert.equal(ids(tab).length, 8); // it knows its own two
  assert.equal(ids(new DailyAnswers(kept), tomorrow).length, 9);
});

test("the day's answers are known without storage, and damaged ones are left out", () => {
  const day = Date.UTC(2026, 10, 28);
  const today = [{ ...card, id: "a" }, other];
  for (const kept of [null, storage(5)]) {
    const answers = new DailyAnswers(kept);
    answers.note("a", dayOf(day), day);
    assert.deepEqual(answers.left(today, dayOf(day)), [other]);
  }
  const keptBefore = (text: string) => storage(Infinity, { "learnery:backgammon-daily": text });
  for (const text of ["", "{", "[]", "7", `{"day":${dayOf(day)}}`, '{"day":"x","answered":["a"]}', '{"day":1}']) {
    const answers = new DailyAnswers(keptBefore(text));
    assert.equal(answers.left(today, dayOf(day)).length, 2, text);
  }
  const damaged = JSON.stringify({ version: 1, day: dayOf(day), answered: [7, null, "a"] });
  const answers = new DailyAnswers(keptBefore(damaged));
  assert.deepEqual(answers.left(today, dayOf(day)), [other]);
});

test("every card of the pool is what the trainer makes of its decision", () => {
  assert.equal(pool.length, entries.length);
  assert.equal(new Set(pool.map(({ id }) => id)).size, pool.length);
  for (const card of pool) {
    const { decision, players, length, plies, moneyRules } = card;
    const games = Array.from({ length: decision.game + 1 }, () => ({ crawford: card.crawford }));
    const match = { players, length, games, decisions: [decision], moneyRules: moneyRules ?? undefined };
    // So its kind is that of the position, and its mistake is one.
    assert.deepEqual(cardsOf(match as unknown as BackgammonAnalysedMatch, plies, null, 0), [card], card.id);
    assert.ok("setUp" in parseXgid(xgidOf(card)), card.id);
  }
});

test("every card of the pool has one best answer, and the recorded one is another", () => {
  const check = (card: Card, options: ReturnType<typeof cubeOptions>) => {
    const [best, ...others] = options.filter(({ isBest }) => isBest);
    const played = options.filter(({ isPlayed }) => isPlayed);
    assert.equal(options.length, 2, card.id);
    assert.deepEqual([others, best?.cost, best?.isPlayed], [[], 0, false], card.id);
    assert.deepEqual(
      played.map(({ cost }) => cost),
      [card.decision.cost],
      card.id,
    );
  };
  let [cubes, answers] = [0, 0];
  for (const card of pool) {
    const { decision } = card;
    const { cubeReview, cubeEquities, cost, equities, notations } = decision;
    if (!cubeReview) {
      check(card, playOptions(card, null));
      assert.ok(Math.abs(equities[1] - equities[0] - cost) < ROUNDING, card.id);
      // Both can be played on the board, and lead to different positions.
      const [after, afterBest] = notations.map((play) => {
        const position = copyPosition(readPosition(decision.board));
        for (const move of parsePlay(play)) applyMove(position, decision.player as Side, move);
        return position;
      });
      assert.notDeepEqual(after, afterBest, card.id);
      continue;
    }
    check(card, cubeOptions(card));
    assert.ok(cubeEquities, card.id);
    const { noDouble, doubleTake, doublePass } = cubeEquities;
    const doubled = Math.min(doubleTake, doublePass);
    // The equities, those of the side on roll, say the same as the card.
    const values = { roll: noDouble, double: doubled, take: -doubleTake, pass: -doublePass, beaver: NaN };
    assert.ok(Math.abs(values[cubeReview.best] - values[cubeReview.chosen] - cost) < ROUNDING, card.id);
    cubes++;
    if (isAnswer(decision)) answers++;
  }
  assert.ok(cubes > 50 && answers > 0 && answers < cubes, `${answers} of ${cubes}`);
});

test("no day of the pool has one kind only", () => {
  const kinds = new Set(pool.map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), [...KINDS].sort());
  const days = Math.ceil(pool.length / DAILY_COUNT);
  for (let day = 0; day < days; day++) {
    const cards = cardsOfDay(pool, day * 86_400_000);
    assert.equal(cards.length, DAILY_COUNT);
    assert.ok(new Set(cards.map(({ kind }) => kind)).size >= 3, `day ${day}`);
  }
});
