// Links of which the page makes what the files in links/ say: which run they ask for, written as a link and as a
// command, and which problems they have. `LINKS=overwrite npm test -- units` writes the expected texts.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { commandLine } from "../../www/core/command-line";
import { readLink, writeLink } from "../../www/core/link";
import { LABS } from "../../www/generated/labs";

const FOLDER = new URL("links/", import.meta.url);

/** A link in a file, and below it, up to an empty line, what the page makes of it. */
const CASE = /^\$ (.+)\n((?:.+\n)*)\n/gm;

/** What the page makes of a link, a line for each statement. */
async function answerTo(link: string): Promise<string> {
  const { request, problems } = await readLink(link, LABS);
  const lines: string[] = [];
  if (!request) lines.push("the front");
  else {
    const { lab, settings, seed, units, device, challenge, show, story, duel, changes, bits, explicit } = request;
    lines.push(`link: ${writeLink(lab, settings, seed, units, device ?? "cpu", { changes, bits })}`);
    lines.push(`command: ${commandLine(lab, settings, seed, units, device ?? "cpu", { changes, bits })}`);
    if (!explicit) lines.push("no particular run");
    if (challenge !== null) lines.push(`challenge: ${challenge}`);
    if (show !== null) lines.push(`show: ${JSON.stringify(show)}`);
    if (story) lines.push("its story is told");
    if (duel !== null) lines.push(`duel: ${duel}`);
  }
  lines.push(...problems.map((problem) => `problem: ${problem}`));
  return lines.map((line) => `${line}\n`).join("");
}

for (const name of readdirSync(FOLDER)) {
  const file = new URL(name, FOLDER);
  const text = readFileSync(file, "utf8");
  const cases = [...text.matchAll(CASE)].map(([, link = "", expected = ""]) => ({ link, expected }));
  if (process.env["LINKS"] === "overwrite") {
    const answers = await Promise.all(cases.map(({ link }) => answerTo(link)));
    writeFileSync(
      file,
      text.replace(CASE, (_, link: string) => `$ ${link}\n${answers.shift() ?? ""}\n`),
    );
  } else {
    test(`file ${name} has links`, () => assert.ok(cases.length > 0));
    for (const { link, expected } of cases)
      test(`link in ${name}: ${link}`, async () => assert.equal(await answerTo(link), expected));
  }
}
