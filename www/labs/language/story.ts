// The story of a run of the language lab: by the share of exact answers for tasks, and by the loss for texts.

import { formatInteger, formatMeasured, formatNumber, sentenceStart } from "../../core/format";
import type { Story } from "../../ui/story";
import { worseWords } from "../../ui/worse-words";
import { detectOverfitting } from "./overfitting";
import { sourceOf, unitOfLoss } from "./sources";

/** Uncompressed text takes eight bits per byte. */
const UNCOMPRESSED_BITS_PER_BYTE = 8;
/** English text takes about this many bits per byte if only the frequency of each letter is known. */
const LETTER_FREQUENCY_BITS_PER_BYTE = 4.2;
/** A training loss below this, in bits per byte, is nearly zero. */
const SMALL_LOSS_BITS = 0.1;
/** Fewer right answers than this to unseen problems, in percent, do not fit such a loss. */
const FEW_RIGHT_PERCENT = 50;

export const story: Story = ({ settings, last, measured, solved, lost }) => {
  const [exact, bits, excess] = [last("exact"), last("bits"), last("excess")];
  if (Number.isFinite(exact)) {
    const margin = last("exactMargin") || 0;
    const share = exact === 0 ? "none" : `${formatMeasured(exact, margin, 3, "%")}%`.replace("<", "less than ");
    const text = `in its last test, it got ${share} of the unseen problems right`;
    if (lost) return `${worseWords(measured("exact").values, margin)}: ${text}.`;
    if (exact < FEW_RIGHT_PERCENT && last("loss") < SMALL_LOSS_BITS)
      return `Its loss on the problems that it trains on is nearly zero, but ${exact > 0 ? text.replace("got", "got only") : text}.`;
    return solved ? `Solved: ${text}. Ask it one.` : `${sentenceStart(text)}.`;
  }
  if (!Number.isFinite(bits)) return null;
  const unit = unitOfLoss(sourceOf(settings));
  const text = `${formatNumber(bits, 3)} ${unit}`;
  if (lost) return `It has become worse: it needs ${text}.`;
  const overfits = detectOverfitting(measured("bits"), measured("loss"));
  if (overfits) {
    const [training, best] = [formatNumber(overfits.trainingLoss, 3), formatNumber(overfits.bestHeldOutLoss, 3)];
    return (
      `It now memorises: better on the text it trains on (${training} ${unit}), worse on text it has not seen ` +
      `(${formatNumber(bits, 3)}; it was ${best} in iteration ${overfits.bestUnit}). ` +
      "This is overfitting: the two curves part."
    );
  }
  if (solved) return `Solved: it needs ${text}, ${formatNumber(excess, 2, "%")}% above what is possible. Let it write.`;
  // Tests are far apart, and the curve of the training loss goes on between them: the sentence names its test.
  const tested = measured("bits").units.at(-1);
  const test = tested === undefined ? "in its last test" : `in the test at iteration ${formatInteger(tested)}`;
  const needed = `it needed ${text}, where a plain file takes 8`;
  if (bits > UNCOMPRESSED_BITS_PER_BYTE - 1) return `It knew nothing ${test}: ${needed}.`;
  if (bits > LETTER_FREQUENCY_BITS_PER_BYTE) return `It had learned little ${test}: ${needed}.`;
  return `It predicts text by what came before: ${test}, ${needed}.`;
};
