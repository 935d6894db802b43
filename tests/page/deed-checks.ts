// Checks deeds (what a button of the tour or of a suggestion does in the visitor's place; www/ui/deeds.ts) without a
// browser: that the controls they work are in the page's sources, and that the
// settings they change are live.

import assert from "node:assert/strict";
import { parseValue, settingText } from "../../www/core/values";
import type { LabInfo } from "../../www/generated/protocol";
import type { Deed } from "../../www/ui/deeds";
import { sourcesOf } from "./run-states";

const sources = new Map<string, string>();

function sourceOf({ about }: LabInfo): string {
  const known = sources.get(about.id) ?? sourcesOf(about.id);
  sources.set(about.id, known);
  return known;
}

/** Selectors that have been checked, with their labs: the same few stand in thousands of suggestions. */
const checked = new Set<string>();

/** Checks that every class, id and value that a selector names is in the sources. */
export function checkSelector(lab: LabInfo, selector: string): void {
  const key = `${lab.about.id} ${selector}`;
  if (checked.has(key)) return;
  const names = [...selector.matchAll(/[.#]([a-z][\w-]*)|="([^"]+)"/g)].map(([, name, value]) => name ?? value ?? "");
  assert.ok(names.length > 0, selector);
  for (const name of names)
    assert.match(sourceOf(lab), new RegExp(`["\`' ]${name}["\`' ]`), `${lab.about.id}: nothing is called ${name}`);
  checked.add(key);
}

export function checkDeed(lab: LabInfo, deed: Deed): void {
  if ("set" in deed) {
    for (const [name, value] of Object.entries(deed.set)) {
      const field = lab.fields.find((each) => each.name === name);
      assert.ok(field?.live, `${lab.about.id}: ${name} is not live`);
      assert.ok("value" in parseValue(field, settingText(value)), `${lab.about.id}: ${name} ${settingText(value)}`);
    }
  } else if ("branchAt" in deed) {
    for (const selector of [".timeline-slider", ".timeline-actions"]) checkSelector(lab, selector);
  } else if ("tool" in deed) {
    assert.match(sourceOf(lab), new RegExp(`id: "${deed.tool}"`));
  } else if ("unfold" in deed) checkSelector(lab, deed.unfold);
  else if ("press" in deed) {
    const name = deed.press.replace(/^\d+(?=×$)/, "${multiple}"); // the sizes of a grid are buttons of a list
    assert.ok(
      ['"', "`"].some((quote) => sourceOf(lab).includes(quote + name + quote)),
      `${lab.about.id}: there is no button “${deed.press}”`,
    );
    if (deed.within) checkSelector(lab, deed.within);
  } else {
    checkSelector(
      lab,
      "click" in deed ? deed.click : "focus" in deed ? deed.focus : "key" in deed ? deed.on : deed.slide,
    );
  }
}
