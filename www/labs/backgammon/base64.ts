// Encodes files in base 64, in which commands carry them to the lab.

/** The content of a file in base 64. */
export async function base64(file: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."));
  });
  reader.readAsDataURL(file);
  // The reader gives a data URL: a prefix that ends in a comma, then the content in base 64. An empty file has no
  // comma.
  const dataUrl = await read;
  const comma = dataUrl.indexOf(",");
  return comma < 0 ? "" : dataUrl.slice(comma + 1);
}
