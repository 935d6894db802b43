// Which runs of the control lab the visitor can race against; the race itself is loaded when it is opened.

import type { Race } from "../../../ui/race";

export const race: Race = {
  // The rules of the visitor's own world are not there as an example whose start could be set.
  allows: ({ world }) => world !== "own",
  open: async (run, signal) => (await import("./dialog")).openRace(run, signal),
};
