// The style sheets. A browser keeps every sheet that it has loaded, so the styles of a lab apply to all pages after the
// lab was opened. A class that a lab styles must therefore be its own.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const www = fileURLToPath(new URL("../../www/", import.meta.url));

/** The style sheets in a folder, by path. */
function sheets(folder: string): string[] {
  const names = readdirSync(join(www, folder), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".css")).map((name) => join(folder, name));
}

/** The selectors of a style sheet, without comments, imports and the frames of animations. */
function selectors(sheet: string): string[] {
  const text = readFileSync(join(www, sheet), "utf8")
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/@import[^;]*;/g, "")
    .replace(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, "")
    .replace(/@(?:media|container|supports)[^{]*\{/g, "");
  const lists = [...text.matchAll(/([^{}]+)\{[^{}]*\}/g)].map(([, list]) => list ?? "");
  return lists.flatMap((list) => list.split(/,(?![^(]*\))/)).map((selector) => selector.trim());
}

const classes = (selector: string) => selector.match(/\.[a-z][\w-]*/gi) ?? [];

const labs = readdirSync(join(www, "labs"), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

for (const lab of labs) {
  test(`styles of the lab ${lab} apply to nothing else`, () => {
    const others = ["style", ...labs.filter((other) => other !== lab).map((other) => `labs/${other}`)];
    const taken = new Set(others.flatMap(sheets).flatMap(selectors).flatMap(classes));
    const own = sheets(`labs/${lab}`).flatMap(selectors);
    assert.ok(own.length > 0, "its style sheets have been read");
    // Each selector needs a class that occurs in no other sheet.
    const leaking = own.filter((selector) => classes(selector).every((name) => taken.has(name)));
    assert.deepEqual(leaking, []);
  });
}

test("no style sheet has the selector :has()", () => {
  // With it, the browser matches rules anew for a whole screen after each change in it: in a lab that learns, a third
  // of the main thread's time. See `markPage` in core/dom.ts.
  const used = readdirSync(www, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".css"))
    .filter((name) => selectors(name).some((selector) => selector.includes(":has(")));
  assert.deepEqual(used, []);
});
