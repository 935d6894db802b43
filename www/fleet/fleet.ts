// The entry point of fleet.html, the page with which a tab joins a fleet. Unlike the other page it may connect to
// servers elsewhere (vite.config.ts), and it does so when the visitor asks for it.

import { chooseBundle, unsupported } from "../core/bundle";
import { el } from "../core/dom";
import { isolationHeadersSent, reloadForIsolation } from "../core/isolation";
import { initTheme, onTheme, theme, toggleTheme } from "../core/theme";
import { holdVersion } from "../core/version";
import { icon } from "../ui/icons";
import { FleetPage } from "./page";

const find = (selector: string) => document.querySelector(selector) as HTMLElement;

initTheme();
holdVersion();
find(".top-tools").append(themeButton());
const whyUnsupported = unsupported();
if (whyUnsupported)
  find("#main").replaceChildren(
    el(
      "div",
      { class: "card" },
      el("h2", { text: "This browser cannot compute for a fleet" }),
      el("p", { text: whyUnsupported }),
    ),
  );
else if (!(await reloadForIsolation())) {
  const headersSent = await isolationHeadersSent();
  const page = new FleetPage((plain) => chooseBundle(plain ? "threads-plain" : undefined, headersSent));
  find("#main").replaceChildren(page.element);
}

/** The button that switches between light and dark. It shows the theme that it leads to. */
function themeButton(): HTMLElement {
  const label = "Switch between light and dark";
  const node = el("button", {
    type: "button",
    class: "tool",
    title: label,
    "aria-label": label,
    on: { click: toggleTheme },
  });
  const draw = () => node.replaceChildren(icon(theme() === "dark" ? "light" : "dark"));
  onTheme(draw);
  draw();
  return node;
}
