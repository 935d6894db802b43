// Says which files of a built site belong to which lab, so that the service worker keeps on the device only the labs
// that a visitor has opened. Everything else is the shell: the files that every lab needs, and the front.
//
// The build tells which modules a chunk holds and what it imports. A chunk whose modules of labs are all of one lab is
// that lab's. The shell is what the pages lead to without a dynamic import of a lab's chunk. What only labs lead to
// belongs to each lab that leads to it. The bundles are built with the worker, whose chunks are not shown here:
// service-worker.mjs knows their labs by their names.

const LAB_MODULES = [/\/www\/labs\/(\w+)\//, /\/www\/generated\/labs\/(\w+)\.ts/];

/**
 * The labs that each file belongs to, by path. Files of the shell and bundles are not in it. `bundle` is what Vite
 * passes to the hook `writeBundle`. Throws if nothing is found of one of the labs.
 */
export function labsOfFiles(bundle, labs) {
  const chunks = Object.values(bundle).filter(({ type }) => type === "chunk");
  const owners = new Map(chunks.map((chunk) => [chunk.fileName, labOf(chunk, labs)]));
  const pages = chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName);
  const shell = reached(bundle, pages, (path, isDynamic) => !isDynamic || !owners.get(path));
  const found = {};
  for (const lab of labs) {
    const own = chunks.map(({ fileName }) => fileName).filter((path) => owners.get(path) === lab);
    const files = [...reached(bundle, own, (path) => !shell.has(path))].filter((path) => !shell.has(path));
    if (files.length === 0) throw new Error(`no file of the site belongs to the lab ${lab}`);
    for (const path of files) (found[path] ??= []).push(lab);
  }
  return found;
}

/** The lab that a chunk belongs to; undefined if it has modules of several labs or of none. */
function labOf({ moduleIds }, labs) {
  const found = moduleIds.flatMap((id) => LAB_MODULES.map((pattern) => pattern.exec(id.replaceAll("\\", "/"))?.[1]));
  const own = new Set(found.filter((lab) => labs.includes(lab)));
  return own.size === 1 ? [...own][0] : undefined;
}

/**
 * The files that `starts` lead to, these included. `follows(path, isDynamic)` says for each import whether it counts.
 */
function reached(bundle, starts, follows) {
  const found = new Set(starts);
  // The loop also visits what is added meanwhile.
  for (const path of found) {
    const { imports = [], dynamicImports = [], viteMetadata } = bundle[path] ?? {};
    const needed = [...imports, ...(viteMetadata?.importedCss ?? []), ...(viteMetadata?.importedAssets ?? [])];
    for (const next of needed) if (follows(next, false)) found.add(next);
    for (const next of dynamicImports) if (follows(next, true)) found.add(next);
  }
  return found;
}
