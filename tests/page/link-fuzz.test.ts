// A mutational fuzzer of the link parser. It starts from the links of all saved runs and from hostile links written by
// hand, changes them at random, and checks the properties in `check` for each.
//
// `npm test` runs a fixed number of mutations with a fixed seed. `LEARNERY_FUZZ_SECONDS=3600` runs for an hour with a
// new seed; fuzz/README.md has the command.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { commandLine } from "../../www/core/command-line";
import {
  changedSettings,
  isFront,
  readLink,
  sameRun,
  settingText,
  writeLink,
  type RunRequest,
} from "../../www/core/link";
import { isCommand, packData } from "../../www/core/packed";
import { changesInLink } from "../../www/core/recipe";
import { LABS as PAGES_LABS } from "../../www/generated/labs";
import type { Field, JsonValue, LabInfo } from "../../www/generated/protocol";

/** Mutated links in a run without a time. */
const MUTATIONS = 5000;
/** Duration of a run; 0 for the fixed number of mutations. */
const SECONDS = Number(process.env["LEARNERY_FUZZ_SECONDS"] ?? 0);
const SEED = SECONDS > 0 ? Date.now() >>> 0 : 1;
/** Links longer than this are cut, so that repeated mutations stay fast. */
const MAX_LENGTH = 4000;
/**
 * The parser describes each problem with a link in a sentence. Room for a quotation and the longest list of options.
 */
const MAX_PROBLEM_LENGTH = 300;
/** The parser lists at most eight problems; a little room is left, so that its limit may change. */
const MAX_PROBLEMS = 10;
/** The largest 32-bit integer. */
const MAX_SEED = 0xffff_ffff;

/**
 * The labs, each imported once: Node takes longer for an import, also of what is loaded, than the parser for a link.
 */
const LABS = PAGES_LABS.map((lab) => {
  let loaded: ReturnType<typeof lab.load> | undefined;
  return { ...lab, load: () => (loaded ??= lab.load()) };
});

/** A value as data stand in a link. */
function deflated(value: unknown): string {
  return deflateRawSync(JSON.stringify(value)).toString("base64url");
}

/** Links that have confused parsers. */
const HOSTILE = [
  "",
  "#",
  "#/labs",
  "#/labs?seed=1",
  "#/nosuchlab?x=%E0%A4%A",
  "#/control?__proto__=1&constructor=2&toString=3",
  "#/control?worlds=NaN&gamma=Infinity&clip=",
  "#/control?seed=1e999&units=-0x10",
  "#/control?seed=-0&units=-0&entropy_weight=-0",
  "#/control?worlds=64&worlds=0",
  "#/control?gamma=0,9&gamma=0,9,9&gamma=1,000",
  "#/control?world=pendulum%0A%0Aand%20more%E2%80%AE",
  "#/%3Cscript%3E?<script>=<img%20onerror=alert(1)>",
  `#/control?worlds=${"9".repeat(400)}`,
  `#/logic?experiment=${"x".repeat(500)}`,
  `#/cube?${"a=1&".repeat(200)}`,
  `#/${"x".repeat(1000)}`,
  "#////???&&&===",
  "#/language?\ud800=\udfff",
  "#/control?change=40:learning_rate=0.001,clip=0.1&change=60:seed=9&units=80&bits=fused:0123456789abcdef",
  "#/control?change=1:clip=0.1&change=1:clip=0.1&change=0:seed=1&change=:&change=::&change=1:=,=&units=0&bits=:",
  "#/control?seed=3&units=4&bits=plain:0123456789abcdef&moment=q1YqU7Iy1FHKVbJSSq1IzA1KLSktylPSUapUsrLUM60FAA",
  "#/control?change=1:__proto__=1,constructor=2,clip=0.1=0.2,clip=0.3&change=1e400:clip=0.1",
];

/** Values at which parsers of numbers, switches and names go wrong. */
const VALUES = [
  ..."0 -0 +0 -1 1 1.5 0x10 0b1 0o7 1e3 1e-3 1E400 -1e400 5e-324 .5 5. 00 1_000 1,5 1,000 ٣ １".split(" "),
  ..."NaN Infinity -Infinity null undefined true false TRUE [object%20Object] __proto__ %00 %20 +".split(" "),
  ..."4294967295 4294967296 9007199254740993 18446744073709551616 0.1 0.30000000000000004".split(" "),
  ..."%E2%80%AE %F0%9F%98%80 %ED%A0%80 %FF %0A. %E2%80%9D %22 %3Cb%3E %26 %3D %23 %25".split(" "),
  "",
];

/** Parts that chance would hardly ever write: data of the visitor's own, and the other agent of a duel. */
const PARTS = [
  `data=0:${deflated({ type: "world", text: 'world "Dot"', parameters: {} })}`,
  `data=3:${deflated({ type: "text" })}`,
  `data=0:${deflated([])}`, // no command
  ..."data=0:AAAA data=1: data=:AAAA data=9 data=0:q1YqU7I".split(" "), // damaged
  ..."units=8&duel=seed%3D2%26units%3D3 units=8&duel=units%3D3%26duel%3Dunits%253D4 duel=units%3D3".split(" "),
  ..."units=8&duel=units%3D3%26wurlds%3D1 units=8&duel=units%3D3%26data%3D0:AAAA".split(" "),
];

/** Mulberry32, a small generator with 32 bits of state. Returns an integer below `bound`. */
function generator(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) % bound;
  };
}

/**
 * Changes a link at random. `random` returns an integer below a bound; `corpus` holds other links to take parts from.
 */
type Mutator = (link: string, random: (bound: number) => number, corpus: string[]) => string;

/** The text with `removed` characters replaced by a text. */
const splice = (text: string, at: number, removed: number, inserted: string) =>
  text.slice(0, at) + inserted + text.slice(at + removed);

/** Replaces one `key=value` of the query by what `change` makes of it. */
function changePair(link: string, random: (bound: number) => number, change: (pair: string) => string): string {
  const [path = "", query = ""] = link.split("?", 2);
  const pairs = query.split("&");
  const at = random(pairs.length);
  pairs[at] = change(pairs[at] ?? "");
  return `${path}?${pairs.join("&")}`;
}

/** A random element of a list. */
const pick = <T>(list: readonly T[], random: (bound: number) => number) => list[random(list.length)] as T;

/** All ways to change a link, with the settings of these labs. */
function mutators(labs: LabInfo[]): Mutator[] {
  const keys = [
    "seed",
    "units",
    "change",
    "bits",
    "device",
    "challenge",
    "show",
    "hide",
    "moment",
    "story",
    "data",
    "duel",
    ...new Set(labs.flatMap(({ fields }) => fields.map(({ name }) => name))),
  ];
  const options = labs.flatMap(({ fields }) => fields.flatMap((f) => (f.kind === "choice" ? f.options : [])));
  const limits = labs.flatMap(({ fields }) =>
    fields.flatMap((f) => (f.kind === "integer" || f.kind === "number" ? [f.min, f.max, f.max + 1, f.min - 1] : [])),
  );
  const live = labs.flatMap(({ fields }) => fields.filter((f) => f.live));
  const changes = live.flatMap((f, i) => [`${i}:${f.name}=${settingText(f.default)}`, `${i}:seed=${i}`]);
  const values = [...VALUES, ...options, ...limits.map(String), ...changes, "plain:0123456789abcdef"];
  /** Mostly a printable ASCII character (32 to 126), otherwise any UTF-16 unit. */
  const character = (random: (bound: number) => number) =>
    String.fromCharCode(random(4) > 0 ? 32 + random(95) : random(0x1_0000));
  return [
    // Flips one of the eight low bits of a character.
    (link, random) => {
      const at = random(link.length + 1);
      return splice(link, at, 1, String.fromCharCode(link.charCodeAt(at) ^ (1 << random(8))));
    },
    // Inserts a character.
    (link, random) => splice(link, random(link.length + 1), 0, character(random)),
    // Removes up to eight characters.
    (link, random) => splice(link, random(link.length + 1), 1 + random(8), ""),
    // Percent-encodes a character, or writes a malformed sequence.
    (link, random) => {
      const at = random(link.length + 1);
      const code = random(3) > 0 ? link.charCodeAt(at) & 255 : random(256);
      return splice(link, at, 1, `%${code.toString(16).padStart(random(3), "0")}`);
    },
    // Repeats a part.
    (link, random) => {
      const [from, length] = [random(link.length + 1), random(40)];
      return splice(link, random(link.length + 1), 0, link.slice(from, from + length).repeat(1 + random(20)));
    },
    // A huge or tiny number.
    (link, random) =>
      changePair(link, random, (pair) => {
        const digits = Array.from({ length: 1 + random(40) }, () => random(10)).join("");
        return pair.replace(/=.*/s, `=${pick(["", "-", "0."], random)}${digits}${pick(["", "e9", "e-99"], random)}`);
      }),
    // Another value.
    (link, random) => changePair(link, random, (pair) => pair.replace(/=.*/s, () => `=${pick(values, random)}`)),
    // Another setting in addition.
    (link, random) => changePair(link, random, (pair) => `${pair}&${pick(keys, random)}=${pick(values, random)}`),
    // Data, or a duel.
    (link, random) => changePair(link, random, (pair) => `${pair}&${pick(PARTS, random)}`),
    // The same key twice.
    (link, random) =>
      changePair(link, random, (pair) => `${pair}&${pair.replace(/=.*/s, () => `=${pick(values, random)}`)}`),
    // Another lab.
    (link, random) => link.replace(/^#\/?[^?]*/, () => `#/${pick(LABS, random).id}`),
    // The query of another link.
    (link, random, corpus) => `${link.split("?")[0]}?${pick(corpus, random).split("?")[1] ?? ""}`,
  ];
}

/** Whether the schema allows this value for a setting. */
function isAllowed(field: Field, value: JsonValue): boolean {
  switch (field.kind) {
    case "integer":
      return Number.isInteger(value) && Number(value) >= field.min && Number(value) <= field.max;
    case "number":
      return Number.isFinite(value) && Number(value) >= field.min && Number(value) <= field.max;
    case "switch":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && field.options.includes(value);
    case "text":
    case "list":
    case "file":
    case "opponent":
      return false;
  }
}

/** Checks that a requested run has only allowed settings that differ from the defaults, an allowed seed and unit. */
function checkRequest({ lab, seed, units, settings, changes, bits, story, duel }: RunRequest): void {
  let earliest = 0;
  for (const change of changes) {
    assert.ok(change.unit >= earliest && change.unit <= (units ?? MAX_SEED), `unit ${change.unit} is out of order`);
    earliest = change.unit + 1;
    const { data } = change;
    assert.ok(Object.keys(change.settings).length > 0 || change.seed !== null || data !== null, "nothing changes");
    assert.ok(data === null || isCommand(data), `no command: ${JSON.stringify(data)}`);
    for (const [name, value] of Object.entries(change.settings)) {
      const field = lab.fields.find((each) => each.name === name);
      assert.ok(field?.live && isAllowed(field, value), `${name} changes to ${JSON.stringify(value)}`);
    }
    const { seed: changed } = change;
    assert.ok(changed === null || (changed >= 0 && changed <= MAX_SEED && change.unit > 0), `seed ${changed}`);
  }
  assert.ok(bits === null || (/^((fused|plain|gpu):)?[0-9a-f]{8,64}$/.test(bits) && units !== null), `bits ${bits}`);
  for (const [name, value] of Object.entries(settings)) {
    const field = lab.fields.find((each) => each.name === name);
    assert.ok(field, `${name} is no setting of ${lab.about.id}`);
    assert.ok(isAllowed(field, value), `${name} takes no ${JSON.stringify(value)}`);
  }
  assert.ok(!story || (units ?? changes.at(-1)?.unit ?? 0) > 0, "a story of no run");
  assert.ok(duel === null || (units !== null && duel !== ""), "a duel without an agent");
  assert.equal(Object.getPrototypeOf(settings), Object.prototype);
  assert.deepEqual(settings, changedSettings(lab, settings), "defaults are kept");
  assert.ok(Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED, `seed ${seed}`);
  assert.ok(units === null || (Number.isInteger(units) && units >= 0 && units <= MAX_SEED), `units ${units}`);
}

/**
 * Reads a link and checks every property. Returns the outcomes, by which the fuzzer tells links of different kinds: the
 * names of the settings that were kept, and the problems without their quotations.
 */
async function check(link: string): Promise<string[]> {
  const { request, problems } = await readLink(link, LABS);
  assert.equal(request === null, isFront(link), "a link asks for a run or for the front");
  assert.ok(problems.length <= MAX_PROBLEMS, `${problems.length} problems`);
  assert.equal(new Set(problems).size, problems.length, "a problem is repeated");
  const shapes = problems.map((problem) => {
    assert.ok(problem.length > 0 && problem.length <= MAX_PROBLEM_LENGTH, `problem of ${problem.length} characters`);
    assert.doesNotMatch(problem, /[\p{C}\p{Zl}\p{Zp}]/u, "a problem has control characters or line breaks");
    // The page joins problems with ". ", so they have no full stop of their own.
    const own = problem.replace(/“.*”/su, "“”");
    assert.doesNotMatch(own, /[.!?]( |$)|[“”]{3}/, "a problem is more than one sentence");
    return own;
  });
  if (!request) return ["front"];
  checkRequest(request);
  const { lab, settings, seed, units, changes, bits } = request;
  // A link with very many data can be written longer than it was read, and then leaves them out.
  const data = await packData(changes);
  const written = writeLink(lab, settings, seed, units, request.device ?? "cpu", { changes, bits }) + (data ?? "");
  const reread = await readLink(written, LABS);
  assert.deepEqual(reread.problems, [], `problems in ${written}`);
  // A written link always names the seed, so it asks for a particular run.
  // A link has the first digits of a fingerprint only, and does not name the CPU. What is for the screen is left out.
  const { bits: digits, device } = reread.request ?? {};
  const expected = {
    ...request,
    explicit: true,
    bits: digits,
    device,
    challenge: null,
    show: null,
    hide: null,
    isDataLost: false,
    lost: null,
    moment: null,
    story: false,
    duel: null,
    changes: data === null ? changesInLink(changes) : changes,
  };
  assert.deepEqual(reread.request, expected, `${written} asks for another run`);
  assert.ok((bits ?? "").startsWith(reread.request?.bits ?? ""), `${written} has another fingerprint`);
  assert.ok(sameRun(lab, request, reread.request ?? { settings: {}, seed }));
  const command = commandLine(lab, settings, seed, units, "cpu", { changes, bits });
  assert.match(command, /^[\w .=-]+('[^']+')?$/, "a command has characters of the shell");
  const parts = [changes.some((change) => change.data !== null) && "data", request.duel !== null && "duel"];
  return [
    ...Object.keys(settings).map((name) => `${lab.about.id} ${name}`),
    ...parts.filter((part) => part !== false),
    ...shapes,
  ];
}

/** `check`, whose error also names the link and the seed, so that the failure can be repeated. */
async function checkNamed(link: string): Promise<string[]> {
  try {
    return await check(link);
  } catch (error) {
    throw new Error(`fuzzer's seed ${SEED}, link ${JSON.stringify(link)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

test("mutated link never throws, keeps allowed values only, and is the same when written and read", async (context) => {
  const saved = JSON.parse(readFileSync(new URL("../golden/runs/runs.json", import.meta.url), "utf8")) as {
    link: string;
  }[];
  const corpus = [...saved.map(({ link }) => link), ...HOSTILE];
  // A link with an outcome that was not seen before becomes a new start for mutations.
  const outcomes = new Set<string>();
  for (const link of corpus) for (const outcome of await checkNamed(link)) outcomes.add(outcome);

  const random = generator(SEED);
  const all: Mutator[] = mutators(await Promise.all(LABS.map(({ load }) => load())));
  const end = Date.now() + SECONDS * 1000;
  let count = 0;
  for (; SECONDS > 0 ? Date.now() < end : count < MUTATIONS; count++) {
    let link = pick(corpus, random);
    for (let changes = 1 + random(4); changes > 0; changes--) link = pick(all, random)(link, random, corpus);
    link = link.slice(0, MAX_LENGTH);
    const knownOutcomes = outcomes.size;
    for (const outcome of await checkNamed(link)) outcomes.add(outcome);
    if (outcomes.size > knownOutcomes) corpus.push(link);
  }
  for (const part of ["data", "duel"]) assert.ok(outcomes.has(part), `no link with ${part} was read`);
  context.diagnostic(`${count} mutations, seed ${SEED}, ${outcomes.size} outcomes`);
});
