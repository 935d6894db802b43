// Drives Firefox by WebDriver BiDi, a protocol of JSON messages over a WebSocket, which Firefox speaks itself.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
// Node 20 has no WebSocket. Playwright contains the package `ws` and exports it for its own use.
import bundle from "playwright-core/lib/utilsBundle";
import { asJson, inTime, start as startProgram, temporaryFolder } from "./page.mjs";

/** Settings of the profile: no first-run pages and nothing sent anywhere. */
const PREFERENCES = {
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "toolkit.telemetry.reportingpolicy.firstRun": false,
};

export async function start({ program, env = {} }) {
  const profile = temporaryFolder();
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`);
  writeFileSync(join(profile, "user.js"), lines.join("\n"));
  const args = ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile, "about:blank"];
  const browser = startProgram(program, args, { env });
  try {
    const [, address] = await browser.line(/WebDriver BiDi listening on (ws:\/\/\S+)/);
    const bidi = await connect(`${address}/session`);
    const { capabilities } = await bidi.send("session.new", { capabilities: {} });
    await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
    return {
      version: `Firefox ${capabilities.browserVersion}`,
      open: (address) => open(bidi, address),
      async close() {
        bidi.close();
        await browser.stop();
      },
    };
  } catch (error) {
    await browser.stop();
    throw error;
  }
}

/** Opens a page in a user context of its own, which shares no storage with others. */
async function open(bidi, address) {
  const { userContext } = await bidi.send("browser.createUserContext", {});
  const { context } = await bidi.send("browsingContext.create", { type: "tab", userContext });
  const errors = [];
  const forget = bidi.on("log.entryAdded", ({ level, text, source, stackTrace }) => {
    if (level !== "error" || source.context !== context) return;
    errors.push(`${text} (${stackTrace?.callFrames[0]?.url ?? ""})`);
  });
  await bidi.send("browsingContext.navigate", { context, url: address, wait: "interactive" });
  return {
    async evaluate(code) {
      const answer = await bidi.send("script.evaluate", {
        expression: asJson(code),
        target: { context },
        awaitPromise: true,
      });
      if (answer.type !== "success") throw new Error(answer.exceptionDetails.text);
      return JSON.parse(answer.result.value);
    },
    async screenshot() {
      const { data } = await bidi.send("browsingContext.captureScreenshot", { context });
      return Buffer.from(data, "base64");
    },
    errors: () => errors,
    async close() {
      forget();
      await bidi.send("browser.removeUserContext", { userContext });
    },
  };
}

/** Connects to a BiDi address. Commands are answered by their number; events have a name. */
async function connect(address) {
  const socket = new bundle.ws(address);
  await inTime(
    "a connection to Firefox",
    new Promise((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", reject);
    }),
  );
  const pending = new Map();
  const listeners = new Set();
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    if (message.type === "event") {
      for (const { name, receive } of listeners) if (name === message.method) receive(message.params);
      return;
    }
    const { resolve, reject } = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === "success") resolve(message.result);
    else reject(new Error(`${message.error}: ${message.message}`));
  });
  let last = 0;
  return {
    send(method, params) {
      const id = ++last;
      const answer = new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
      socket.send(JSON.stringify({ id, method, params }));
      return inTime(`Firefox's answer to ${method}`, answer);
    },
    /** Calls `receive` at every event of this name. Returns a function that ends this. */
    on(name, receive) {
      const listener = { name, receive };
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => socket.close(),
  };
}
