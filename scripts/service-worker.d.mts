/**
 * Writes the service worker of the site in a folder, and returns the version of the site. `labs` are the labs that each
 * file belongs to, by path.
 */
export function writeServiceWorker(folder: string, labs: Record<string, string[]>): string;

/** The labs that each file of a site belongs to, as its service worker says. */
export function labsInServiceWorker(folder: string): Record<string, string[]>;
