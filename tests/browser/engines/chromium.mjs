// Drives Chromium by Playwright, as the other browser tests do.

import { chromium } from "playwright-core";
import { asJson } from "./page.mjs";

export async function start({ program, env = {} }) {
  const browser = await chromium.launch({
    executablePath: program,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
    env: { ...process.env, ...env },
  });
  return {
    version: `Chromium ${browser.version()}`,
    open: (address) => open(browser, address),
    close: () => browser.close(),
  };
}

async function open(browser, address) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
  });
  await page.goto(address, { waitUntil: "commit" });
  return {
    evaluate: async (code) => JSON.parse(await page.evaluate(asJson(code))),
    screenshot: () => page.screenshot(),
    errors: () => errors,
    close: () => page.close(),
  };
}
