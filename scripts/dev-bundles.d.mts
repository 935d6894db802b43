/** The names of the labs, in the order of the front. */
export function labNames(root: string): string[];
