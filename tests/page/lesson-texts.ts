// Texts of lessons for tests: those of the labs, the example of the editor, and small ones.

import { readFileSync } from "node:fs";
import { LABS } from "../../www/generated/labs";
import type { LabInfo } from "../../www/generated/protocol";
import { labNamed, parseLesson, type Parsed } from "../../www/lessons/parse";

export const LAB_IDS = LABS.map(({ id }) => id);
export const INFOS = new Map<string, LabInfo>();
for (const { id, load } of LABS) INFOS.set(id, await load());

export const file = (path: string) => readFileSync(new URL(`../../www/${path}`, import.meta.url), "utf8");
export const EXAMPLE = file("lessons/example.txt");

export function parse(text: string): Parsed {
  const name = labNamed(text);
  const lab = INFOS.get(name ?? "") ?? null;
  return parseLesson(text, { labs: LAB_IDS, lab, takesText: name === "language" });
}

/** A small lesson without problems, with these lines at its end. */
export const lesson = (...lines: string[]) => ["lesson: L", "lab: control", "", "# One", "", ...lines].join("\n");
export const SEEDS = ["@seeds slow", "  units: 10"];
