// Colours that are drawn on a canvas (www/core/theme.ts): each is read once in a theme, and anew in the other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { storage } from "./fake-storage";

const root = { dataset: {} as Record<string, string> };
const light: Record<string, string> = { "--ink": "#111" };
const dark: Record<string, string> = { "--ink": " #eee" };
let reads = 0;
Object.assign(globalThis, {
  matchMedia: () => ({ matches: false, addEventListener: () => {} }),
  localStorage: storage(),
  document: { documentElement: root },
  getComputedStyle: () => ({
    getPropertyValue(name: string) {
      reads++;
      return (root.dataset["theme"] === "dark" ? dark : light)[name] ?? "";
    },
  }),
});

test("colour is read once in a theme, and again until its style sheet is there", async () => {
  const { colour, initTheme, toggleTheme } = await import("../../www/core/theme");
  initTheme();
  assert.equal(colour("--ink"), "#111");
  assert.equal(colour("--ink"), "#111");
  assert.equal(reads, 1);
  toggleTheme();
  assert.equal(colour("--ink"), "#eee");
  assert.equal(colour("--late"), "");
  dark["--late"] = "#00f";
  assert.equal(colour("--late"), "#00f");
  toggleTheme();
  assert.equal(colour("--ink"), "#111");
});
