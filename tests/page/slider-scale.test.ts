// Tests of the slider scale, which converts the positions (notches) of a setting's slider to values and back: on every
// numeric setting of every lab, and on two settings made up here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LABS } from "../../www/generated/labs";
import type { Field } from "../../www/generated/protocol";
import { SliderScale } from "../../www/ui/slider-scale";

type Numeric = Extract<Field, { kind: "integer" | "number" }>;

/** A made-up setting with a range from 0 to 1, changed by `overrides`. */
const numericField = (overrides: Partial<Numeric>): Numeric => ({
  name: "x",
  title: "x",
  help: "",
  unit: "",
  live: true,
  log: false,
  group: "learning",
  main: false,
  applies: [],
  default: 0,
  kind: "number",
  min: 0,
  max: 1,
  ...overrides,
});

for (const { id, load } of LABS) {
  test(`slider of each setting of ${id} rises from the minimum to the maximum and never falls`, async () => {
    const { fields } = await load();
    for (const field of fields) {
      if (field.kind !== "integer" && field.kind !== "number") continue;
      const scale = new SliderScale(field);
      assert.equal(scale.value(0), field.min, field.name);
      assert.equal(scale.value(scale.notches), field.max, field.name);
      let previous = -Infinity;
      for (let notch = 0; notch <= scale.notches; notch++) {
        const value = scale.value(notch);
        assert.ok(value >= previous && value <= field.max, `${field.name} at ${notch}`);
        if (field.kind === "integer") assert.ok(Number.isInteger(value), field.name);
        previous = value;
      }
      const defaultNotch = scale.notch(Number(field.default));
      assert.ok(defaultNotch >= 0 && defaultNotch <= scale.notches, field.name);
    }
  });
}

test("slider of a small integer range has one position for each value", () => {
  const scale = new SliderScale(numericField({ kind: "integer", min: 1, max: 14 }));
  assert.equal(scale.notches, 13);
  for (let value = 1; value <= 14; value++) assert.equal(scale.value(scale.notch(value)), value);
});

test("logarithmic slider from zero has zero at its first position, and equal ratios after it", () => {
  const scale = new SliderScale(numericField({ log: true }));
  assert.equal(scale.value(0), 0);
  // Three positions at equal distances.
  const [a, b, c] = [0.25, 0.5, 0.75].map((share) => scale.value(share * scale.notches)) as [number, number, number];
  // Rounding to two significant digits changes the logarithm of a value by at most 0.05, and b counts twice.
  assert.ok(Math.abs(Math.log(b / a) - Math.log(c / b)) < 0.2);
});

test("every step of a slider changes the value, in the direction of the step", async () => {
  for (const { load } of LABS) {
    for (const field of (await load()).fields) {
      if (field.kind !== "integer" && field.kind !== "number") continue;
      const scale = new SliderScale(field);
      const values = Array.from({ length: scale.notches + 1 }, (_, notch) => scale.value(notch));
      for (const present of [Number(field.default), ...values]) {
        // `valueFrom` is the value when the slider is moved from that of `present` to a position.
        const at = scale.notch(present);
        const [up, down] = [scale.valueFrom(present, at + 1), scale.valueFrom(present, at - 1)];
        if (at < scale.notches) assert.ok(up > present, `${field.name} up from ${present}`);
        if (at > 0) assert.ok(down < present, `${field.name} down from ${present}`);
        assert.equal(scale.valueFrom(present, 0), field.min);
      }
    }
  }
});
