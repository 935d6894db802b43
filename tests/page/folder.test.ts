// The removal of a folder in the browser's own storage (core/folder.ts), into which something else may write meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import { remove, type Folder } from "../../www/core/folder";

/** A folder whose removals fail with these errors, one after the other, and then succeed. */
function failing(...errors: string[]): { folder: Folder; left: string[] } {
  const removeEntry = () => {
    const name = errors.shift();
    return name === undefined ? Promise.resolve() : Promise.reject(new DOMException("refused", name));
  };
  return { folder: { removeEntry } as unknown as Folder, left: errors };
}

test("removal is repeated if a file was written into the folder meanwhile", async () => {
  const { folder, left } = failing("InvalidModificationError", "InvalidModificationError");
  await remove(folder, "run");
  assert.deepEqual(left, []);
});

test("removal accepts that nothing is there, and reports other errors", async () => {
  await remove(failing("NotFoundError").folder, "run");
  await assert.rejects(remove(failing("NoModificationAllowedError").folder, "run"), /refused/);
  const always = failing(...Array.from({ length: 100 }, () => "InvalidModificationError"));
  await assert.rejects(remove(always.folder, "run"), /refused/);
});
