import { chromium } from "playwright-core";
import { findChromium } from "./browsers.mjs";
import { serve } from "../tests/browser/server.mjs";
const server = await serve("/work/wt-front/dist", { isolation: true, base: "/" });
const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
for (const [name, w, h, scheme, wait, motion, path] of [["light", 1280, 900, "light", 3000, "no-preference", ""], ["dark", 1280, 900, "dark", 6500, "no-preference", ""], ["phone", 390, 844, "light", 9000, "no-preference",""], ["still", 900, 900, "light", 500, "reduce",""], ["lab", 390, 844, "light", 2500, "no-preference","#/control"], ["labw", 1280, 900, "dark", 2500, "no-preference","#/cube"]]) {
  if (process.argv[2] && !process.argv[2].split(",").includes(name)) continue;
  const page = await browser.newPage({ viewport: { width: w, height: h }, colorScheme: scheme, reducedMotion: motion, deviceScaleFactor: name==="phone"?2:1 });
  page.on("console", (m) => m.type() === "error" && console.log(name, m.text()));
  page.on("pageerror", (e) => console.log(name, String(e)));
  await page.goto(server.address + path);
  await page.waitForTimeout(wait);
  console.log(name, await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth, document.querySelector(".switcher")?.scrollWidth, document.querySelector(".switcher")?.clientWidth, [...document.querySelectorAll(".front-card-caption")].map(e=>e.textContent).join(" | ")]));
  await page.screenshot({ path: `/tmp/front-${name}.png`, fullPage: !name.startsWith("lab") });
  await page.close();
}
await browser.close(); await server.close();
