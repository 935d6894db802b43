// Opens the duel of a link. Loaded when a link has one.

import type { RunRequest } from "./core/link";
import { hasDuels } from "./labs/run-parts";
import type { LabScreen } from "./ui/lab-screen";
import type { Notices } from "./ui/notices";

/** What is used of the page. */
interface Page {
  screen: unknown;
  notices: Notices;
}

/** Opens the tool “Compare” with the duel of a link, once, or says that the lab has no duels. */
export function openDuel(page: Page, screen: LabScreen, request: RunRequest): void {
  // The visitor may have left the lab meanwhile, or the same link was to be opened twice.
  if (page.screen !== screen || request.duel === null) return;
  const { lab, tools } = screen;
  const linked = { ...request };
  request.duel = null;
  if (hasDuels(lab.about.id)) return tools.showDuel(linked);
  const text = `${lab.about.title} has no duels, so “duel” in this link is ignored.`;
  page.notices.show("duel", text, [], { tone: "wrong" });
}
