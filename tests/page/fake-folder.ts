// Folders and files in memory with the interface of the browser's origin-private file system, as far as the page uses
// it: a file is replaced when its stream is closed, and a write beyond the quota fails.

type Entry = FakeFolder | FakeFile;

/** An error as the page recognises it, by its name. */
const error = (name: string) => Object.assign(new Error(name), { name });

export class Disk {
  /** Bytes that can be stored. */
  quota = Infinity;
  readonly root = new FakeFolder(this, "");

  get used(): number {
    return sizeOf(this.root);
  }
}

function sizeOf(entry: Entry): number {
  if (entry instanceof FakeFile) return entry.data.length;
  return [...entry.entriesByName.values()].reduce((sum, each) => sum + sizeOf(each), 0);
}

class FakeFile {
  readonly kind = "file";
  data = new Uint8Array();
  savedAt = Date.now();

  constructor(
    readonly disk: Disk,
    readonly name: string,
  ) {}

  getFile(): Promise<File> {
    return Promise.resolve(new File([this.data], this.name, { lastModified: this.savedAt }));
  }

  createWritable(): Promise<object> {
    let written: Uint8Array<ArrayBuffer> | null = null;
    return Promise.resolve({
      // The page writes once to a stream; a real one would append.
      write: (data: Uint8Array | string) => {
        if (written) return Promise.reject(new Error("only one write to a stream is simulated"));
        written = typeof data === "string" ? new TextEncoder().encode(data) : data.slice();
        // Both count, because the old file is there until the new one takes its place.
        return this.disk.used + written.length > this.disk.quota
          ? Promise.reject(error("QuotaExceededError"))
          : Promise.resolve();
      },
      close: () => {
        this.data = written ?? new Uint8Array();
        this.savedAt = Date.now();
        return Promise.resolve();
      },
      abort: () => Promise.resolve(),
    });
  }
}

export class FakeFolder {
  readonly kind = "directory";
  readonly entriesByName = new Map<string, Entry>();

  constructor(
    readonly disk: Disk,
    readonly name: string,
  ) {}

  getDirectoryHandle(name: string, { create = false } = {}): Promise<FakeFolder> {
    return this.#get(name, create, FakeFolder);
  }

  getFileHandle(name: string, { create = false } = {}): Promise<FakeFile> {
    return this.#get(name, create, FakeFile);
  }

  removeEntry(name: string, { recursive = false } = {}): Promise<void> {
    const entry = this.entriesByName.get(name);
    if (!entry) return Promise.reject(error("NotFoundError"));
    if (entry instanceof FakeFolder && entry.entriesByName.size > 0 && !recursive)
      return Promise.reject(error("InvalidModificationError"));
    this.entriesByName.delete(name);
    return Promise.resolve();
  }

  async *keys(): AsyncGenerator<string> {
    for (const name of [...this.entriesByName.keys()]) yield await Promise.resolve(name);
  }

  async *values(): AsyncGenerator<Entry> {
    for (const entry of [...this.entriesByName.values()]) yield await Promise.resolve(entry);
  }

  #get<Kind extends Entry>(name: string, create: boolean, kind: new (disk: Disk, name: string) => Kind): Promise<Kind> {
    if (!/^[^/]+$/.test(name) || name === "." || name === "..") return Promise.reject(error("TypeError"));
    let entry = this.entriesByName.get(name);
    if (!entry && create) this.entriesByName.set(name, (entry = new kind(this.disk, name)));
    if (!entry) return Promise.reject(error("NotFoundError"));
    return entry instanceof kind ? Promise.resolve(entry) : Promise.reject(error("TypeMismatchError"));
  }

  /** Stores a file for a test, synchronously and whatever the quota. */
  put(name: string, data: Uint8Array | string): void {
    const file = new FakeFile(this.disk, name);
    file.data = typeof data === "string" ? new TextEncoder().encode(data) : data.slice();
    this.entriesByName.set(name, file);
  }
}
