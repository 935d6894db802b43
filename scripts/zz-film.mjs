// film strip of a card: node zz-film.mjs index n dt
import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { serve } from "../tests/browser/server.mjs";
const [index, n, dt, start] = process.argv.slice(2).map(Number);
const server = await serve("/work/wt-front/dist", { isolation: true, base: "/" });
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 1300 } });
await page.goto(server.address);
await page.waitForTimeout(500 + 1000 * (start || 0));
const shots = [];
for (let i = 0; i < n; i++) { shots.push([(await page.locator(".front-card-picture").nth(index).screenshot()).toString("base64"), await page.locator(".front-card-caption").nth(index).textContent()]); await page.waitForTimeout(dt); }
await page.goto("about:blank"); await page.setContent(`<div style="display:grid;grid-template-columns:repeat(4,300px);gap:4px">${shots.map(([s, c]) => `<div><img width=300 src="data:image/png;base64,${s}"><small>${c}</small></div>`).join("")}</div>`);
await page.screenshot({ path: `/tmp/front-film${index}.png`, fullPage: true });
await browser.close(); await server.close();
