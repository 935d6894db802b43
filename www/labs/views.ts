// Loads the view of a lab: the part of its screen that is particular to the lab. A lab without an entry here still gets
// its settings, curves and checkpoints.

import type { AnyView } from "../core/run";
import type { LabTypes } from "../generated/protocol";
import type { ViewModule } from "../ui/lab-view";

const VIEW_LOADERS: { [Id in keyof LabTypes]: () => Promise<ViewModule<LabTypes[Id]["view"]>> } = {
  backgammon: () => import("./backgammon/view"),
  control: () => import("./control/view"),
  cube: () => import("./cube/view"),
  language: () => import("./language/view"),
  logic: () => import("./logic/view"),
};

/** The view module of a lab, or `null` if it has none. Throws if it cannot be loaded. */
export async function loadViewModule(id: string): Promise<ViewModule<AnyView> | null> {
  const load = (VIEW_LOADERS as Partial<Record<string, () => Promise<unknown>>>)[id];
  // A worker holds one lab's bundle and sends only that lab's views, which the types cannot express.
  return ((await load?.()) ?? null) as ViewModule<AnyView> | null;
}
