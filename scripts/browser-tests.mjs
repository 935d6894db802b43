// Runs the files of the browser tests, two at a time: most of a file's time is spent waiting for what a tab learns.

import { basename } from "node:path";
import { seconds } from "./commands.mjs";
import { Counter, counted } from "./count.mjs";

/** Files at the same time. */
const LANES = 2;
/**
 * Files that run alone: the timeline's pictures are compared with what was drawn at a moment, which a busy machine draws later, and
 * fleets have processes that compute beside the tabs.
 */
const ALONE = ["fleet.test.mjs", "timeline.test.mjs"];

/** The files that take longest. They begin first, so that no lane waits for the other at the end. */
const LONGEST = ["offline.test.mjs", "engines.test.mjs", "guide.test.mjs", "first-visit.test.mjs"];

/** Runs one file. Its output is kept until it has ended, so that those of two files are not mixed. */
async function runFile(file) {
  const output = [];
  const result = { file, count: new Counter(), hasFailed: false, output };
  const begin = performance.now();
  try {
    result.count = await counted(process.execPath, ["--test", "--test-reporter=spec", file], { output });
  } catch (error) {
    result.count = error.count ?? result.count;
    result.hasFailed = true;
  }
  result.time = seconds(performance.now() - begin);
  return result;
}

function print({ file, time, output }) {
  console.log(`\n--- ${basename(file)}, ${time}\n${output.join("")}`);
}

/**
 * Runs test files and resolves to their count. A file that fails beside another runs once more alone, and only that result counts: two
 * tabs that learn at the same time can be too slow for what a test waits for.
 */
export async function runBrowserTests(files) {
  const isAlone = (file) => ALONE.includes(basename(file));
  const isLong = (file) => LONGEST.includes(basename(file));
  const total = new Counter();
  const alone = files.filter(isAlone);
  const beside = files.filter((file) => !isAlone(file));
  const waiting = [...beside.filter(isLong), ...beside.filter((file) => !isLong(file))];
  const lane = async () => {
    for (let file; (file = waiting.shift());) {
      const result = await runFile(file);
      if (result.hasFailed) {
        console.log(`\n--- ${basename(file)} has failed beside another file, and will run again alone.`);
        alone.push(file);
      } else {
        print(result);
        total.add(result.count);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  let hasFailed = false;
  for (const file of alone) {
    const result = await runFile(file);
    print(result);
    total.add(result.count);
    hasFailed ||= result.hasFailed;
  }
  if (hasFailed) throw Object.assign(new Error("browser tests failed (1)"), { count: total });
  return total;
}
