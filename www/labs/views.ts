// The list of the labs' large pictures (`ViewModule` in lab-view.ts). A lab without an entry still has its settings,
// charts and checkpoints.

import type { AnyView } from "../core/run";
import type { LabTypes } from "../generated/protocol";
import type { ViewModule } from "./lab-view";

const MODULES: { [Id in keyof LabTypes]: () => Promise<ViewModule<LabTypes[Id]["view"]>> } = {
  backgammon: () => import("./backgammon/view"),
  control: () => import("./control/view"),
  cube: () => import("./cube/view"),
  language: () => import("./language/view"),
  logic: () => import("./logic/view"),
};

/** Loads the module of a lab's picture; null if the lab has none or it cannot be loaded. */
export async function loadViewModule(id: string): Promise<ViewModule<AnyView> | null> {
  const load = (MODULES as Partial<Record<string, () => Promise<unknown>>>)[id];
  // A worker holds one lab's bundle and sends only that lab's views, which the types cannot express.
  return ((await load?.().catch(() => null)) ?? null) as ViewModule<AnyView> | null;
}
