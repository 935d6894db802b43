import type { Rolldown } from "vite";

/** The labs that each file of a site belongs to, by path. Files that all labs use and bundles are not in it. */
export function labsOfFiles(bundle: Rolldown.OutputBundle, labs: string[]): Record<string, string[]>;
