// Which runs of the control lab the visitor can race against; the race itself is loaded when it is opened.

import type { Race } from "../../../ui/race";

export const race: Race = {
  allows: () => true,
  open: async (run, signal) => {
    const isOwn = run.settings["world"] === "own";
    const { openRace } = await (isOwn ? import("./own-dialog") : import("./dialog"));
    return openRace(run, signal);
  },
};
