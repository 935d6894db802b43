// The form with which a tab joins: the link, which may come from the address, and a name for the tab. Nothing is
// connected before the visitor presses "Join".

import { el, listen } from "../core/dom";
import { readFleetLink, type FleetLink } from "./link";

/** The longest name that the fleet's host takes. */
const MAX_NAME_LENGTH = 24;

export class JoinForm {
  readonly element: HTMLFormElement;
  #link = el("input", {
    type: "text",
    id: "fleet-link",
    name: "link",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "https://…/fleet.html#server=…",
    "aria-describedby": "fleet-problem",
  });
  #name = el("input", {
    type: "text",
    id: "fleet-name",
    name: "name",
    autocomplete: "off",
    maxlength: MAX_NAME_LENGTH,
    placeholder: "tab",
  });
  #problem = el("p", { class: "fleet-problem", id: "fleet-problem", role: "alert" });

  constructor(join: (link: FleetLink, name: string) => void) {
    this.element = el(
      "form",
      { class: "fleet-form", novalidate: true },
      el("label", { for: "fleet-link", text: "Link of the fleet" }),
      this.#link,
      this.#problem,
      el(
        "label",
        { for: "fleet-name" },
        "Name of this tab, for the fleet's host ",
        el("span", { class: "quiet", text: "(optional)" }),
      ),
      this.#name,
      el("button", { type: "submit", class: "button primary", text: "Join the fleet" }),
    );
    listen(this.element, {
      submit: (event) => {
        event.preventDefault();
        const read = readFleetLink(this.#link.value);
        this.#say("problem" in read ? read.problem : "");
        if ("problem" in read) this.#link.focus();
        else join(read, this.#name.value.trim() || "tab");
      },
    });
    listen(this.#link, { input: () => this.#say("") });
    this.#fill();
    addEventListener("hashchange", () => this.#fill());
  }

  /** Takes the link from the page's address, if it is one. */
  #fill(): void {
    if (location.hash.length < 2) return;
    this.#link.value = location.href;
    const read = readFleetLink(location.href);
    this.#say("problem" in read ? read.problem : "");
  }

  #say(problem: string): void {
    this.#problem.textContent = problem;
    this.#link.setAttribute("aria-invalid", String(problem !== ""));
  }
}
