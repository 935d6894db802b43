// The stories of the labs, which tell what an agent can do from its metrics, and the forecast of the way to the goal.

import assert from "node:assert/strict";
import { test } from "node:test";
import { forecast } from "../../www/core/forecast";
import { story as backgammon } from "../../www/labs/backgammon/story";
import { story as control } from "../../www/labs/control/story";
import { story as cube } from "../../www/labs/cube/story";
import { story as language } from "../../www/labs/language/story";
import { story as logic } from "../../www/labs/logic/story";
import type { Story } from "../../www/ui/story";

/** A state with these metrics, in the order in which a run meets them, and the sentence that each must give. */
type Case = [metrics: Record<string, number>, sentence: RegExp | null, rest?: { solved?: boolean; lost?: boolean }];

function check(name: string, story: Story, settings: Record<string, string>, cases: Case[]): void {
  test(`story of ${name}`, () => {
    for (const [metrics, sentence, { solved = false, lost = false } = {}] of cases) {
      const last = (metric: string) => metrics[metric] ?? NaN;
      const told = story({ settings, last, solved, lost });
      if (sentence) assert.match(told ?? "", sentence);
      else assert.equal(told, null);
    }
  });
}

check("CartPole", control, { world: "cartpole" }, [
  [{}, null],
  [{ examReturn: 9.4 }, /knows nothing: the pole falls after 9 steps/],
  [{ examReturn: 60 }, /side where the pole leans: it falls after 60 steps/],
  [{ examReturn: 300 }, /^It balances the pole for 300 of 500 steps\.$/],
  [{ examReturn: 495 }, /^Solved.*495 of 500 steps\. Push it\.$/, { solved: true }],
  [{ examReturn: 20 }, /^It has lost what it had learned\./, { solved: true, lost: true }],
]);
check("MountainCar", control, { world: "mountaincar" }, [
  [{ examReturn: -200 }, /never reached the flag/],
  [{ examReturn: -130 }, /reaches the flag after 130 steps/],
]);
check("Acrobot", control, { world: "acrobot" }, [
  [{ examReturn: -500 }, /never swung up/],
  [{ examReturn: -90 }, /in 90 steps/],
]);
check("Pendulum", control, { world: "pendulum" }, [
  [{ examReturn: -1300 }, /without aim/],
  [{ examReturn: -150 }, /stays there, at a cost of 150/],
]);
check("backgammon", backgammon, {}, [
  [{}, null],
  [{ points: -2.3, margin: 0.1 }, /almost at random: it loses 2\.3 points a game/],
  [{ points: -0.5, margin: 0.1 }, /^It loses 0\.50 points a game to pubeval/],
  [{ points: 0.05, margin: 0.1 }, /as strong as pubeval/],
  [{ points: 0.3, margin: 0.1 }, /^It wins 0\.30 points/],
  [{ points: 0.55, margin: 0.1 }, /^Solved: it wins 0\.55 points.*Play against it\.$/, { solved: true }],
]);
check("cube", cube, {}, [
  [{ solved: 0.0002 }, /it solves less than 0\.01% of the tested states, those next to the solved cube/],
  [{ solved: 43.4 }, /^It solves 43\.40% of the tested states\.$/],
  [{ solved: 100 }, /^Solved: it solves every tested state/, { solved: true }],
]);
check("cube", cube, { puzzle: "3x3x3" }, [
  [{ solved: 0 }, /^It knows nothing: it solves none of the tested states\.$/],
  [{ solved: 43.4 }, /^It solves 43\.40% of the tested states\.$/],
]);
check("language", language, {}, [
  [{}, null],
  [{ exact: 0 }, /answers none/],
  [{ exact: 52.3 }, /^It answers 52\.3/],
  [{ exact: 99.5 }, /^Solved: it answers 99\.5.*Ask it one\.$/, { solved: true }],
  [{ bits: 7.9 }, /knows nothing: it needs 7\.9/],
  [{ bits: 5 }, /which letters are frequent/],
  [{ bits: 2 }, /by what came before/],
]);
check("logic", logic, { experiment: "checkerboard" }, [
  [{}, /blends, and nearly plain wires/],
  [{ softError: 0.2 }, /has not been tested\. Error of the blends: 0\.20/],
  [{ wrong: 4096 }, /of its cells, 4,096 were wrong in the latest test\.$/],
  [{ proof: 75, wrong: 12 }, /gets at least 75% of the cells right; 12 were wrong in the latest test/],
  [{ proof: 80, wrong: 0 }, /no mistake in the last test/],
  [{ proof: 100, wrong: 0 }, /^Solved.*see it heal\.$/, { solved: true }],
]);

test("forecast follows the trend of the latest measurements", () => {
  const units = Array.from({ length: 20 }, (_, i) => i + 1);
  const rising = units.map((unit) => 10 * unit);
  assert.deepEqual(forecast(units, rising, 400), { fraction: 190 / 390, units: 20 });
  // Measurements that are missing are left out.
  const gaps = rising.map((value, i) => (i % 2 === 0 ? NaN : value));
  assert.equal(forecast(units, gaps, 400)?.units, 20);
  // Downwards, for a metric that is better when it is lower.
  const falling = units.map((unit) => 100 - unit);
  assert.equal(forecast(units, falling, 60)?.units, 20);
});

test("forecast is silent where there is no trend, or one that leads away", () => {
  const units = Array.from({ length: 20 }, (_, i) => i + 1);
  assert.equal(
    forecast(
      units,
      units.map(() => NaN),
      1,
    ),
    null,
  );
  assert.deepEqual(forecast([1, 2], [5, 6], 10), { fraction: 0.2, units: null });
  const noise = units.map((unit) => (unit % 2 === 0 ? 1 : -1));
  assert.equal(forecast(units, noise, 10)?.units, null);
  const away = units.map((unit) => -unit);
  assert.deepEqual(forecast(units, away, 10), { fraction: 0, units: null });
});
