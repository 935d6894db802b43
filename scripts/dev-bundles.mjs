// The bundles of the development server. `npm start` opens the page before all of them are built: a queue builds one
// after the other, and the bundle that a page asks for comes next. A page learns through server-sent events when its
// bundle is ready. A bundle is one lab, a lab with worlds of one's own, the tools of a lab, the actors of a
// fleet, or the editor for worlds, in one build; its name is that of its folder, such as "threads/cube".

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The names of the labs, in the order of the front (the page at the bare address). `root` is the repository's. */
export function labNames(root) {
  const list = readFileSync(join(root, "www/generated/labs.ts"), "utf8");
  return [...list.matchAll(/\{ id: "(\w+)"/g)].map(([, name]) => name);
}

/** The bundle that fleet.html loads. */
const FLEET = "fleet";
/** The bundle of the editor for worlds, which has one build, `simple`. */
const WORLD = "world";

/** The ends of the names of a lab's second programs: its tools, and itself with worlds of one's own. */
const [TOOLS, OWN_WORLDS] = ["-tools", "-own-worlds"];

/** The second parts of the names of all bundles, such as "cube" and "backgammon-tools". */
export function bundleNames(root) {
  const labs = labNames(root);
  const programs = readFileSync(join(root, "crates/web/Cargo.toml"), "utf8").matchAll(
    /\[\[bin\]\]\nname = "([\w-]+)"/g,
  );
  const second = Array.from(programs, ([, name]) => name).filter((name) =>
    labs.some((lab) => [TOOLS, OWN_WORLDS].some((end) => name === lab + end)),
  );
  return [...labs, ...second, FLEET, WORLD];
}

/** What a bundle is called in a sentence. */
export function titleOf(name) {
  const second = name.split("/")[1];
  if (second === WORLD) return "the program for worlds";
  if (second === FLEET) return "the program for fleets";
  if (second.endsWith(TOOLS)) return `the tools of the lab “${second.slice(0, -TOOLS.length)}”`;
  if (second.endsWith(OWN_WORLDS)) return `the lab “${second.slice(0, -OWN_WORLDS.length)}” for worlds of your own`;
  return `the lab “${second}”`;
}

/**
 * The build that most browsers use. The others are built when a page asks for them; "threads-plain" is made from it.
 */
export const USUAL_BUILD = "threads";

const BUILDS = [USUAL_BUILD, "threads-plain", "simple", "gpu"];

/** Builds bundles one after the other, and tells listeners how far each is. */
export class BundleQueue {
  /** The names that wait, in the order in which they are built. */
  #waiting = [];
  /** The state of each bundle that was asked for: { state, fraction }. */
  #states = new Map();
  /** Pairs of a name and a function that is called with each new state of that bundle. */
  #listeners = new Set();
  #names;
  #build;
  /** The bundle that is being built. */
  #current;

  /**
   * `names` are the second parts of the names of all bundles. `build` builds the bundle of a name and resolves when it
   * is there. It calls its second argument with the fraction that is done.
   */
  constructor(names, build) {
    this.#names = names;
    this.#build = build;
  }

  /** True if there is such a bundle, built or not. */
  has(name) {
    const [build, second, ...rest] = name.split("/");
    return rest.length === 0 && BUILDS.includes(build) && this.#names.includes(second);
  }

  /** Builds these bundles after those that wait already. */
  add(names) {
    for (const name of names.filter((name) => !this.#states.has(name))) {
      this.#waiting.push(name);
      this.#set(name, { state: "waiting", fraction: 0 });
    }
    void this.#work();
  }

  /**
   * Builds this bundle next, because a page waits for it, and once more if it has failed before. Calls `listener` with
   * the present state and each new one. Returns a function that ends that.
   */
  ask(name, listener) {
    const known = this.#states.get(name)?.state;
    if (known !== "ready" && known !== "building") {
      this.#waiting = [name, ...this.#waiting.filter((other) => other !== name)];
      this.#set(name, { state: "waiting", fraction: 0 });
    }
    const entry = [name, listener];
    this.#listeners.add(entry);
    void this.#work();
    this.#tell(entry);
    return () => this.#listeners.delete(entry);
  }

  async #work() {
    if (this.#current !== undefined) return;
    while ((this.#current = this.#waiting.shift()) !== undefined) {
      const name = this.#current;
      this.#set(name, { state: "building", fraction: 0 });
      try {
        await this.#build(name, (fraction) => this.#set(name, { state: "building", fraction }));
        this.#set(name, { state: "ready", fraction: 1 });
      } catch {
        // `build` has shown the error in the terminal. The other bundles may still succeed.
        this.#set(name, { state: "failed", fraction: 0 });
      }
    }
  }

  #set(name, state) {
    this.#states.set(name, state);
    for (const entry of [...this.#listeners]) if (entry[0] === name) this.#tell(entry);
  }

  #tell([name, listener]) {
    const { state, fraction } = this.#states.get(name);
    listener({ state, fraction, text: describe(name, state, this.#current) });
  }
}

/** The sentence that the page shows about a bundle. `current` is the bundle that is being built. */
export function describe(name, state, current) {
  const title = titleOf(name);
  const start = title.charAt(0).toUpperCase() + title.slice(1);
  const opens = "It opens by itself when it is ready.";
  switch (state) {
    case "waiting":
      return current === undefined
        ? `${start} is about to be built on your machine. ${opens}`
        : `${start} is built on your machine after ${titleOf(current).replace("the lab ", "")}. ${opens}`;
    case "building":
      return `${start} is being built on your machine. ${opens}`;
    case "failed":
      return `${start} could not be built; the terminal shows the error. Correct it, then reload this page.`;
    default:
      return `${start} is ready.`;
  }
}

/** Vite's plugin that answers `GET /bundles/BUILD/LAB` with the states of that bundle, as server-sent events. */
export function bundlePlugin(queue) {
  /** When each bundle that a page has waited for was ready. */
  const readyAt = new Map();
  return {
    name: "bundles",
    apply: "serve",
    // After Vite's own plugin for `import.meta.glob`; see `hotUpdate`.
    enforce: "post",

    config() {
      // Only a page of a development server waits for its bundle. With "production" here, which Vite sets when it
      // builds something in the same process, the page would be like that of the built site.
      process.env.NODE_ENV = "development";
    },

    configureServer(server) {
      server.middlewares.use("/bundles", (request, response) => {
        const name = request.url.slice(1);
        if (!queue.has(name)) {
          response.writeHead(404).end();
          return;
        }
        response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
        const end = queue.ask(name, (news) => {
          if (news.state === "ready") {
            readyAt.set(name, Date.now());
            forgetBundleList(server);
          }
          response.write(`data: ${JSON.stringify(news)}\n\n`);
        });
        request.on("close", end);
      });
    },

    // When a bundle appears, Vite would reload every page, because a module lists the bundles. But a page uses only the
    // bundle that it has waited for. On a busy machine Vite learns late that a file was written, when the page has it
    // already. A bundle that is built once more does reload the page.
    hotUpdate({ type, file, modules }) {
      const name = /\/www\/generated\/wasm\/([^/]+\/[^/]+)\//.exec(file)?.[1];
      if (!name) return undefined;
      if (isOlder(file, readyAt.get(name))) return [];
      return type === "update" ? undefined : modules.filter((module) => module.file === file);
    },
  };
}

/** Whether a file was last written before a time in milliseconds, which may be undefined. */
const isOlder = (file, time) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? NaN) <= (time ?? NaN);

/** The modules that list bundles. */
const BUNDLE_LISTS = ["www/core/load-bundle.ts", "www/labs/control/own-world/world-worker.ts"];

/** Makes Vite list the bundles anew for the next worker that is started. */
function forgetBundleList(server) {
  const { moduleGraph } = server.environments.client;
  for (const list of BUNDLE_LISTS) {
    const file = join(server.config.root, list).replaceAll("\\", "/");
    for (const module of moduleGraph.getModulesByFile(file) ?? []) moduleGraph.invalidateModule(module);
  }
}
