// The dialog with which a pupil hands in the result of a run without a server.

import type { Challenge } from "../core/challenge";
import { formatCount, formatNumber, withUnit } from "../core/format";
import type { Run } from "../core/run";
import { writeCode, type Answer } from "./code";
import { openCodeDialog, type MadeCode } from "./code-dialog";
import { resultOf } from "./result";

/**
 * Opens the dialog, unless it is open. A pupil in a class has a name already; then the code is made at once. `linked`
 * are challenges beside the lab's own.
 */
export function openResultDialog(run: Run, linked: readonly Challenge[], name = "", answers: Answer[] = []): void {
  openCodeDialog({
    title: "Result code",
    lead: `The code holds the name${answers.length > 0 ? ", your answers to the class" : ""} and the run: its settings, its seed, its curve, the challenges that it has done, and its fingerprint. Nothing is sent. You show or give the code to your teacher yourself.`,
    name,
    choice: null,
    make: (pupil) => makeCode(run, pupil, answers, linked),
  });
}

/** The result code of the open run with a sentence that sums it up, or the problem as a sentence. */
async function makeCode(run: Run, name: string, answers: Answer[], linked: readonly Challenge[]): Promise<MadeCode> {
  const taken = await resultOf(run, name, answers, linked);
  if ("problem" in taken) return taken;
  // Read before the next wait, in which another run may be opened.
  const { metric, curve, done = [] } = taken.result;
  const spec = run.series.spec(metric);
  const last = curve.values.at(-1);
  const value = last === undefined ? "not measured yet" : withUnit(formatNumber(last, 4, spec?.unit), spec?.unit ?? "");
  const unit = `${run.lab?.about.unit ?? "unit"} ${taken.units}`;
  const sentence = `${name}, seed ${run.origin().seed}, ${unit}: ${spec?.label ?? metric} ${value}.${done.length > 0 ? ` ${formatCount(done.length, "challenge")} done.` : ""}`;
  const code = await writeCode(taken.result);
  if (code !== null) return { code, sentence };
  return {
    problem:
      "This run has too many changes, or too much data of your own, for a code. The file of “Save recipe” in “Share and save” holds them.",
  };
}
