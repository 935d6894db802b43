/** Lets promises that are resolved call what waits for them. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
