// The entry point of the page: checks that the browser can run it, then creates the app, the buttons of the header and
// the keyboard shortcuts.

import "uplot/dist/uPlot.min.css";
import { App } from "./app";
import { chooseBundle, unsupported } from "./core/bundle";
import { el } from "./core/dom";
import { isolationHeadersSent, reloadForIsolation } from "./core/isolation";
import { ensureKnownLanguage } from "./core/language";
import { holdVersion } from "./core/version";
import { listenShortcuts } from "./core/shortcuts";
import { initTheme, theme, toggleTheme, onTheme } from "./core/theme";
import { announceInto } from "./ui/announcements";
import { icon } from "./ui/icons";
import { BUNDLE_NAMES } from "./core/worker-messages";
import { LabScreen } from "./ui/lab-screen";
import { Notices } from "./ui/notices";
import { reportUnexpected } from "./ui/unexpected";

/** The keys for slower and faster move the speed slider by this many of its positions. */
const SPEED_NOTCHES = 3;

const find = (selector: string) => document.querySelector(selector) as HTMLElement;

initTheme();
ensureKnownLanguage();
holdVersion();
if (import.meta.env.DEV) void import("./core/offline").then(({ forgetServiceWorkers }) => forgetServiceWorkers());
const main = find("#main");
const reason = unsupported();
if (reason)
  main.replaceChildren(
    el("div", { class: "card" }, el("h2", { text: "This browser cannot run the learner" }), el("p", { text: reason })),
  );
else if (!(await reloadForIsolation())) begin(await isolationHeadersSent());

function begin(headersSent: boolean): void {
  // For comparison and for tests, `?bundle=simple` forces one thread, and `?bundle=threads-plain` the build with threads
  // but without fused multiply-adds.
  const asked = new URLSearchParams(location.search).get("bundle");
  const wanted = BUNDLE_NAMES.find((name) => name === asked);
  const notices = new Notices(find(".notices"));
  reportUnexpected(notices);
  const app = new App(main, notices, chooseBundle(wanted, headersSent));
  const openHelp = () =>
    void import("./ui/help").then(
      ({ openHelpDialog }) => openHelpDialog(app.module?.keys ?? []),
      () => app.trouble.tellMissing("The list of keys"),
    );
  /** The lab screen, if it is shown. */
  const screen = () => (app.screen instanceof LabScreen ? app.screen : null);
  find(".top-nav").append(el("a", { href: "#/labs", text: "Labs" }));
  find(".top-tools").append(themeButton(), tool("help", "Keys (?)", openHelp));
  listenShortcuts({
    " ": () => screen()?.controls.toggle(),
    ".": () => screen() && app.run.step(),
    "[": () => screen()?.controls.shift(-SPEED_NOTCHES),
    "]": () => screen()?.controls.shift(SPEED_NOTCHES),
    s: () => screen() && app.save({ networkOnly: false }),
    "?": openHelp,
  });
  announceInto(find(".unseen"), app); // a line that is only read aloud, by screen readers
  // In the browser's console, and for tests, `learnery` is the run. `learnery.fail("panic")` makes its worker crash.
  Object.assign(globalThis, { learnery: app.run });
}

/** A button with an icon for the header. */
function tool(name: "help" | "light" | "dark", label: string, press: () => void): HTMLButtonElement {
  const button = el("button", {
    type: "button",
    class: "tool",
    title: label,
    "aria-label": label,
    on: { click: press },
  });
  button.append(icon(name));
  return button;
}

function themeButton(): HTMLElement {
  const button = tool("dark", "Light or dark", toggleTheme);
  const draw = () => button.replaceChildren(icon(theme() === "dark" ? "light" : "dark"));
  onTheme(draw);
  draw();
  return button;
}
