// The story of a run of the logic lab, by the tests (proofs) of its final circuit.

import { formatInteger, formatNumber } from "../../core/format";
import type { Story } from "../story";

export const story: Story = ({ settings, last, solved }) => {
  const [proof, error, wrong] = [last("proof"), last("softError"), last("wrong")];
  if (!Number.isFinite(proof)) {
    return Number.isFinite(error)
      ? `Its gates are still blends, and its final circuit has not been tested. Error of the blends: ${formatNumber(error, 2)}.`
      : "Its gates are still blends, chosen at random.";
  }
  const life = settings["experiment"] === "life";
  if (solved)
    return `Solved: its final circuit makes no mistake. ${life ? "Draw cells" : "Damage the picture"} and see what it does.`;
  if (wrong === 0) return "Its final circuit made no mistake in the last test. It must do so several times in a row.";
  const mistakes = Number.isFinite(wrong) ? `, with ${formatInteger(wrong)} wrong cells in the last test` : "";
  return `Its final circuit gets ${formatNumber(proof, 3, "%")}% of the cells right${mistakes}.`;
};
