// How a GPU is named, by what the browser tells of it.

/**
 * The browser's description of an adapter, or vendor and device where it hides that; empty if it hides everything. The
 * fields are empty strings where the browser keeps them back, to make visitors harder to recognise.
 */
export function adapterName(info: Pick<GPUAdapterInfo, "description" | "vendor" | "device" | "architecture">): string {
  const { description, vendor, device, architecture } = info;
  return description || [vendor, device || architecture].filter(Boolean).join(" ");
}
