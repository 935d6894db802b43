// Drives WebKitGTK, which has Safari's engine, by classic WebDriver: commands over HTTP. WebKitWebDriver starts
// MiniBrowser, a small browser that comes with WebKitGTK. It needs a screen, so Xvfb provides one.

import { freePort } from "../ports.mjs";
import { asJson, inTime, start as startProgram } from "./page.mjs";

/** The driver is asked at this interval until it answers. */
const POLL_MS = 25;

/** `env` is the environment of the browser. `JSC_useSharedArrayBuffer=1` makes shared memory available. */
export async function start({ program, driver, display, env = {} }) {
  const screen = startProgram(display, ["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]);
  const started = [screen];
  const stop = async () => {
    for (const each of started.splice(0).reverse()) await each.stop();
  };
  try {
    const [, number] = await screen.line(/^(\d+)$/);
    const port = await freePort();
    const server = startProgram(driver, [`--port=${port}`], {
      env: { DISPLAY: `:${number}`, GDK_BACKEND: "x11", NO_AT_BRIDGE: "1", ...env },
    });
    started.push(server);
    const send = (method, path, body) => request(`http://127.0.0.1:${port}${path}`, method, body);
    await ready(send);
    const options = { binary: program, args: ["--automation"] };
    const { sessionId, capabilities } = await send("POST", "/session", {
      capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
    });
    const inSession = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
    return {
      version: `WebKitGTK ${capabilities.browserVersion}`,
      open: (address) => open(inSession, address),
      async close() {
        await inSession("DELETE", "").catch(() => {});
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Opens a page in the window of the session. All pages are one visitor's, whose storage ends with the session. */
async function open(send, address) {
  await send("POST", "/url", { url: address });
  return {
    async evaluate(code) {
      // Scripts are functions, so an expression is returned. The last argument receives the answer.
      const script = `const done = arguments[arguments.length - 1];
        ${asJson(code)}.then((json) => done({ json }), (error) => done({ error: String(error) }));`;
      const { json, error } = await send("POST", "/execute/async", { script, args: [] });
      if (error) throw new Error(error);
      return JSON.parse(json);
    },
    screenshot: async () => Buffer.from(await send("GET", "/screenshot"), "base64"),
    // The driver does not report the console. A page that contains recorder.js records its errors itself.
    errors: () => [],
    close: () => send("POST", "/url", { url: "about:blank" }),
  };
}

/** Waits until the driver answers. */
async function ready(send) {
  const polling = (async () => {
    while (!(await send("GET", "/status").catch(() => null))) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  })();
  await inTime("WebKitWebDriver's first answer", polling);
}

/** Sends a command and resolves to its value. */
async function request(address, method, body) {
  const sent = fetch(address, { method, ...(body && { body: JSON.stringify(body) }) });
  const response = await inTime(`WebKit's answer to ${method} ${address}`, sent);
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
