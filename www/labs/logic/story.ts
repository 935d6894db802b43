// The story of a run of the logic lab, by the tests (proofs) of its final circuit.

import { formatInteger, formatNumber } from "../../core/format";
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

export const story: Story = ({ settings, last, solved }) => {
  const [proof, error, wrong] = [last("proof"), last("softError"), last("wrong")];
  if (!Number.isFinite(wrong)) {
    return Number.isFinite(error)
      ? `Its gates are still blends, and its final circuit has not been tested. Error of the blends: ${formatNumber(error, 2)}.`
      : "Its gates are still blends, and nearly plain wires.";
  }
  // The goal stays reached after a test with few mistakes; the sentence speaks of this test.
  if (solved && wrong === 0)
    return `Solved: its final circuit makes no mistake. ${SUGGESTIONS[settings["experiment"] as LogicExperiment] ?? ""}`;
  if (wrong === 0) return "Its final circuit made no mistake in the last test. It must do so several times in a row.";
  const latest = `${formatInteger(wrong)} were wrong in the latest test`;
  // The metric is known when there are as many tests as the goal asks for.
  return Number.isFinite(proof)
    ? `Its final circuit gets at least ${formatNumber(proof, 3, "%")}% of the cells right; ${latest}.`
    : `Its final circuit is tested: of its cells, ${latest}.`;
};
