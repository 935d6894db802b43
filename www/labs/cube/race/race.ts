// Which runs of the cube lab the visitor can race against; the race itself is loaded when it is opened.

import type { Race } from "../../../ui/race";

export const race: Race = {
  allows: () => true,
  open: async (run, signal) => (await import("./dialog")).openRace(run, signal),
};
