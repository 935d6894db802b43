// The trainer: kinds of positions, cards, their schedule and storage, options and words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { storage } from "./fake-storage";
import type {
  BackgammonAnalysedDecision,
  BackgammonAnalysedMatch,
  BackgammonMoneyRules,
} from "../../www/generated/protocol";
import { BAR, NORTH, PLACE_COUNT, SOUTH, mirrored } from "../../www/labs/backgammon/position";
import { ankiText } from "../../www/labs/backgammon/trainer/anki";
import { cardsOf, readCard, type Card } from "../../www/labs/backgammon/trainer/card";
import { Deck, dueCards, MAX_CARDS } from "../../www/labs/backgammon/trainer/deck";
import { kindOf } from "../../www/labs/backgammon/trainer/kind";
import { cubeOptions, isRight, playOptions, type JudgedPlay } from "../../www/labs/backgammon/trainer/options";
import { xgidOf } from "../../www/labs/backgammon/match-file/decision-xgid";
import { costlyRolls, xgidAfter } from "../../www/labs/backgammon/trainer/replies";
import { answered, describeDue, newSchedule } from "../../www/labs/backgammon/trainer/schedule";
import {
  describeAdded,
  describeChoice,
  describeDeck,
  describeKept,
  describePlayed,
  describeQuestion,
  describeReplies,
  describeStakes,
} from "../../www/labs/backgammon/trainer/words";

/** A board from the checkers of both sides, each in its own numbering. */
function boardOf(south: Record<number, number>, north: Record<number, number>): number[] {
  const board = new Array<number>(PLACE_COUNT).fill(0);
  const put = (place: number, count: number) => {
    assert.equal(board[place], 0, `two sides on place ${place}`);
    board[place] = count;
  };
  for (const [place, count] of Object.entries(south)) put(Number(place), count);
  for (const [place, count] of Object.entries(north)) put(mirrored(Number(place)), -count);
  return board;
}

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };

/** A play was made, and the second one is best. A move is the place it begins at, its end, and whether it hits. */
const play: BackgammonAnalysedDecision = {
  player: SOUTH,
  game: 0,
  turn: 8,
  score: [2, 1],
  board: boardOf(START, START),
  cube: 1,
  owner: null,
  cost: 0.118,
  dice: [3, 1],
  notations: ["13/9", "8/5 6/5"],
  moves: [
    [13, 10, 0, 10, 9, 0],
    [8, 5, 0, 6, 5, 0],
  ],
  cubeReview: null,
  outcomes: [
    [0.5, 0.1, 0, 0.14, 0],
    [0.55, 0.1, 0, 0.1, 0],
  ],
  unplayed: false,
  equities: [0.04, 0.158],
  plays: 16,
  luck: -0.42,
  cubeEquities: null,
};
const pass: BackgammonAnalysedDecision = {
  ...play,
  player: NORTH,
  cube: 2,
  owner: SOUTH,
  dice: [0, 0],
  notations: ["", ""],
  moves: [[], []],
  cubeReview: { chosen: "pass", best: "take", cost: 0.118 },
  plays: 0,
  luck: null,
  cubeEquities: { noDouble: 0.6, doubleTake: 0.882, doublePass: 1 },
};
const report = { decisions: 10, cost: 0.1, luck: 0, errorRate: 10, rating: "Advanced" };
const matchOf = (...decisions: BackgammonAnalysedDecision[]) =>
  ({
    players: ["Ada", "Ben"],
    length: 7,
    games: [{ score: [2, 1], crawford: false, winner: null, points: 0 }],
    decisions,
    reports: [report, report],
  }) as unknown as BackgammonAnalysedMatch;

const NOON = new Date(2026, 4, 10, 12).getTime();
const cards = (...decisions: BackgammonAnalysedDecision[]) => cardsOf(matchOf(...decisions), 2, null, NOON);
const [card, cubeCard] = cards(play, pass) as [Card, Card];
/** A card of a money session. */
const moneyCard = (moneyRules?: BackgammonMoneyRules) => {
  const session = { ...matchOf(play), length: 0, moneyRules } as BackgammonAnalysedMatch;
  return cardsOf(session, 2, null, NOON)[0] as Card;
};

test("positions have kinds", () => {
  const kind = (south: Record<number, number>, north: Record<number, number>, turn = 20) =>
    kindOf({ ...play, board: boardOf(south, north), turn });
  assert.equal(kindOf(pass), "cube");
  assert.equal(kind(START, START, 3), "opening");
  assert.equal(kind(START, START), "contact");
  assert.equal(kind({ 6: 5, 5: 5, 4: 5 }, { 6: 8, 5: 7 }, 2), "race");
  // South's last checker is on its 13 point, north's last one on South's 12 point: they have still to pass each other.
  assert.equal(kind({ 13: 1, 5: 7, 4: 7 }, { 13: 1, 6: 7, 5: 7 }), "contact");
  assert.equal(kind({ 12: 1, 5: 7, 4: 7 }, { 12: 1, 6: 7, 5: 7 }), "race");
  assert.equal(kind({ 24: 2, 8: 4, 6: 5, 5: 4 }, { [BAR]: 1, 13: 5, 8: 4, 6: 5 }), "blitz");
  assert.equal(kind({ 9: 2, 8: 2, 7: 2, 6: 2, 13: 5, 24: 2 }, { 24: 2, 13: 5, 8: 3, 6: 5 }), "prime");
  // A prime behind which there is nobody.
  assert.equal(kind({ 9: 2, 8: 2, 7: 2, 6: 2, 13: 5, 24: 2 }, { 13: 7, 8: 3, 6: 5 }), "contact");
});

test("errors become cards, each once", () => {
  const good = { ...play, cost: 0.019 };
  const unplayed = { ...play, unplayed: true };
  // The trainer asks for take or pass, not for a beaver.
  const beaver: BackgammonAnalysedDecision = { ...pass, cubeReview: { chosen: "take", best: "beaver", cost: 0.5 } };
  assert.deepEqual(
    cards(good, unplayed, beaver, play, pass).map(({ kind, plies, due }) => [kind, plies, due]),
    [
      ["contact", 2, NOON],
      ["cube", 2, NOON],
    ],
  );
  assert.equal(cardsOf(matchOf(play, pass), 0, NORTH, NOON).length, 1);
  const [again] = cards({ ...play, cost: 0.2, turn: 30, dice: [1, 3] });
  assert.equal(again?.id, card.id);
  const [other] = cards({ ...play, dice: [2, 1] });
  assert.notEqual(other?.id, card.id);
});

test("a card that was answered right comes back after a longer and longer time", () => {
  let schedule = newSchedule(NOON);
  const days: string[] = [];
  for (let i = 0; i < 7; i++) {
    schedule = answered(schedule, true, NOON);
    days.push(describeDue(schedule.due, NOON));
  }
  assert.deepEqual(days, [
    "tomorrow",
    "in 3 days",
    "in 7 days",
    "in 16 days",
    "in 35 days",
    "in 90 days",
    "in 90 days",
  ]);
  assert.deepEqual(answered(schedule, false, NOON), { box: 0, due: NOON });
  // Late in the evening it is due in the morning, not a whole day later.
  const late = new Date(2026, 4, 10, 23, 59).getTime();
  assert.equal(answered(newSchedule(late), true, late).due, new Date(2026, 4, 11).getTime());
});

test("cards are kept, with their schedule", () => {
  const kept = storage();
  const deck = new Deck(kept);
  assert.deepEqual(deck.add([card, cubeCard, card]), { kept: 2, gone: 0 });
  const tomorrow = new Date(2026, 4, 11).getTime();
  assert.deepEqual(deck.answer(card.id, true, NOON), { box: 1, due: tomorrow });
  assert.deepEqual(deck.add([card]), { kept: 0, gone: 0 });
  const again = new Deck(kept);
  assert.deepEqual(
    again.all.map(({ box, due }) => [box, due]),
    [
      [1, tomorrow],
      [0, NOON],
    ],
  );
  assert.deepEqual(again.all[0]?.decision, card.decision);
  assert.deepEqual(
    dueCards(again.all, NOON).map(({ id }) => id),
    [cubeCard.id],
  );
  // Two tabs: neither loses what the other one has done.
  again.forget(cubeCard.id);
  assert.equal(deck.answer(cubeCard.id, true, NOON), null);
  assert.equal(deck.answer(card.id, true, NOON)?.box, 2);
  assert.deepEqual(
    new Deck(kept).all.map(({ id, box }) => [id, box]),
    [[card.id, 2]],
  );
});

test("cards that the storage has no room for stay while the page is open, and damaged ones are left out", () => {
  const full = new Deck(storage(10));
  assert.deepEqual(full.add([card]), { kept: 1, gone: 0 });
  assert.equal(full.isStored, false);
  assert.equal(full.all.length, 1);
  for (const text of ["", "{", "[]", "null", '{"cards":7}', '{"cards":[{},null,{"id":"x"}]}']) {
    const deck = new Deck(storage(Infinity, { "learnery:backgammon-cards": text }));
    assert.deepEqual(deck.all, [], text);
  }
  const damages: object[] = [
    { kind: "none" },
    { players: ["Ada"] },
    { due: "soon" },
    { decision: { ...play, board: [1] } },
    { decision: { ...play, player: 2 } },
    { decision: { ...play, outcomes: [[1], [2]] } },
    { decision: { ...pass, cubeEquities: null } },
    { decision: { ...pass, cubeEquities: { noDouble: "1" } } },
    { decision: { ...pass, cubeReview: { chosen: "pass", best: "roll", cost: 1 } } },
  ];
  for (const damage of damages) assert.equal(readCard({ ...card, ...damage }), null, JSON.stringify(damage));
  assert.deepEqual(readCard(JSON.parse(JSON.stringify(card))), card);
});

test("a deck that is full loses the cards that cost least, and says so", () => {
  const deck = new Deck(storage());
  const costing = (id: string, cost: number) => ({ ...card, id, decision: { ...play, cost } });
  const most = Array.from({ length: MAX_CARDS - 1 }, (_, i) => costing(`card ${i}`, 0.1 + i / 10_000));
  assert.deepEqual(deck.add(most), { kept: MAX_CARDS - 1, gone: 0 });
  const added = deck.add([costing("cheap", 0.05), costing("dear", 1), costing("dearer", 2)]);
  assert.deepEqual(added, { kept: 2, gone: 2 });
  const ids = new Set(deck.all.map(({ id }) => id));
  assert.deepEqual(
    ["cheap", "card 0", "card 1", "dear", "dearer"].filter((id) => ids.has(id)),
    ["card 1", "dear", "dearer"],
  );
  assert.equal(deck.all.length, MAX_CARDS);
  assert.equal(
    describeAdded(added),
    "2 new cards. The 2 cards that cost least are gone, because 1,500 is the most that are kept.",
  );
  assert.equal(describeAdded({ kept: 1, gone: 0 }), "1 new card.");
  assert.equal(describeKept({ kept: 1, gone: 0 }), "It is one of your cards now.");
  assert.equal(
    describeKept({ kept: 0, gone: 1 }),
    "The card that cost least is gone, because 1,500 is the most that are kept.",
  );
});

const judged = (entries: [string, number, number?][]): JudgedPlay[] =>
  entries.map(([play, equity, plies = 2]) => ({
    play,
    equity,
    plies,
    outcomes: play === "13/9" ? [0.4, 0, 0, 0, 0] : [0.5, 0, 0, 0, 0],
  }));

test("plays are offered with what they cost", () => {
  const plays = judged([
    ["8/5 6/5", 0.16],
    ["24/23 13/10", 0.1],
    ["24/20", 0.09],
    ["13/9", 0.04],
    ["24/21 6/5", 0.03],
    ["13/10 6/5", 0.02],
    ["6/3 6/5", -0.2],
    ["6/2", -0.3, 0],
  ]);
  const options = playOptions(card, plays);
  assert.equal(options.length, 6);
  // Sorted by their points, so that the order does not tell which is best.
  assert.deepEqual(
    options.map(({ label }) => label),
    ["24/23 13/10", "24/21 6/5", "24/20", "13/10 6/5", "13/9", "8/5 6/5"],
  );
  const [best, played] = ["8/5 6/5", "13/9"].map((label) => options.find((option) => option.label === label));
  assert.ok(best?.isBest && best.cost === 0 && isRight(best));
  assert.ok(played?.isPlayed && Math.abs(played.cost - 0.12) < 1e-9 && !isRight(played));
  // Without the network there are two.
  assert.deepEqual(
    playOptions(card, null).map(({ label, cost }) => [label, cost]),
    [
      ["13/9", 0.118],
      ["8/5 6/5", 0],
    ],
  );
  // Where one of both was judged with less lookahead, costs cannot be compared: those of the match are known.
  for (const [first, second] of [
    [2, 0],
    [0, 2],
  ]) {
    const far = playOptions(
      card,
      judged([
        ["24/20", 0.2],
        ["8/5 6/5", 0.16, first],
        ["13/9", -0.5, second],
      ]),
    );
    assert.deepEqual(far, playOptions(card, null));
  }
});

test("no more than six plays are offered, with the one that was played and the best", () => {
  const others = ["24/23 13/10", "24/20", "24/21 6/5", "13/10 6/5", "24/22 6/5", "6/3 6/5"];
  const plays = judged([...others.map((play): [string, number] => [play, 0.16]), ["8/5 6/5", 0.16], ["13/9", -0.5]]);
  const options = playOptions(card, plays);
  assert.equal(options.length, 6);
  // Of equal plays the one that the analysis named.
  assert.deepEqual(
    options.filter(({ isBest }) => isBest).map(({ label }) => label),
    ["8/5 6/5"],
  );
  const played = options.find(({ isPlayed }) => isPlayed);
  assert.ok(played && Math.abs(played.cost - 0.66) < 1e-9, played?.label);
  // A play that is better by the network of today is the best.
  const better = playOptions(
    card,
    judged([
      ["24/20", 0.2],
      ["8/5 6/5", 0.16],
      ["13/9", 0.1],
    ]),
  );
  assert.deepEqual(
    better.map(({ label, isBest, cost }) => [label, isBest, Number(cost.toFixed(3))]),
    [
      ["24/20", true, 0],
      ["13/9", false, 0.1],
      ["8/5 6/5", false, 0.04],
    ],
  );
});

test("cube decisions are offered with what they cost", () => {
  assert.deepEqual(
    cubeOptions(cubeCard).map(({ label, cost, isBest, isPlayed }) => [
      label,
      Number(cost.toFixed(3)),
      isBest,
      isPlayed,
    ]),
    [
      ["Take", 0, true, false],
      ["Pass", 0.118, false, true],
    ],
  );
  const double: BackgammonAnalysedDecision = {
    ...pass,
    owner: NORTH,
    cost: 0.282,
    cubeReview: { chosen: "roll", best: "double", cost: 0.282 },
  };
  assert.deepEqual(
    cubeOptions({ ...cubeCard, decision: double }).map(({ label, cost }) => [label, Number(cost.toFixed(3))]),
    [
      ["No double", 0.282],
      ["Double", 0],
    ],
  );
});

test("a position has its stakes, and the opponent's roll after a play", () => {
  assert.equal(xgidOf(card), "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:7:10");
  assert.equal(xgidOf(cubeCard), "XGID=-b----E-C---eE---c-e----B-:1:1:1:D:2:1:0:7:10");
  assert.equal(xgidAfter(card, "8/5 6/5", [6, 4]), "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:2:1:0:7:10");
});

test("a card of a money session keeps its rules, in its position and its words", () => {
  const fields = (each: Card) => xgidOf(each).split(":").slice(5).join(":");
  const rules = (jacoby: boolean, beavers: boolean) => moneyCard({ jacoby, beavers });
  assert.equal(fields(rules(true, false)), "0:0:1:0:10");
  assert.equal(fields(rules(false, false)), "0:0:0:0:10");
  assert.equal(fields(rules(false, true)), "0:0:2:0:10");
  assert.equal(fields(rules(true, true)), "0:0:3:0:10");
  assert.equal(xgidAfter(rules(false, false), "8/5 6/5", [6, 4]).split(":")[7], "0");
  assert.equal(
    describeStakes(rules(true, false)),
    "A single game, without a match. By the Jacoby rule, gammons count only once the cube is turned.",
  );
  assert.equal(
    describeStakes(rules(false, true)),
    "A single game, without a match. Gammons count from the start, without the Jacoby rule. Beavers are allowed.",
  );
  // Another rule is another question.
  const ids = [rules(true, false), rules(false, false), rules(true, true), rules(false, true)].map(({ id }) => id);
  assert.equal(new Set(ids).size, 4);

  const kept = (each: object) => readCard(JSON.parse(JSON.stringify(each)));
  assert.deepEqual(kept(rules(false, true))?.moneyRules, { jacoby: false, beavers: true });
  assert.equal(card.moneyRules, null);
  // Cards from before there were rules have the Jacoby rule, and are the same cards.
  const old = kept({ ...rules(true, false), moneyRules: undefined });
  assert.deepEqual(old, rules(true, false));
  for (const damage of [null, true, {}, { jacoby: 1, beavers: 0 }])
    assert.equal(kept({ ...rules(true, false), moneyRules: damage }), null, JSON.stringify(damage));
});

test("replies that hurt are found among all rolls", async () => {
  const asked: string[] = [];
  const replies = await costlyRolls(card, "13/9", "8/5 6/5", (position, plies) => {
    asked.push(position);
    // The best play, 8/5 6/5, leaves this on points 4 to 8.
    const isChosen = !position.includes("BD-B");
    const dice = position.split(":")[4] ?? "";
    const hit = { "63": 0.4, "54": 0.5, "11": 0.05, "66": 0.2, "62": 0.15 }[dice] ?? 0;
    assert.equal(plies, 0);
    return Promise.resolve(judged([["24/20", isChosen ? hit : 0, 0]]));
  });
  // All 21 rolls after each of the two plays.
  assert.equal(asked.length, 42);
  assert.equal(new Set(asked).size, 42);
  // The three that cost most. Less than 0.1 counts for nothing.
  assert.deepEqual(
    replies.map(({ dice, loss }) => [dice.join(""), loss]),
    [
      ["54", 0.5],
      ["63", 0.4],
      ["66", 0.2],
    ],
  );
  assert.match(describeReplies(replies, "Ben"), /^Rolls of Ben that hurt more .*: 5-4 \(0\.50\), 6-3 \(0\.40\), 6-6/);
  assert.equal(describeReplies([], "Ben"), "");
  assert.deepEqual(await costlyRolls(card, "13/9", "8/5 6/5", () => Promise.resolve(null)), []);
});

test("sentences say what is asked and what it cost", () => {
  assert.equal(describeQuestion(card), "Ada has rolled 3-1. How would you play it?");
  assert.equal(
    describeQuestion(cubeCard),
    "Ada doubles to 4. Would you take as Ben and play on, or pass and lose 2 points?",
  );
  const double = {
    ...cubeCard,
    decision: { ...pass, owner: NORTH, cubeReview: { chosen: "roll", best: "double", cost: 0.2 } as const },
  };
  assert.equal(describeQuestion(double), "Ben is about to roll. Would you double first, to 4?");
  assert.equal(describeStakes(card), "Match to 7 points, Ada 2, Ben 1.");
  const options = playOptions(card, null);
  const [bad, best] = options as [(typeof options)[0], (typeof options)[0]];
  assert.equal(describeChoice(best, options), "Right: 8/5 6/5 is best.");
  assert.equal(describeChoice(bad, options), "13/9 loses 0.118 points a game (bad). 8/5 6/5 is better.");
  assert.equal(
    describeChoice({ ...bad, cost: 0.01 }, options),
    "Good enough: 13/9 loses only 0.010 points a game. 8/5 6/5 is better.",
  );
  assert.equal(describePlayed(card, bad, options), "That is what Ada did in the recorded game.");
  assert.equal(describePlayed(card, best, options), "In the recorded game Ada chose “13/9”, which lost 0.118.");
  assert.match(describeDeck(0, 0, 0, null, NOON), /^You have no cards yet/);
  assert.equal(describeDeck(1, 4, 9, null, NOON), "1 of 4 cards is due.");
  assert.equal(describeDeck(0, 4, 9, NOON + 86_400_000, NOON), "None of 4 cards is due. The next comes back tomorrow.");
});

test("Anki gets a line for each card, with a drawing and without the tabs and the HTML in names", () => {
  const text = ankiText([{ ...card, players: ["<b>A\tda", "Ben & Co"] }, cubeCard]);
  const lines = text.trimEnd().split("\n");
  assert.deepEqual(lines.slice(0, 2), ["#separator:tab", "#html:true"]);
  const rows = lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"));
  assert.deepEqual(
    rows.map((row) => row.length),
    [3, 3],
  );
  assert.ok(rows[0]?.[0]?.startsWith("<svg ") && rows[0][0].includes("&lt;b&gt;A da has rolled 3-1"));
  assert.equal(rows[0]?.[0]?.match(/<circle/g)?.length, 30);
  assert.ok(rows[0]?.[1]?.includes("<b>8/5 6/5</b>"));
  assert.equal(rows[1]?.[2], "backgammon::cube");
});
