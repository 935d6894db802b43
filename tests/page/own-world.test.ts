// The editor for worlds of the control lab, without its dialog: places in the text, words, keys, links, kept texts, the
// player's clock, and the worker's client.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { readLink, withoutHidden, writeLink } from "../../www/core/link";
import { packData } from "../../www/core/packed";
import { LABS } from "../../www/generated/labs";
import { LAB } from "../../www/generated/labs/control";
import type { Problem, WorldActions, WorldSummary } from "../../www/generated/protocol";
import {
  actionOf,
  buttonOf,
  canPoint,
  controlsOf,
  keysOf,
  keyWords,
  playWords,
  randomAction,
  waitsForPresses,
} from "../../www/labs/control/own-world/controls";
import { findingOfHidden, findingsOf } from "../../www/labs/control/own-world/findings";
import { worldParser } from "../../www/labs/control/own-world/highlight";
import { aboutOf, fileNameOf, KeptTexts, titleOf } from "../../www/labs/control/own-world/kept-texts";
import { MAX_PACKED, packText, unpackText, WORLD_PREFIX, worldLink } from "../../www/labs/control/own-world/link";
import type { FromWorldWorker, Moment, ToWorldWorker } from "../../www/labs/control/own-world/messages";
import { NOTCHES, roundFor, roundIn } from "../../www/labs/control/own-world/notches";
import { partOf } from "../../www/labs/control/own-world/places";
import { Player, Scores } from "../../www/labs/control/own-world/player";
import { Rules, type WorkerLike } from "../../www/labs/control/own-world/rules";
import { shapesOf, Trails } from "../../www/labs/control/own-world/shapes";
import * as vocabulary from "../../www/labs/control/own-world/vocabulary";
import { StringStream } from "@codemirror/language";
import { storage } from "./fake-storage";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const EXAMPLES = readdirSync(new URL("crates/world-rules/examples", root)).filter((name) => name.endsWith(".world"));
const LANDER = read("crates/world-rules/examples/lander.world");

test("problems are where the checker says, in units of the editor", () => {
  const text = "let a = 1\nlet 😀b = é + x\nlast";
  const at = (line: number, column: number, length: number) => {
    const { from, to } = partOf(text, { line, column, length });
    return text.slice(from, to);
  };
  assert.equal(at(1, 5, 1), "a");
  assert.equal(at(2, 5, 2), "😀b");
  assert.equal(at(2, 10, 1), "é");
  assert.equal(at(2, 14, 99), "x");
  assert.equal(at(3, 1, 4), "last");
  assert.deepEqual(partOf(text, { line: 9, column: 1, length: 1 }), { from: text.length, to: text.length });
});

test("the words of the editor are those of the language", () => {
  const docs = read("docs/worlds.md");
  const known = (source: string, pattern: RegExp) => [...read(source).matchAll(pattern)].map(([, word]) => word);
  const functions = known("crates/world-rules/src/check/functions.rs", /^ {4}\("(\w+)", Function::/gm);
  assert.deepEqual(Object.keys(vocabulary.FUNCTIONS).sort(), functions.sort());
  const roles = known("crates/world-rules/src/frame.rs", /^ {8}\("(\w+)", Self::/gm);
  assert.deepEqual(Object.keys(vocabulary.COLOURS), roles);
  const [list = ""] =
    /STATEMENTS[^[]*\[[^[]*\[([^\]]*)\]/.exec(read("crates/world-rules/src/syntax/parser.rs"))?.slice(1) ?? [];
  const statements = [...list.matchAll(/"(\w+)"/g)].map(([, word]) => word);
  assert.deepEqual(Object.keys(vocabulary.STATEMENTS).sort(), statements.sort());
  for (const word of Object.keys(vocabulary.ALL_WORDS)) assert.ok(docs.includes(word), word);
});

test("names of a text are known with the line that declares them", () => {
  const names = vocabulary.declaredIn(LANDER).map(({ name, kind }) => `${kind} ${name}`);
  for (const name of ["param gravity", "state height", "action engine", "choice off", "choice on", "let thrust"])
    assert.ok(names.includes(name), name);
  assert.equal(vocabulary.helpOf("gravity", LANDER), "param gravity = 1.6 from 0.5 to 4");
  assert.match(vocabulary.helpOf("clamp", LANDER) ?? "", /at least low/);
  assert.equal(vocabulary.helpOf("toString", LANDER), null);
});

/** The kinds of the words of a line. */
function kinds(line: string): string[] {
  const state = worldParser.startState?.(2);
  const stream = new StringStream(line, 2, 2);
  const found: string[] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    const kind = worldParser.token(stream, state as never);
    if (kind) found.push(`${stream.current()} ${kind}`);
  }
  return found;
}

test("words have their colours", () => {
  assert.deepEqual(kinds("param gravity = 9.8 from 1 to 20 # usual"), [
    "param keyword",
    "gravity variableName.definition",
    "= operator",
    "9.8 number",
    "from keyword",
    "1 number",
    "to keyword",
    "20 number",
    "# usual comment",
  ]);
  assert.ok(kinds("draw circle at (x, 0) radius 1 color accent").includes("circle typeName"));
  assert.ok(kinds("for i in 0..8: draw line from (i, 0) to (i, 1)").includes("draw keyword"));
  assert.ok(kinds("x' = x + dt * sin(a)").includes("sin variableName.function"));
});

test("reading never stands still, whatever the text", () => {
  for (const line of ['"', '"open', "((((", "]]]]", "'", "\u0000\u2028", "0..", ".", "😀", "x".repeat(5000)]) {
    const state = worldParser.startState?.(2);
    const stream = new StringStream(line, 2, 2);
    while (!stream.eol()) {
      stream.start = stream.pos;
      worldParser.token(stream, state as never);
      assert.ok(stream.pos > stream.start, JSON.stringify(line));
    }
  }
});

const choice = (...choices: string[]): WorldActions => ({ type: "choice", name: "go", choices });
const NOTHING_PRESSED = { keys: new Set<string>(), pointer: null };
const pressing = (...keys: string[]) => ({ keys: new Set(keys), pointer: null });

test("directions have arrow keys, the others digits, and what does nothing rests", () => {
  const push = controlsOf(choice("left", "none", "right"));
  assert.deepEqual([...keysOf(push)].sort(), ["1", "2", "3", "ArrowLeft", "ArrowRight"]);
  assert.deepEqual(actionOf(push, pressing("ArrowRight"), [0], false), [2]);
  assert.deepEqual(actionOf(push, NOTHING_PRESSED, [2], true), [1]);
  assert.deepEqual(actionOf(push, { keys: new Set(), pointer: { x: -0.5, y: 0.9 } }, [1], false), [0]);
  const wings = controlsOf(choice("glide", "flap"));
  assert.deepEqual(actionOf(wings, pressing(" "), [0], false), [1]);
  assert.deepEqual(actionOf(wings, { keys: new Set(), pointer: { x: 0, y: 0 } }, [0], false), [1]);
  const cart = controlsOf(choice("push_left", "push_right"));
  assert.deepEqual(actionOf(cart, NOTHING_PRESSED, [1], true), [1], "the last one stays");
  assert.equal(waitsForPresses(controlsOf(choice("left", "right", "down", "up")), 0.2), true);
  assert.equal(waitsForPresses(cart, 0.02), false);
  assert.equal(waitsForPresses(push, 0.2), false);
  // Names of properties that every object has are no directions.
  assert.doesNotThrow(() => controlsOf(choice("constructor", "toString")));
});

test("every choice has its button, also without keys and beside another of the same direction", () => {
  const many = controlsOf(choice(...Array.from({ length: 12 }, (_, i) => `c${String.fromCharCode(97 + i)}`)));
  for (let i = 0; i < 12; i++) assert.deepEqual(actionOf(many, pressing(buttonOf(i)), [0], false), [i]);
  assert.equal(canPoint(many), false);
  assert.ok(!keyWords(many).includes("cj"), "it has no key");
  assert.doesNotMatch(playWords(many, true) + playWords(many, false), /picture/);
  const jumps = controlsOf(choice("left", "left_jump", "right"));
  assert.deepEqual(actionOf(jumps, pressing(buttonOf(0)), [2], false), [0]);
  assert.deepEqual(actionOf(jumps, pressing(buttonOf(1)), [2], false), [1]);
  assert.deepEqual(actionOf(jumps, pressing("ArrowLeft"), [2], false), [0]);
  assert.equal(keyWords(jumps), "← or 1 for left, 2 for left_jump, → or 3 for right");
  assert.match(playWords(jumps, true), /^You play: .*right\. A press or a drag in the picture plays too\.$/);
  assert.match(
    playWords(jumps, false),
    /^Chance plays: .* Take over with the buttons, in the picture, or with the keys:/,
  );
});

test("numbers have the arrow keys, the pointer, and a neutral value", () => {
  const car = controlsOf({
    type: "continuous",
    ranges: [
      { name: "gas", low: 0, high: 1 },
      { name: "wheel", low: -0.6, high: 0.6 },
    ],
  });
  assert.deepEqual(actionOf(car, pressing("ArrowRight", "ArrowDown"), [], false), [1, -0.6]);
  assert.deepEqual(actionOf(car, { keys: new Set(), pointer: { x: 0, y: 9 } }, [], false), [0.5, 0.6]);
  assert.deepEqual(actionOf(car, NOTHING_PRESSED, [0.3, 0.2], false), [0.3, 0.2], "a slider stays");
  assert.deepEqual(actionOf(car, NOTHING_PRESSED, [0.3, 0.2], true), [0, 0], "a key does not");
  assert.deepEqual(
    randomAction(car, () => 0.5),
    [0.5, 0],
  );
  assert.deepEqual(
    randomAction(controlsOf(choice("a", "b")), () => 1),
    [1],
  );
});

test("the links of each example have at most 8,000 characters, and lead back to the same text", async () => {
  assert.ok(EXAMPLES.length >= 17, `${EXAMPLES.length} examples`);
  for (const name of EXAMPLES) {
    const text = read(`crates/world-rules/examples/${name}`);
    const packed = await packText(text);
    assert.ok(packed !== null && /^[\w-]+$/.test(packed), `${name} has no link`);
    const hash = worldLink(packed, null);
    assert.ok(hash.length <= 8000, `the link of ${name} has ${hash.length} characters`);
    const { request, problems } = await readLink(hash, LABS);
    assert.deepEqual([request?.lab.about.id, problems], ["control", []], name);
    const shown = request?.show ?? "";
    assert.ok(shown.startsWith(WORLD_PREFIX), name);
    assert.equal(await unpackText(shown.slice(WORLD_PREFIX.length)), text, name);
    // The link of a run that learns it.
    const data = { type: "world", name: titleOf(text), text };
    const part = await packData([{ unit: 0, settings: {}, seed: null, data }]);
    const run = writeLink(LAB, { world: "own" }, 0) + (part ?? "");
    assert.ok(part !== null && run.length <= 8000, `the link of a run in ${name} has ${run.length} characters`);
    const repeated = await readLink(run, LABS);
    assert.deepEqual([repeated.request?.changes.map((change) => change.data), repeated.problems], [[data], []], name);
  }
});

test("a world in a link comes back, and a damaged one is refused", async () => {
  assert.equal(await unpackText((await packText("é 😀")) ?? ""), "é 😀");
  for (const packed of ["", "!", "AAAA", "a".repeat(MAX_PACKED + 1), "world.AA"])
    assert.equal(await unpackText(packed), null, packed.slice(0, 20));
});

test("a text that is too long for a link has none, and a link cannot hold a long text", async () => {
  // A linear congruential generator (Numerical Recipes): text that cannot be compressed much.
  let state = 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  const noise = Array.from({ length: 30_000 }, () => String.fromCharCode(33 + ((next() >>> 16) % 90))).join("");
  assert.equal(await packText(noise), null);
  const packed = await packText("x".repeat(1_000_000));
  assert.ok(packed !== null && packed.length < MAX_PACKED);
  assert.equal(await unpackText(packed), null);
});

test("own texts are kept newest first, within limits", () => {
  const store = storage();
  const kept = new KeptTexts(store);
  for (let i = 0; i < 50; i++) assert.ok(kept.keep(`id ${i}`, `world "${i}"`));
  kept.keep("id 20", 'world "again"');
  assert.deepEqual([kept.all.length, kept.all[0]?.id, kept.all[1]?.id], [40, "id 20", "id 49"]);
  kept.forget("id 20");
  assert.equal(new KeptTexts(store).all[0]?.id, "id 49");
  for (const damaged of ["{", "{}", '[1,{"id":2}]', "null"]) {
    store.setItem("learnery:own-worlds", damaged);
    assert.deepEqual(new KeptTexts(store).all, []);
  }
  assert.equal(new KeptTexts(storage(0)).keep("id", "text"), false);
  assert.equal(titleOf(LANDER), "Lander");
  assert.match(aboutOf(LANDER), /^Slow down/);
  assert.equal(titleOf("param x = 1"), "No title");
  const files = ['world "Cart & pole (2)!"', 'world "?!"', ""].map(fileNameOf);
  assert.deepEqual(files, ["cart-pole-2.world", "my.world", "no-title.world"]);
});

test("two tabs keep each other's texts, and what cannot be stored stays while the page is open", () => {
  const store = storage();
  const tabs = [new KeptTexts(store), new KeptTexts(store)] as const;
  const ids = (tab: KeptTexts) => tab.all.map(({ id }) => id);
  tabs[0].keep("a", "1");
  tabs[1].keep("b", "2");
  tabs[0].keep("c", "3");
  assert.deepEqual(ids(tabs[0]), ["c", "b", "a"]);
  tabs[1].forget("a");
  assert.deepEqual(ids(tabs[1]), ["c", "b"]);
  store.isFull = true;
  assert.equal(tabs[0].keep("d", "4"), false);
  assert.equal(tabs[0].keep("e", "5"), false);
  assert.deepEqual(ids(tabs[0]), ["e", "d", "c", "b"]);
});

test("the sentence about a text names the first error", () => {
  const problem = (line: number, warning: boolean): Problem => ({
    line,
    warning,
    column: 1,
    length: 1,
    message: "it is so",
    help: null,
  });
  const both = [problem(2, true), problem(5, false), problem(7, false)];
  assert.equal(findingsOf(both, false, false), "2 errors. Line 5: it is so.");
  assert.match(findingsOf(both, false, true), /^2 errors; the picture shows the last text that was a world\. Line 5/);
  assert.equal(findingsOf(both.slice(0, 1), true, true), "This is a world, with 1 warning. Line 2: it is so.");
  assert.equal(findingsOf([], true, true), "This is a world.");
});

test("reasons that quote rules are not told where the link hides the rules", () => {
  const reason = "line 3, column 5: there is nothing called `bonus`";
  assert.equal(withoutHidden(reason, null), reason);
  assert.equal(withoutHidden(reason, "editor"), reason, "the rules can be read");
  assert.match(withoutHidden(reason, "rules"), /^this world cannot be used[^`\d]*for a new one$/);
  assert.equal(withoutHidden("the run is busy", "rules"), "the run is busy");
  assert.doesNotMatch(findingOfHidden(false), /\d/);
  assert.equal(findingOfHidden(true), findingsOf([], true, true));
});

test("parameters are rounded by their range", () => {
  assert.equal(roundFor(1000, 1001, 1000.12345), 1000.123);
  assert.equal(roundFor(0, 1e-6, 1.23456e-7), 1.23e-7);
  assert.equal(roundFor(0, 1e6, 5000.4), 5000);
  assert.equal(roundFor(2, 2, 2), 2);
  const values = Array.from({ length: NOTCHES + 1 }, (_, notch) => roundIn(1000, 1001, notch));
  assert.equal(new Set(values).size, NOTCHES + 1, "each position has its value");
  assert.equal(roundFor(0, 1e-30, 0), 0);
});

const SUMMARY: WorldSummary = {
  title: "A",
  about: "",
  parameters: [],
  state: ["x"],
  actions: choice("left", "none", "right"),
  observations: ["x"],
  limit: null,
  solved: null,
  secondsPerStep: 0.1,
  shapes: 0,
};
const picture = { numbers: new Float32Array(), texts: [] };
const moment = (state: "running" | "failed"): Moment => ({
  episode: { steps: 3, reward: 0, score: 1, state, fault: null, parameters: [] },
  picture,
});

test("steps follow the clock and the pace, and the next episode comes after a while", () => {
  const player = new Player(() => 0.99);
  assert.equal(player.due(1, moment("running")), null, "there is no world");
  player.setWorld(SUMMARY);
  assert.equal(player.due(0.05, moment("running")), null);
  assert.deepEqual(player.due(0.06, moment("running")), { type: "advance", steps: 1, action: [2] });
  player.pace = 2;
  assert.deepEqual(player.due(0.2, moment("running")), { type: "advance", steps: 4, action: [2] });
  assert.equal(player.due(1, moment("failed")), null);
  assert.deepEqual(player.due(1, moment("failed")), { type: "next" });
  player.paused = true;
  assert.equal(player.due(9, moment("running")), null);
});

test("a visitor plays by keys, and a tap between two frames counts", () => {
  const player = new Player();
  player.setWorld(SUMMARY);
  player.playing = true;
  player.setKey("ArrowLeft", true);
  player.setKey("ArrowLeft", false);
  assert.deepEqual(player.due(0.1, moment("running")), { type: "advance", steps: 1, action: [0] });
  assert.deepEqual(player.due(0.1, moment("running")), { type: "advance", steps: 1, action: [1] });
});

test("where the world waits, a press is a step", () => {
  const player = new Player();
  player.setWorld({ ...SUMMARY, actions: choice("left", "right"), secondsPerStep: 0.2 });
  player.playing = true;
  assert.equal(player.due(5, moment("running")), null);
  player.setKey("ArrowRight", true);
  assert.deepEqual(player.due(0.01, moment("running")), { type: "advance", steps: 1, action: [1] });
  assert.equal(player.due(0.01, moment("running")), null);
  assert.deepEqual(player.due(0.2, moment("running")), { type: "advance", steps: 1, action: [1] });
});

test("where the world waits, a moved slider is a press", () => {
  const ranges = ["gas", "wheel"].map((name) => ({ name, low: -1, high: 1 }));
  const player = new Player();
  player.setWorld({ ...SUMMARY, actions: { type: "continuous", ranges } });
  player.playing = player.waits = true;
  player.setAxis(1, 0.5);
  assert.deepEqual(player.due(0.3, moment("running")), { type: "advance", steps: 1, action: [0, 0.5] });
  assert.equal(player.due(0.3, moment("running")), null);
  player.setKey("ArrowRight", true);
  assert.deepEqual(player.due(0.3, moment("running")), { type: "advance", steps: 1, action: [1, 0.5] });
  player.setKey("ArrowRight", false);
  player.setAxis(1, -0.5);
  assert.deepEqual(player.due(0.3, moment("running")), { type: "advance", steps: 1, action: [0, -0.5] });
});

test("scores know the best", () => {
  const scores = new Scores();
  for (const score of [-3, -1, -2]) scores.ended(score);
  assert.deepEqual([scores.last, scores.best], [-2, -1]);
});

test("pictures are read, and trails end after their length", () => {
  // A camera, a circle at `x` and a trail of two steps. Each has its kind, its colour, the width of its lines (NaN for
  // none) and how many numbers follow (own-world/shapes.ts).
  const flat = (x: number) => ({
    numbers: new Float32Array([0, 0, 4, 1, 3, NaN, 3, x, 0, 0.5, 6, 1, 0.1, 4, x, 0, 2, 0]),
    texts: [],
  });
  const [circle, trail] = shapesOf(flat(1));
  assert.deepEqual([circle?.kind, circle?.role, circle?.width], ["circle", 3, null]);
  assert.equal(trail?.kind, "trail");
  const trails = new Trails();
  for (let step = 0; step < 5; step++) trails.note(step, shapesOf(flat(step)));
  assert.deepEqual(
    trails.of(0).map(({ x }) => x),
    [3, 4],
  );
  trails.note(0, shapesOf(flat(9)));
  assert.deepEqual(
    trails.of(0).map(({ x }) => x),
    [9],
  );
  assert.deepEqual(shapesOf({ numbers: new Float32Array(), texts: [] }), []);
});

/** A worker that answers when it is told to. */
class FakeWorker {
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  asked: ToWorldWorker[] = [];
  isEnded = false;
  postMessage(message: ToWorldWorker): void {
    this.asked.push(message);
  }
  terminate(): void {
    this.isEnded = true;
  }
  say(data: FromWorldWorker): void {
    this.onmessage?.call(this as never, { data } as MessageEvent);
  }
}

test("a worker that fails or takes too long is replaced", async () => {
  const workers: FakeWorker[] = [];
  const start = () => {
    workers.push(new FakeWorker());
    return workers.at(-1) as unknown as WorkerLike;
  };
  const rules = new Rules(start, 10);
  const first = rules.ask({ type: "next" });
  workers[0]?.say({ type: "ready" });
  workers[0]?.say({ type: "answer", id: workers[0].asked[0]?.id ?? -1, moment: { episode: null, picture } });
  assert.equal((await first).moment.episode, null);
  await assert.rejects(rules.ask({ type: "next" }), /too long/);
  assert.ok(workers[0]?.isEnded);
  const failing = rules.ask({ type: "next" });
  workers[1]?.say({ type: "failed", message: "a trap" });
  await assert.rejects(failing, /a trap/);
  rules.destroy();
  await assert.rejects(rules.ask({ type: "next" }), /closed/);
  assert.equal(workers.length, 2);
});
