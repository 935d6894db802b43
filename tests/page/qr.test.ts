// QR codes of a class, read as a camera reads them: the picture that the page draws is painted into pixels, and a
// decoder that knows nothing of the page (jsQR) finds the text in them.

import "./fake-dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import jsQR from "jsqr";
import { readCode, writeCode, type Result } from "../../www/class/code";
import { codeElements } from "../../www/class/code-dialog";
import { writeLessonCode } from "../../www/class/lesson-code";
import { MAX_QR_CHARACTERS, qrCode } from "../../www/class/qr";
import { MAX_ANSWER, MAX_ANSWERS } from "../../www/class/text";
import { writeLink } from "../../www/core/link";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";

const PAGE = "https://example.org/learnery/";
Object.assign(globalThis, { location: new URL(PAGE) });

/** The pixels of a module on a side. */
const SCALE = 3;
const [WHITE, BLACK] = [255, 0];

/** Paints a picture as a browser does: a white square, and a path of black rectangles. */
function painted(picture: Element): { pixels: Uint8ClampedArray; size: number } {
  const attribute = (element: Element | undefined, name: string) => element?.getAttribute(name) ?? "";
  const [ground, path] = [...picture.children];
  const modules = Number(attribute(ground, "width"));
  assert.equal(attribute(picture, "viewBox"), `0 0 ${modules} ${modules}`);
  assert.deepEqual([attribute(ground, "height"), attribute(ground, "fill")], [`${modules}`, "#fff"]);
  assert.equal(attribute(path, "fill"), "#000");
  const size = modules * SCALE;
  const pixels = new Uint8ClampedArray(4 * size * size).fill(WHITE);
  const commands = attribute(path, "d");
  const rectangles = [...commands.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)];
  assert.equal(rectangles.map(([text]) => text).join(""), commands, "the path has nothing but rectangles");
  for (const [, x, y, width, back] of rectangles.map((each) => each.map(Number))) {
    assert.ok(x !== undefined && y !== undefined && width !== undefined);
    assert.equal(width, back, "the rectangle is closed");
    assert.ok(x + width <= modules && y < modules, "it lies in the picture");
    for (let row = y * SCALE; row < (y + 1) * SCALE; row++)
      for (let column = x * SCALE; column < (x + width) * SCALE; column++)
        pixels.fill(BLACK, 4 * (row * size + column), 4 * (row * size + column) + 3);
  }
  return { pixels, size };
}

/** What a camera reads from a picture; null if it finds no QR code there. */
function decoded(picture: Element): string | null {
  const { pixels, size } = painted(picture);
  return jsQR(pixels, size, size, { inversionAttempts: "dontInvert" })?.data ?? null;
}

/** What a camera reads from the dialog that shows a code, and how many modules its picture has on a side. */
async function scanned(code: string): Promise<{ text: string | null; modules: number } | null> {
  const [picture] = await codeElements("Result code", code);
  if (picture?.getAttribute("class") !== "class-qr") return null;
  return { text: decoded(picture), modules: Number(picture.children[0]?.getAttribute("width")) };
}

const linkOf = (code: string) => `${PAGE}#/class?result=${code}`;

/** Letters that hardly compress, the same in every run of the test. */
function letters(count: number): string {
  let state = 7;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 16;
  return Array.from({ length: count }, () => String.fromCharCode(97 + (next() % 26))).join("");
}

const curveOf = (rows: number) => ({
  units: Array.from({ length: rows }, (_, i) => 5 * (i + 1)),
  values: Array.from({ length: rows }, (_, i) => 500 * (1 - Math.exp(-i / 20)) + 13 * Math.sin(i * i)),
});
const BITS = "fused:0123456789abcdef";
const SHORTEST: Result = {
  name: "A",
  link: writeLink(LAB, {}, 0, 1, "cpu", { bits: BITS }).slice(2),
  metric: LAB.about.charts[0] as string,
  target: null,
  curve: { units: [], values: [] },
  answers: [],
};
const USUAL: Result = {
  ...SHORTEST,
  name: "Zoë 李",
  link: writeLink(LAB, { worlds: 64 }, 7, 500, "cpu", { bits: BITS }).slice(2),
  target: 475,
  curve: curveOf(100),
  answers: [{ question: "What do you expect?", text: "It falls over, then learns – slowly." }],
};

const WORDS = letters(MAX_ANSWERS * MAX_ANSWER);

/** Answers of so many characters in all. */
const answersWith = (characters: number) =>
  Array.from({ length: Math.ceil(characters / MAX_ANSWER) }, (_, i) => ({
    question: "Why?",
    text: WORDS.slice(i * MAX_ANSWER, Math.min(characters, (i + 1) * MAX_ANSWER)),
  }));

/** The longest code whose address has at most as many characters as a QR code takes, and the next one. */
async function longest(codeWith: (characters: number) => Promise<string | null>): Promise<[string, string]> {
  const code = async (characters: number) => (await codeWith(characters)) ?? assert.fail("no code");
  let [fits, tooMany] = [1, WORDS.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (linkOf(await code(middle)).length <= MAX_QR_CHARACTERS) fits = middle;
    else tooMany = middle;
  }
  return [await code(fits), await code(tooMany)];
}

const written = async (result: Result) => (await writeCode(result)) ?? assert.fail("no code");

test("QR codes of the shortest, a usual and the longest result code hold the link with the code", async (context) => {
  const [most, tooLong] = await longest((characters) => writeCode({ ...USUAL, answers: answersWith(characters) }));
  assert.ok(linkOf(most).length > MAX_QR_CHARACTERS - 10, `${linkOf(most).length} characters`);
  let before = 0;
  for (const code of [await written(SHORTEST), await written(USUAL), most]) {
    const found = await scanned(code);
    assert.equal(found?.text, linkOf(code));
    assert.ok(found.modules > before, "a longer code has more modules");
    before = found.modules;
    context.diagnostic(`${linkOf(code).length} characters: ${found.modules} modules on a side`);
  }
  // The code that a camera has read is the one that was handed in.
  const read = await readCode((await scanned(await written(USUAL)))?.text?.split("result=")[1] ?? "", LABS);
  assert.ok(!("problem" in read));
  assert.deepEqual([read.name, read.answers, read.target], [USUAL.name, USUAL.answers, USUAL.target]);
  assert.equal(await scanned(tooLong), null);
});

test("QR codes of the longest lesson code and of the pupils' link hold their texts", async () => {
  const measured = { checks: [], blocks: [] };
  const head = { name: "Ada", lesson: "control-0a1b2c", title: "A lesson", time: 1_795_900_000, measured };
  const [most] = await longest((characters) => writeLessonCode({ ...head, answers: answersWith(characters) }));
  assert.equal((await scanned(most))?.text, linkOf(most));
  for (const address of [`${PAGE}#/class?run=control`, PAGE + letters(MAX_QR_CHARACTERS - PAGE.length)]) {
    const picture = await qrCode(address, "QR code for the pupils");
    assert.equal(picture && decoded(picture), address);
  }
  assert.equal(await qrCode("x".repeat(MAX_QR_CHARACTERS + 1), "too long"), null);
});

test("decoder finds another text, or none, in a picture of other modules", async () => {
  const code = await written(USUAL);
  const [picture] = await codeElements("Result code", code);
  const path = picture?.children[1];
  assert.ok(picture && path);
  // The last quarter of the rectangles is more than the code can repair.
  const rectangles = (path.getAttribute("d") ?? "").split("M").slice(1);
  const kept = rectangles.slice(0, Math.floor(0.75 * rectangles.length));
  path.setAttribute("d", kept.map((each) => `M${each}`).join(""));
  assert.notEqual(decoded(picture), linkOf(code));
});
