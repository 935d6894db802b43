// Unit tests of fleet.html: the link, what the fleet's host tells, the waits before the next try, and the sentence that
// says what the tab does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { backoff } from "../../www/fleet/backoff";
import { readFleetLink } from "../../www/fleet/link";
import { readStatus } from "../../www/fleet/status";
import { describe, otherBits, type Situation } from "../../www/fleet/words";
import type { ActorsProgress } from "../../www/generated/protocol";

const KEY = "00112233445566778899aabbccddeeff";
const SECURE = `https://example.org/learnery/fleet.html#server=wss%3A%2F%2Fexample.net%3A4280&fleet=0123abcd&user=actor&key=${KEY}`;

test("links are read as hosts write them", () => {
  const link = { server: "wss://example.net:4280", fleet: "0123abcd", key: KEY };
  assert.deepEqual(readFleetLink(SECURE), link);
  assert.deepEqual(readFleetLink(` ${SECURE}\n`), link);
  // The part behind the #, other orders, parameters of later versions.
  assert.deepEqual(readFleetLink(SECURE.slice(SECURE.indexOf("#"))), link);
  assert.deepEqual(readFleetLink(SECURE.slice(SECURE.indexOf("#") + 1)), link);
  assert.deepEqual(readFleetLink(`#key=${KEY}&later=1&user=actor&fleet=0123abcd&server=wss://example.net:4280/`), link);
  for (const server of ["ws://127.0.0.1:4280", "ws://localhost:4280"]) {
    const read = readFleetLink(SECURE.replace("wss%3A%2F%2Fexample.net%3A4280", encodeURIComponent(server)));
    assert.deepEqual(read, { ...link, server });
  }
});

test("wrong and damaged links are refused in one sentence", () => {
  const server = (text: string) => SECURE.replace("wss%3A%2F%2Fexample.net%3A4280", encodeURIComponent(text));
  const cases: [string, RegExp][] = [
    ["", /^Paste the link/],
    ["x".repeat(3000), /too long/],
    ["nats://192.168.1.5:4222#fleet=0123abcd&user=actor&key=" + KEY, /for a terminal/],
    ["https://example.org/learnery/fleet.html", /nothing behind a “#”/],
    ["https://example.org/learnery/#/control?seed=3", /not the link of a fleet/],
    ["hello", /not the link of a fleet/],
    [SECURE.replace("0123abcd", "0123ABCD"), /“fleet” in the link should have 8 hexadecimal digits/],
    [SECURE.replace("0123abcd", "*.>"), /“fleet” in the link/],
    [SECURE.slice(0, -1), /“key” in the link should have 32 hexadecimal digits/],
    [SECURE.replace("actor", "watch"), /only be watched/],
    [SECURE.replace("actor", "learner"), /join as “actor”, not as “learner”/],
    [server("https://example.net:4280"), /not the address of a server/],
    [server("wss://"), /not the address of a server/],
    [server("wss://user:password@example.net"), /not the address of a server/],
    [server("wss://example.net/path"), /not the address of a server/],
    [server("ws://192.168.1.5:4280"), /no TLS/],
    [server("ws://[::1]:4280"), /no TLS/],
    [server("javascript:alert(1)"), /not the address of a server/],
    [SECURE.replace("%3A%2F%2F", "%3%2%"), /not the address of a server/],
  ];
  for (const [text, expected] of cases) {
    const read = readFleetLink(text);
    assert.ok("problem" in read, text);
    assert.match(read.problem, expected, text);
    assert.match(read.problem, /[.]$/);
    assert.ok(!read.problem.includes(KEY), "the password is not shown");
  }
});

test("no change of a link makes its reading throw or gives a server elsewhere", () => {
  for (let at = 0; at < SECURE.length; at++)
    for (const character of ["", "%", "#", "&", "=", "\u0000", "ä", "/", "@"]) {
      const read = readFleetLink(SECURE.slice(0, at) + character + SECURE.slice(at + 1));
      if (!("problem" in read)) assert.match(read.server, /^wss:\/\/[^/@]+$/);
    }
});

test("status is read field by field", () => {
  const json = JSON.stringify({
    build: "0.1.0",
    bits: "fused",
    lab: "backgammon",
    unit: 7,
    version: "0011aabbccdd",
    jobs: { all: 3, done: 1, in_check: 1, leased: 1, open: 0 },
    machines: [{ name: "a" }, { name: "b" }],
  });
  const expected = {
    bits: "fused",
    lab: "backgammon",
    sweep: false,
    unit: 7,
    version: "0011aabbccdd",
    jobs: 3,
    done: 1,
    machines: 2,
  };
  assert.deepEqual(readStatus(json), expected);
  for (const bad of ["", "null", "3", "[", '"x"', "[1]"]) assert.equal(readStatus(bad), undefined, bad);
  const empty = { bits: "", lab: "", sweep: false, unit: 0, version: null, jobs: 0, done: 0, machines: 0 };
  const wrong = { bits: 1, unit: -1, version: 5, jobs: [], machines: "many", lab: "x".repeat(999) };
  assert.deepEqual(readStatus(JSON.stringify(wrong)), { ...empty, lab: "x".repeat(100) });
  assert.equal(readStatus('{"unit": 1e400}')?.unit, 0);
  assert.equal(readStatus('{"sweep": {"solved": 3}}')?.sweep, true);
  assert.equal(readStatus('{"sweep": null}')?.sweep, false);
});

test("waits grow to a limit and vary", () => {
  const middle = Array.from({ length: 30 }, (_, attempt) => backoff(attempt, 0.5));
  assert.deepEqual(middle.slice(0, 3), [1000, 1500, 2250]);
  assert.ok(middle.every((ms, i) => i === 0 || ms >= (middle[i - 1] as number)));
  assert.equal(middle.at(-1), 60_000);
  assert.deepEqual([backoff(0, 0), backoff(99, 1)], [500, 90_000]);
});

const PROGRESS: ActorsProgress = {
  sweep: false,
  run: { lab: "backgammon", seed: 1, config: {} },
  version: "0011aabbccdd",
  unit: 3,
  actors: { asking: 0, fetching: 0, working: 4, delivering: 0, complete: 0 },
  accepted: 2,
  late: 0,
  work: [{ what: "turns", count: 3072 }],
  paused: false,
  ended: null,
  refusal: null,
};

const OPEN: Situation = {
  server: "example.net:4280",
  connection: { state: "open" },
  building: undefined,
  loaded: 1,
  progress: PROGRESS,
  silence: 1,
  failure: undefined,
};

test("one plain sentence says what the tab does", () => {
  const idle = { asking: 4, fetching: 0, working: 0, delivering: 0, complete: 0 };
  const actors = (changes: Partial<ActorsProgress["actors"]>): Partial<Situation> => ({
    progress: { ...PROGRESS, actors: { ...idle, asking: 0, ...changes } },
  });
  const ofSweep = (changes: Partial<ActorsProgress["actors"]>): Partial<Situation> => ({
    progress: { ...PROGRESS, sweep: true, actors: { ...idle, asking: 0, ...changes } },
  });
  const paused = { ...PROGRESS, paused: true };
  const early = { loaded: undefined, progress: undefined };
  const cases: [Partial<Situation>, string, string][] = [
    [{}, "computing", "Computing on 4 threads."],
    [actors({ working: 3, asking: 1 }), "computing", "Computing on 3 of 4 threads."],
    [
      { silence: 60 },
      "computing",
      "Computing on 4 threads. The host does not answer; results are sent when it is back.",
    ],
    [
      { ...actors({ asking: 4 }), silence: 60 },
      "waiting",
      "The host does not answer. This tab goes on when it is back.",
    ],
    [
      actors({ asking: 4 }),
      "waiting",
      "Waiting for the next job: the host is learning, or others compute the last jobs.",
    ],
    [{ progress: { ...PROGRESS, run: null, actors: { ...idle, asking: 1 } } }, "waiting", "Waiting for the first job."],
    [actors({ fetching: 4 }), "computing", "Fetching weights."],
    [ofSweep({ fetching: 1 }), "computing", "Fetching a run."],
    [ofSweep({ asking: 1 }), "waiting", "Waiting for the next run: others compute the last ones."],
    [ofSweep({ complete: 1 }), "waiting", "The sweep is complete. There is nothing left to compute."],
    [actors({ delivering: 1 }), "computing", "Delivering a result."],
    [actors({ complete: 4 }), "waiting", "The run is complete. There is nothing left to compute."],
    [{ progress: paused }, "waiting", "Paused. The fleet goes on without this tab."],
    [
      { progress: { ...paused, actors: { ...idle, delivering: 1 } } },
      "waiting",
      "Paused. The fleet goes on without this tab, which is still delivering a result.",
    ],
    [{ ...early, connection: { state: "connecting" } }, "waiting", "Connecting to example.net:4280."],
    [{ ...early }, "waiting", "Connected. Joining."],
    [{ ...early, building: "The program is being built." }, "waiting", "The program is being built."],
    [{ ...early, loaded: 0.456 }, "waiting", "Loading the program: 45 %."],
    [{ ...early, silence: undefined }, "waiting", "Connected. Waiting for the first message of the fleet's host."],
    [
      { connection: { state: "lost", retryMs: 4400, before: true } },
      "waiting",
      "The connection to example.net:4280 is lost. The next try is in 5 seconds; finished results wait here until then.",
    ],
    [
      { ...early, connection: { state: "lost", retryMs: 900, before: false } },
      "waiting",
      "example.net:4280 does not answer. The next try is in 1 second. The fleet may have ended, or the link may be an old one.",
    ],
    [{ connection: { state: "refused", reason: "Ask for a new link." } }, "wrong", "Ask for a new link."],
    [
      { progress: { ...PROGRESS, ended: "install version 2 and join again" } },
      "wrong",
      "Install version 2 and join again.",
    ],
    [{ failure: "this tab cannot compute" }, "wrong", "This tab cannot compute."],
  ];
  for (const [changes, tone, text] of cases) assert.deepEqual(describe({ ...OPEN, ...changes }), { text, tone });
});

test("tab with other bits than the fleet is told why", () => {
  const simple = { name: "simple", bits: "plain", reason: "One thread: this link asks for it." } as const;
  assert.equal(
    otherBits("fused", simple),
    "This fleet computes fused bits, and this tab plain ones. One thread: this link asks for it. Join with another browser or from a terminal.",
  );
  const unfused = { name: "threads-plain", bits: "plain", reason: "4 threads." } as const;
  assert.match(
    otherBits("fused", unfused),
    /plain ones. This browser rounds twice where the fleet rounds once \(no fused multiply-add\)\. Join/,
  );
});
