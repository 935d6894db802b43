// The words that the page explains: docs/glossary.md is read, complete, and found in the page's texts; the help of
// every setting tells what its values do.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parseGlossary, wordsOf } from "../../scripts/glossary.mjs";
import { overlap, placeBeside, placeSparing, type Place, type Spared } from "../../www/core/beside";
import { splitHelp } from "../../www/core/effects";
import { TermFinder } from "../../www/core/terms";
import { LABS } from "../../www/generated/labs";
import type { Field } from "../../www/generated/protocol";

const TERMS = parseGlossary(readFileSync(new URL("../../docs/glossary.md", import.meta.url), "utf8"));
const WORDS = wordsOf(TERMS);
const labs = await Promise.all(LABS.map(({ load }) => load()));
const countWords = (text: string) => text.split(/\s+/).length;

test("glossary's entries are short, and name labs, settings and metrics that exist", () => {
  const ids = labs.map(({ about }) => about.id);
  assert.equal(new Set(TERMS.map(({ name }) => name)).size, TERMS.length, "a name occurs twice");
  for (const { name, text, in: meant, settings, metrics } of TERMS) {
    assert.ok(countWords(text) <= 35, `${name} is explained at length`);
    assert.match(text, /^[A-Z].*[.!]$/, name);
    for (const lab of meant) assert.ok(ids.includes(lab), `${name}: there is no lab ${lab}`);
    const inLabs = labs.filter(({ about }) => meant.length === 0 || meant.includes(about.id));
    const known = inLabs.flatMap(({ fields, about }) => [...fields, ...about.metrics].map((each) => each.name));
    for (const each of [...settings, ...metrics]) assert.ok(known.includes(each), `${name}: there is no ${each}`);
  }
});

test("glossary's entries that are not as they should be are refused", () => {
  const glossary = (entry: string) => `# Glossary\n\n## Explained on the page\n\nText.\n\n${entry}\n\n## Runs\n`;
  assert.deepEqual(parseGlossary(glossary("### pip\nA point.\nOne.\n- also: pips, dots\n- up: more.")), [
    { name: "pip", text: "A point. One.", also: ["pips", "dots"], in: [], settings: [], metrics: [], up: "more." },
  ]);
  assert.throws(() => parseGlossary(glossary("### pip\n- also: pips")), /"pip" has no sentence/);
  assert.throws(() => parseGlossary(glossary("### pip\nA point.\n- colour: red")), /unknown fact: colour/);
  assert.throws(() => parseGlossary("# Glossary\n"), /has no part/);
});

test("every term that the page names is in the glossary", () => {
  const folder = new URL("../../www/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const names = new Set(TERMS.map(({ name }) => name));
  let found = 0;
  for (const file of files) {
    const source = readFileSync(new URL(file, folder), "utf8");
    for (const [, name = ""] of source.matchAll(/\bterm(?:\("[^"]*",|:) "([^"]+)"/g)) {
      assert.ok(names.has(name), `${file} explains "${name}", which is not in the glossary`);
      found += 1;
    }
    for (const [, text = "", lab = ""] of source.matchAll(/withTerms\("([^"]+)", "(\w+)"\)/g)) {
      const pieces = new TermFinder(WORDS, lab).split(text);
      assert.ok(
        pieces.some(({ term }) => term),
        `nothing in "${text}" (${file}) is in the glossary`,
      );
      found += 1;
    }
  }
  assert.ok(found >= 8, `only ${found} uses were found`);
});

test("words that every lab uses are explained, and some of its own texts", () => {
  for (const { about } of labs) {
    const finder = new TermFinder(WORDS, about.id);
    for (const word of ["learning rate", "seed", "loss", "update", about.unit]) {
      assert.ok(finder.name(word), `${about.id}: ${word} is not explained`);
    }
    const texts = [about.agent, about.goal, about.picture].flatMap((text) => finder.split(text));
    assert.ok(texts.filter(({ term }) => term).length >= 4, `${about.id}: hardly a word of its texts is explained`);
  }
});

test("terms are found as whole words, the longest first, once, and as their lab means them", () => {
  const pieces = (text: string, lab: string) =>
    new TermFinder(WORDS, lab).split(text).map(({ text, term }) => (term ? `[${text}=${term}]` : text));
  assert.deepEqual(pieces("The learning rate: a rate. Learning rate.", "cube"), [
    "The ",
    "[learning rate=learning rate]",
    ": a rate. Learning rate.",
  ]);
  assert.deepEqual(pieces("the worlds (environments) that", "control"), [
    "the ",
    "[worlds (environments)=world]",
    " that",
  ]);
  assert.deepEqual(pieces("underworlds, top-kk", "control"), ["underworlds, top-kk"]);
  assert.deepEqual(pieces("entropy", "language"), ["[entropy=entropy]"]);
  assert.deepEqual(pieces("entropy", "control"), ["entropy"]);
  assert.deepEqual(new TermFinder(WORDS, "cube").split("loss", new Set(["loss"])), [{ text: "loss" }]);
});

test("every number and switch tells what its values do", () => {
  const directions = ({ kind }: Field) =>
    kind === "switch" ? ["On", "Off"] : kind === "integer" || kind === "number" ? ["Up", "Down"] : [];
  for (const { about, fields } of labs) {
    for (const field of fields) {
      const { sentence, effects } = splitHelp(field.help);
      const name = `${about.id}.${field.name}`;
      assert.match(sentence, /[.)]$/, name);
      assert.deepEqual(
        effects.map(([direction]) => direction),
        directions(field),
        name,
      );
      for (const [, effect] of effects) assert.match(effect, /^\S.*\.$/, name);
    }
    for (const { name, help } of about.metrics) assert.ok(help.length > 0, `${about.id}.${name}`);
  }
});

test("help without effects is a sentence", () => {
  assert.deepEqual(splitHelp("Just this."), { sentence: "Just this.", effects: [] });
  assert.deepEqual(splitHelp("A rate. Up: fast. Down: slow: safe."), {
    sentence: "A rate.",
    effects: [
      ["Up", "fast."],
      ["Down", "slow: safe."],
    ],
  });
});

test("a card lies beside its target, inside the area, with its arrow at the target", () => {
  const area = { left: 0, top: 0, width: 1000, height: 800 };
  const card = { width: 300, height: 200 };
  const target = { left: 100, top: 300, width: 200, height: 100 };
  assert.deepEqual(placeBeside(target, card, area, ["right", "below"]), {
    left: 312,
    top: 250,
    side: "right",
    arrow: 100,
  });
  assert.deepEqual(placeBeside(target, card, area, ["left", "below"]), {
    left: 50,
    top: 412,
    side: "below",
    arrow: 150,
  });
  // In a corner the card keeps away from the edge, and the arrow from the card's corners.
  const corner = { left: 0, top: 0, width: 20, height: 20 };
  assert.deepEqual(placeBeside(corner, card, area, ["below"]), { left: 8, top: 32, side: "below", arrow: 16 });
  // Where there is no room, the card covers the target but not the edge.
  const all = placeBeside(area, card, area, ["right", "left", "below", "above"]);
  assert.ok(all.left >= 8 && all.left + 300 <= 992 && all.top >= 8 && all.top + 200 <= 792);
});

test("a card that must cover something covers what weighs least", () => {
  const area = { left: 0, top: 0, width: 1000, height: 800 };
  const card = { width: 300, height: 200 };
  const target = { left: 600, top: 300, width: 80, height: 300 };
  const place = (...spared: Spared[]) => placeSparing(target, card, area, ["right", "left"], spared);
  const at = ({ side, left, top }: Place) => [side, left, top];
  assert.deepEqual(at(place()), ["right", 692, 350], "nothing is in the way");
  const upper = { box: { left: 700, top: 300, width: 300, height: 100 }, weight: 4 };
  assert.deepEqual(at(place(upper)), ["right", 692, 400], "further down, below what is spared");
  const picture = { box: { left: 0, top: 0, width: 590, height: 800 }, weight: 1 };
  const right = { box: { left: 700, top: 0, width: 300, height: 800 }, weight: 4 };
  assert.deepEqual(at(place(right, picture)), ["left", 288, 350], "the picture weighs less");
  assert.deepEqual(at(place({ ...right, weight: 0.5 }, picture)), ["right", 692, 350]);
});

test("boxes overlap by what they have in common, and not where their edges touch", () => {
  const box = (left: number, top: number) => ({ left, top, width: 10, height: 10 });
  assert.equal(overlap(box(0, 0), box(9, 8)), 2);
  assert.equal(overlap(box(0, 0), box(10, 0)), 0);
  assert.equal(overlap(box(0, 10), box(5, 0)), 0);
});
