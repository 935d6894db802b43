// Files and folders in the browser's origin-private file system (OPFS). A file is replaced as a whole: the browser
// writes to a temporary file and moves it to its name when the stream is closed. So whatever fails between, a full disk
// or a tab that is closed, the old file stays.

export type Folder = FileSystemDirectoryHandle;

/** The folder that holds the folders of all labs. Without `create` it throws if there is none. */
export async function allLabs(create = false): Promise<Folder> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle("learnery", { create });
}

/** The folder of a lab. Without `create` it throws if there is none. */
export async function labFolder(lab: string, create = true): Promise<Folder> {
  return (await allLabs(create)).getDirectoryHandle(lab, { create });
}

/** Writes a file in place of the one before, or throws and leaves that as it was. */
export async function writeFile(folder: Folder, name: string, data: Uint8Array | string): Promise<void> {
  const handle = await folder.getFileHandle(name, { create: true });
  const writable = await handle.createWritable();
  try {
    await writable.write(data as FileSystemWriteChunkType);
    await writable.close();
  } catch (error) {
    await writable.abort().catch(() => {}); // frees the temporary file
    throw error;
  }
}

/** A file; null if it is missing or empty. A file is empty if its first write has failed. */
export async function fileIn(folder: Folder, name: string): Promise<File | null> {
  try {
    const file = await (await folder.getFileHandle(name)).getFile();
    return file.size > 0 ? file : null;
  } catch {
    return null;
  }
}

/** The text of a file; null if it is missing or empty. */
export async function textIn(folder: Folder, name: string): Promise<string | null> {
  const file = await fileIn(folder, name);
  return file ? file.text().catch(() => null) : null;
}

/** A folder is removed so often while something is written into it. */
const MAX_REMOVALS = 5;

/** Removes a file, or a folder with all that is in it. It may be missing. */
export async function remove(folder: Folder, name: string): Promise<void> {
  for (let removals = 1; ; removals++) {
    try {
      await folder.removeEntry(name, { recursive: true });
      return;
    } catch (error) {
      const { name: kind } = error as Error;
      if (kind === "NotFoundError") return;
      // A file was written into the folder between the removal of its files and its own.
      if (kind !== "InvalidModificationError" || removals === MAX_REMOVALS) throw error;
    }
  }
}

/** The bytes of all files in a folder and in its folders. */
export async function folderBytes(folder: Folder): Promise<number> {
  const sizes: Promise<number>[] = [];
  for await (const handle of folder.values()) sizes.push(bytesOf(handle));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

async function bytesOf(handle: FileSystemHandle): Promise<number> {
  if (handle.kind === "directory") return folderBytes(handle as Folder);
  return (handle as FileSystemFileHandle).getFile().then(
    ({ size }) => size,
    () => 0, // removed meanwhile
  );
}

/** True for the error of a write that found no space. */
export function isFull(error: unknown): boolean {
  return (error as Error).name === "QuotaExceededError";
}
