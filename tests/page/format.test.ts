// Numbers, durations and counts as the page writes them.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as format from "../../www/core/format";

const CASES: [name: string, actual: string, expected: string][] = [
  ["integer with thousands", format.formatInteger(1234567), "1,234,567"],
  ["negative integer with a true minus", format.formatInteger(-42), "−42"],
  ["integer that is no number", format.formatInteger(NaN), "–"],
  ["number with four digits", format.formatNumber(12.3456), "12.35"],
  ["large number", format.formatNumber(12345.6), "12,346"],
  ["tiny number", format.formatNumber(1.2e-7), "1.2e−7"],
  ["small number", format.formatNumber(0.00123), "0.001230"],
  ["zero", format.formatNumber(0), "0"],
  ["percentage cut below 100", format.formatNumber(99.99999, 4, "%"), "99.99"],
  ["percentage of exactly 100", format.formatNumber(100, 4, "%"), "100"],
  ["percentage just above zero", format.formatNumber(0.0001, 4, "%"), "<0.01"],
  ["percentage with a decimal that binary cannot represent", format.formatNumber(0.29, 4, "%"), "0.29"],
  ["share", format.formatShare(0.5385), "54%"],
  ["share of nothing", format.formatShare(0), "0%"],
  ["share of all", format.formatShare(1), "100%"],
  ["share just above nothing", format.formatShare(0.0049), "<1%"],
  ["share of all but one of four hundred", format.formatShare(399 / 400), ">99%"],
  ["share just below all, with decimals", format.formatShare(0.999996, 3), ">99.999%"],
  ["share just above nothing, with decimals", format.formatShare(0.00004, 2), "<0.01%"],
  ["share with decimals", format.formatShare(0.0284, 2), "2.84%"],
  ["share beyond all, by rounding errors", format.formatShare(1 + 1e-7), "100%"],
  ["share that is no number", format.formatShare(NaN), "–"],
  ["tenths without minus zero", format.formatTenths(-0.01), "0.0"],
  ["tenths", format.formatTenths(-1.25), "−1.2"],
  ["ends of a scale", format.formatEnds([-1.25, 99.96]).join(" "), "−1.2 100.0"],
  ["ends that are near each other", format.formatEnds([0.0123, 0.0456]).join(" "), "0.012 0.046"],
  ["ends of large numbers that are near each other", format.formatEnds([812.41, 812.48]).join(" "), "812.410 812.480"],
  ["ends of a scale of one number", format.formatEnds([3, 3]).join(" "), "3.0 3.0"],
  ["huge ends", format.formatEnds([-2.5e9, 1.2e6]).join(" "), "−2.50e+9 1,200,000"],
  ["tick in thousands", format.formatTick(25000), "25 k"],
  ["tick in millions", format.formatTick(2e6), "2e+6"],
  ["negative tick", format.formatTick(-0.5), "−0.5"],
  ["rate below ten", format.formatCompact(3.14159), "3.1"],
  ["rate in thousands", format.formatCompact(12_400), "12.4 k"],
  ["rate in millions", format.formatCompact(1_250_000), "1.25 M"],
  ["rate of zero", format.formatCompact(0), "0"],
  ["short duration", format.formatDuration(6.2), "6.2 seconds"],
  ["duration in minutes", format.formatDuration(200), "3 min 20 s"],
  ["duration just below two minutes", format.formatDuration(119.7), "2 min 0 s"],
  ["duration just below 100 seconds", format.formatDuration(99.96), "1 min 40 s"],
  ["duration just below an hour", format.formatDuration(3599.6), "1 h 0 min"],
  ["duration just below two hours", format.formatDuration(7199), "2 h 0 min"],
  ["duration in hours", format.formatDuration(7500), "2 h 5 min"],
  ["name of a setting", format.spaced("max_grad_norm"), "max grad norm"],
  ["singular", format.formatCount(1, "turn"), "1 turn"],
  ["plural", format.formatCount(2000, "turn"), "2,000 turns"],
  ["measured value beyond its margin", format.formatMeasured(0.0325, 0.13), "0.03"],
  ["measured value with a coarse margin", format.formatMeasured(-137.25, 1.7), "−137.3"],
  ["measured percentage", format.formatMeasured(99.41, 0.67, 3, "%"), "99.41"],
  ["measured percentage with a coarse margin", format.formatMeasured(52.34, 4.4, 3, "%"), "52.3"],
  ["measured percentage just below all, with a coarse margin", format.formatMeasured(99.97, 1.2, 3, "%"), "99.9"],
  ["measured percentage just above nothing", format.formatMeasured(0.04, 1.2, 3, "%"), "<0.1"],
  ["measured value without a margin", format.formatMeasured(245.5, NaN), "245.5"],
  ["short estimate", format.formatEstimate(5.2), "6 seconds"],
  ["long estimate", format.formatEstimate(200), "3 minutes"],
  ["range of seconds", format.formatSpan(19.6, 31), "20 to 31 seconds"],
  ["range of seconds and minutes", format.formatSpan(80, 170), "80 seconds to 3 minutes"],
  ["range of minutes", format.formatSpan(114, 170), "2 to 3 minutes"],
  ["range that is rounded to one number", format.formatSpan(121, 140), "2 minutes"],
  ["range of less than a second", format.formatSpan(0.1, 0.4), "1 second"],
  ["range of hours and days", format.formatSpan(8000, 200_000), "2 hours to 2 days"],
  ["plural that is one already", format.formatCount(2, "world steps"), "2 world steps"],
];

for (const [name, actual, expected] of CASES) {
  test(`${name} is written as ${expected}`, () => assert.equal(actual, expected));
}

test("age is given in the largest fitting unit", () => {
  // An event at time 0, seen this many seconds later. Times are in milliseconds.
  const ages = [10, 600, 7200, 3 * 86400].map((seconds) => format.formatAge(0, seconds * 1000));
  assert.deepEqual(ages, ["a moment ago", "10 minutes ago", "2 hours ago", "3 days ago"]);
});
