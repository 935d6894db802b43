/** Writes the service worker of the site in a folder, and returns the version of the site. */
export function writeServiceWorker(folder: string): string;
