// What the agent of the backgammon lab does for the first time, by its tests against pubeval.
//
// It is not the first anchor that the agent holds, although players would ask for that one: an untrained network holds
// anchors too, by chance, and in as many of its games as a trained one (docs/log/backgammon.md, measured with
// scripts/backgammon-anchors.mjs). So an anchor in a game on the stage shows nothing that was learned. Short games and
// few gammons in self-play show nothing either: in the first rounds only short games have ended yet, so both are
// measured there before anything was learned. The tests against pubeval have no such error, and a margin that says
// which of them is beyond luck.

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
