// Finds the manifests of the labs, `labs/<lab>/manifest.ts`, and loads what they name.

import type { AnyView } from "../core/run-events";
import type { LabManifest } from "../ui/lab-manifest";
import type { ViewModule } from "../ui/lab-view";

// A worker holds one lab's bundle and sends only that lab's views, which the types cannot express: here the manifest of
// a lab becomes one for the views of any lab.
const MANIFESTS = import.meta.glob<LabManifest>("./*/manifest.ts", { eager: true, import: "manifest" });

/** The manifest of a lab. A lab without one still has its settings, curves and checkpoints. */
export function manifestOf(id: string): LabManifest | undefined {
  return MANIFESTS[`./${id}/manifest.ts`];
}

/** The view module of a lab, or `null` if it has none. Throws if it cannot be loaded. */
export async function loadViewModule(id: string): Promise<ViewModule<AnyView> | null> {
  return (await manifestOf(id)?.view()) ?? null;
}
