// The entry point of the page.

import "uplot/dist/uPlot.min.css";
import { App } from "./app";
import { chooseBundle, unsupported } from "./core/bundle";
import { el } from "./core/dom";
import { reloadForIsolation } from "./core/isolation";
import { listenShortcuts } from "./core/shortcuts";
import { initTheme, theme, toggleTheme, onTheme } from "./core/theme";
import { icon } from "./ui/icons";
import { LabScreen } from "./ui/lab-screen";
import { Notices } from "./ui/notices";

const find = (selector: string) => document.querySelector(selector) as HTMLElement;

initTheme();
const main = find("#main");
const reason = unsupported();
if (reason)
  main.replaceChildren(
    el("div", { class: "card" }, el("h2", { text: "This browser cannot run the learner" }), el("p", { text: reason })),
  );
else if (!(await reloadForIsolation())) begin();

function begin(): void {
  const wanted = new URLSearchParams(location.search).get("bundle") === "simple" ? "simple" : undefined;
  const app = new App(main, new Notices(find(".notices")), chooseBundle(wanted));
  const openHelp = () => void import("./ui/help").then(({ openHelpDialog }) => openHelpDialog(app.module?.keys ?? []));
  const screen = () => (app.screen instanceof LabScreen ? app.screen : null);
  find(".top-nav").append(el("a", { href: "#/labs", text: "Labs" }));
  find(".top-tools").append(themeButton(), tool("help", "Keys (?)", openHelp));
  listenShortcuts({
    " ": () => screen()?.controls.toggle(),
    ".": () => screen() && app.run.step(false),
    "[": () => screen()?.controls.shift(-3),
    "]": () => screen()?.controls.shift(3),
    s: () => screen() && app.save(false),
    "?": openHelp,
  });
  app.announceInto(find(".unseen"));
  // In the browser's console, `learnery` is the run. `learnery.fail("panic")` breaks it on purpose.
  Object.assign(globalThis, { learnery: app.run });
}

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
