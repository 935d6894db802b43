// The setting that breaks what a run of the logic lab has learned.

import type { BreakingSetting } from "../../core/breaking-setting";

/**
 * The highest learning rate breaks nothing: a solved checkerboard stays solved, and an untrained one even learns
 * faster. A weight decay of 1 pulls all logits to zero, so that each gate is an even mixture of all kinds; half of it
 * does not (docs/log/page.md).
 */
export const BREAKING: BreakingSetting = { name: "weight_decay", fraction: 0.8 };
