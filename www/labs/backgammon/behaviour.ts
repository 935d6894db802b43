// What the agent of the backgammon lab does for the first time, by its tests against pubeval.
//
// A player would name the first anchor (two checkers or more on a point of the opponent's home). But an untrained
// network holds as many of them as a trained one (docs/log/backgammon.md).

import { firstTest, type Behaviour } from "../../core/story/behaviour";
import { formatMeasured, formatNumber } from "../../core/format";
import type { BackgammonView } from "../../generated/protocol";

export const behaviour: Behaviour<BackgammonView> = {
  measured(record) {
    const marginAt = (unit: number) => record.series.last("margin", unit);
    const test = firstTest(record, "points", (value, unit) => value > marginAt(unit));
    if (!test) return null;
    const margin = marginAt(test.unit);
    const [points, error] = [formatMeasured(test.value, margin, 2), formatNumber(margin, 2)];
    const text =
      `For the first time it won more from pubeval, a program from 1993, than it lost: ${points} points a game, ` +
      `with a margin of error of ${error}.`;
    return { unit: test.unit, title: "More won from pubeval than lost", text };
  },
};
