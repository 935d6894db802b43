// The entry point of the page: checks that the browser can run it, then creates the app, the buttons of the header and
// the keyboard shortcuts. With `?embed` it leads to embed.html.

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
import { embedOfIndex } from "./embed/address";
import { LabScreen } from "./ui/lab-screen";
import { Notices } from "./ui/notices";
import { reportUnexpected } from "./ui/unexpected";

/** The keys `[` and `]` move the speed slider by this many of its positions. */
const SPEED_STEPS = 3;

/** An element of index.html. */
const find = (selector: string) => document.querySelector(selector) as HTMLElement;

const embed = embedOfIndex(location);
if (embed !== null) location.replace(embed);
else await open();

async function open(): Promise<void> {
  initTheme();
  ensureKnownLanguage();
  holdVersion();
  if (import.meta.env.DEV) void import("./core/offline").then(({ forgetServiceWorkers }) => forgetServiceWorkers());
  const whyUnsupported = unsupported();
  if (whyUnsupported)
    find("#main").replaceChildren(
      el(
        "div",
        { class: "card" },
        el("h2", { text: "This browser cannot run Learnery" }),
        el("p", { text: whyUnsupported }),
      ),
    );
  else if (!(await reloadForIsolation())) begin(await isolationHeadersSent());
}

function begin(headersSent: boolean): void {
  // For comparison and for tests, `?bundle=simple` forces one thread, and `?bundle=threads-plain` the build with
  // threads but without fused multiply-adds.
  const requested = new URLSearchParams(location.search).get("bundle");
  const forced = BUNDLE_NAMES.find((name) => name === requested && name !== "gpu");
  const notices = new Notices(find(".notices"));
  reportUnexpected(notices);
  const app = new App(find("#main"), notices, chooseBundle(forced, headersSent));
  const openHelp = () =>
    void import("./ui/help").then(
      ({ openHelpDialog }) => openHelpDialog(app.module?.keys ?? []),
      () => app.trouble.tellMissing("The list of keyboard shortcuts"),
    );
  /** The lab screen, if it is shown. */
  const screen = () => (app.screen instanceof LabScreen ? app.screen : null);
  find(".top-nav").append(app.switcher.element);
  find(".top-tools").append(themeButton(), iconButton("help", "Keyboard shortcuts (?)", openHelp));
  listenShortcuts({
    " ": () => screen()?.controls.toggle(),
    ".": () => screen() && app.run.step(),
    "[": () => screen()?.controls.speed.shift(-SPEED_STEPS),
    "]": () => screen()?.controls.speed.shift(SPEED_STEPS),
    s: () => screen() && app.save({ networkOnly: false }),
    "?": openHelp,
  });
  // A pupil of a class has loaded the page again.
  if (isInClass()) void import("./class/pupil").then(({ resumePupil }) => resumePupil(app)).catch(() => {});
  announceInto(find(".unseen"), app); // a live region for screen readers, which is not visible
  // In the browser's console, and for tests, `learnery` is the run. `learnery.fail("panic")` makes its worker crash.
  Object.assign(globalThis, { learnery: app.run });
}

/** Whether this tab has joined a class. The key is that of class/note.ts, which is loaded only in a class. */
function isInClass(): boolean {
  try {
    return sessionStorage.getItem("learnery:class") !== null;
  } catch {
    return false; // storage is forbidden
  }
}

/** A button of the header that shows only an icon. */
function iconButton(name: "help" | "light" | "dark", label: string, onClick: () => void): HTMLButtonElement {
  const button = el("button", {
    type: "button",
    class: "tool",
    title: label,
    "aria-label": label,
    on: { click: onClick },
  });
  button.append(icon(name));
  return button;
}

/** The button that switches between light and dark. It shows the theme that it leads to. */
function themeButton(): HTMLElement {
  const button = iconButton("dark", "Switch between light and dark", toggleTheme);
  const draw = () => button.replaceChildren(icon(theme() === "dark" ? "light" : "dark"));
  onTheme(draw);
  draw();
  return button;
}
