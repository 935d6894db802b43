// The story of a run of the logic lab, by the tests (proofs) of its final circuit.

import { formatCount, formatInteger, formatNumber } from "../../core/format";
import type { LogicExperiment } from "../../generated/protocol";
import type { Story } from "../../ui/story";

/** What a visitor can do with a final circuit that makes no mistake. */
const SUGGESTIONS: Record<LogicExperiment, string> = {
  life: "Draw cells and see what becomes of them.",
  checkerboard: "Damage the picture and see it heal.",
  async: "Damage the picture and see it heal.",
  figure: "Draw another target for it.",
  letter: "Draw another target for it.",
};

/** From this percentage of right cells on, wrong ones are counted. */
const NEARLY_RIGHT_PERCENT = 99;

export const story: Story = ({ settings, last, solved }) => {
  const [proof, error, wrong, tested] = [last("proof"), last("softError"), last("wrong"), last("tested")];
  if (!Number.isFinite(wrong)) {
    return Number.isFinite(error)
      ? `Its gates are still blends, and its final circuit has not been tested. Error of the blends: ${formatNumber(error, 2)}.`
      : "Its gates are still blends, and nearly plain wires.";
  }
  // The goal stays reached after a test with few mistakes; the sentence speaks of this test.
  if (solved && wrong === 0)
    return `Solved: its final circuit makes no mistake. ${SUGGESTIONS[settings["experiment"] as LogicExperiment] ?? ""}`;
  if (wrong === 0) return "Its final circuit made no mistake in the last test. It must do so several times in a row.";
  const attempt = last("attempt");
  const anew = attempt > 1 ? `It has begun again with new gates (attempt ${formatInteger(attempt)}). ` : "";
  // Tests of earlier versions did not note how many cells they had.
  const cells = Number.isFinite(tested)
    ? `${formatInteger(wrong)} of ${formatCount(tested, "cell")}`
    : formatInteger(wrong);
  const latest = `In the latest test, ${cells} ${wrong === 1 ? "was" : "were"} wrong.`;
  if (!Number.isFinite(proof)) return `${anew}${latest}`;
  // A test has parts, such as a larger grid. The metric is that of the worst part of as many tests as the goal asks for.
  const worst = `In the worst of its last tests, ${formatNumber(proof, 3, "%")}% of its cells were right.`;
  return proof < NEARLY_RIGHT_PERCENT ? `${anew}${worst}` : `${anew}${worst} ${latest}`;
};
