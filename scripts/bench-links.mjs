// `npm run bench -- links`, after `npm run build`: how soon the page shows what the sender of a link saw. Makes a link
// of each kind on the built site, opens each in new browsers, and prints a table of milliseconds since the navigation
// began: until the lab itself is first drawn from a plain link, until the sender's picture is drawn, and until the
// sender's agent acts where the link has a copy of it. Every time is taken in the page, in the frame in which the thing
// is first there.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { ensureChromium } from "./browsers.mjs";
import { root } from "./commands.mjs";

/** How often each link is opened. */
const REPEATS = 5;

/** The longest that a link may take to open, and a sender's run to arrive. */
const LIMIT_MS = 60_000;

const packed = (text) => deflateRawSync(text).toString("base64url");
const dataOf = (command) => `data=0:${packed(JSON.stringify(command))}`;
const example = (name) => readFileSync(join(root, `crates/world-rules/examples/${name}.world`), "utf8");

/**
 * 2,180 characters, little more than the least that the language lab takes (2,048 bytes), so that a link holds them.
 */
const TEXT = Array.from({ length: 80 }, (_, i) => `${i} times ${i + 3} is ${i * (i + 3)}, I say.`).join("\n");
/** A pattern on the 20 x 20 grid of a drawn target, row by row, a digit for each cell. */
const PLANES = Array.from({ length: 20 * 20 }, (_, i) => Number(i % 20 > 4 && i % 3 > 0)).join("");

/** An XGID: the end of a game, with checkers on six places. */
const POSITION = "-bb---B-------------bb---A:0:0:-1:62:0:0:0:0:10";

/**
 * The links: what the table calls them, and their `hash`, or the run (`moment`) at whose end the page makes the link.
 * With `isScramble` the link is cut down to its scrambled cube (`show=`), without the turns made since. With `copy` it
 * carries a copy of the agent, so that is timed too. The sender's picture counts as shown with a view of the lab for
 * which `isShown` is true; or when the canvas `selector` is painted; or else with the link's recorded picture.
 * `isShown` is sent to the page as source text, so it uses nothing but its arguments.
 */
const KINDS = [
  { name: "control: rounded actor", lab: "control", moment: "#/control?seed=1&units=20", copy: true },
  {
    name: "control: own world, rounded actor",
    lab: "control",
    moment: `#/control?seed=1&world=own&units=20&${dataOf({ type: "world", name: "lander.world", text: example("lander") })}`,
    copy: true,
  },
  {
    name: "control: own world, from its start",
    lab: "control",
    hash: `#/control?world=own&${dataOf({ type: "world", name: "bird.world", text: example("bird") })}`,
    isShown: (view) => view.own?.title === "Bird",
  },
  {
    name: "control: own world, in the editor",
    lab: "control",
    hash: `#/control?show=world.${packed(example("bird"))}`,
    selector: "dialog[open] .own-world-canvas",
  },
  { name: "logic: decided circuit", lab: "logic", moment: "#/logic?seed=1&units=40", copy: true },
  {
    name: "logic: drawing",
    lab: "logic",
    hash: `#/logic?experiment=figure&${dataOf({ type: "target", planes: PLANES })}`,
    isShown: (view) => view.ownTarget,
  },
  {
    name: "cube: scramble",
    lab: "cube",
    moment: "#/cube?seed=1&units=1",
    isScramble: true,
    isShown: (view, shown) => view.stage.stickers === shown,
  },
  {
    name: "backgammon: position",
    lab: "backgammon",
    hash: `#/backgammon?show=${POSITION}`,
    isShown: (view) => view.stage.board.filter((count) => count !== 0).length === 6,
  },
  { name: "backgammon: recorded picture", lab: "backgammon", moment: "#/backgammon?seed=1&units=1" },
  {
    name: "language: text of one's own",
    lab: "language",
    hash: `#/language?source=text&${dataOf({ type: "text", name: "times.txt", text: TEXT })}`,
    isShown: (view) => view.sample.text.length > 0,
  },
  { name: "language: recorded text", lab: "language", moment: "#/language?seed=1&units=1" },
];

const FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"];

export async function benchLinks() {
  const { browser: executablePath } = await ensureChromium();
  const [{ chromium }, { serve }] = await Promise.all([
    import("playwright-core"),
    import("../tests/browser/server.mjs"),
  ]);
  const server = await serve(join(root, "dist"), { isolation: true, base: "/" });
  /** Opens a hash in a new browser, whose profile is empty, and closes it after `use`. */
  const visit = async (hash, use, prepare = () => {}) => {
    const browser = await chromium.launch({ executablePath, args: FLAGS });
    try {
      const page = await browser.newPage({ serviceWorkers: "block" });
      page.setDefaultTimeout(LIMIT_MS);
      await prepare(page);
      await page.goto(server.address + hash, { waitUntil: "commit" });
      return await use(page);
    } finally {
      await browser.close();
    }
  };
  try {
    console.log("| link | lab, plain link | sender's picture | sender's agent acts | characters |");
    console.log("|---|---|---|---|---|");
    const plain = new Map();
    for (const kind of KINDS) {
      const { name, lab, moment, copy, isScramble } = kind;
      const made = kind.hash ?? (await visit(moment, linkOf));
      const shown = isScramble && new URLSearchParams(made.split("?")[1]).get("show").split(":")[0];
      const hash = isScramble ? `#/${lab}?show=${shown}` : made;
      const times = { plain: plain.get(lab) ?? [], seen: [], acts: [] };
      const isKnown = times.plain.length > 0;
      for (let i = 0; i < REPEATS; i++) {
        if (!isKnown) times.plain.push((await visit(`#/${lab}`, timesOf(["drawn"]), watched({}))).drawn);
        const wanted = ["seen", ...(copy ? ["acts"] : [])];
        const found = await visit(hash, timesOf(wanted), watched({ ...kind, shown }));
        times.seen.push(found.seen);
        if (copy) times.acts.push(found.acts);
      }
      plain.set(lab, times.plain);
      const cells = [isKnown ? "" : spread(times.plain), spread(times.seen), spread(times.acts)];
      console.log(`| ${name} | ${cells.join(" | ")} | ${hash.length} |`);
    }
  } finally {
    await server.close();
  }
}

/** Minimum, median and maximum. */
function spread(times) {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  return sorted.length === 0 ? "" : `${sorted[0]}, **${sorted[sorted.length >> 1]}**, ${sorted.at(-1)}`;
}

/** Makes a link to the moment at which the run of the page stands still. */
async function linkOf(page) {
  await page.locator(".replay-line").getByText("Replayed to").waitFor();
  await page.getByRole("tab", { name: "Share and save", exact: true }).click();
  await page.getByRole("button", { name: "Make a link to this moment" }).click();
  await page.locator(".share-moment [role=status]").getByText("The link is ready.").waitFor();
  return new URL(await page.locator("#share-moment").inputValue()).hash;
}

/** Waits until the page has noted these things, and returns its times. */
const timesOf = (names) => async (page) => {
  await page.waitForFunction((names) => names.every((name) => name in globalThis.noted), names);
  return page.evaluate(() => globalThis.noted);
};

/** Prepares a page so that it notes when something is first there. */
const watched =
  ({ isShown, shown, selector }) =>
  (page) =>
    page.addInitScript(
      `(${watch})({ isShown: ${isShown ?? null}, shown: ${JSON.stringify(shown)}, selector: ${JSON.stringify(selector)} })`,
    );

/**
 * Runs in the page before its own code. Notes the times of the first frames in which the lab is drawn (`drawn`), the
 * sender's picture is (`seen`), and the copy of the sender's agent is shown in its place (`acts`).
 */
function watch({ isShown, shown, selector }) {
  const noted = (globalThis.noted = {});
  const note = (name) => (noted[name] ??= performance.now());
  let isListening = false;
  /** Whether a canvas has more than one colour. */
  const isPainted = (canvas) => {
    if (!canvas?.width || !canvas.height) return false;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const pixels = new Uint32Array(data.buffer);
    return pixels.some((pixel) => pixel !== pixels[0]);
  };
  const look = () => {
    if (!isListening && globalThis.learnery) {
      isListening = true;
      globalThis.learnery.on("view", (view) => {
        note("drawn");
        if (isShown?.(view, shown)) note("seen");
      });
    }
    const picture = document.querySelector(".moment-picture");
    if (!isShown && !noted.seen && isPainted(document.querySelector(selector ?? ".moment-picture canvas")))
      note("seen");
    if (picture?.hidden && document.querySelector(".shows-copy")) note("acts");
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
