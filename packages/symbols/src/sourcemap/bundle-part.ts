/** The part of a bundle that a file is, by its name: `5.js` is a module of a RAM bundle, `seg-2_5.js` of segment 2. */
export interface BundlePartName {
  segment?: number
  module?: number
}

export function toBundlePart(name: string | null): BundlePartName {
  const parts = name === null ? null : /^(?:seg-(\d{1,6})(?:_(\d{1,9}))?|(\d{1,9}))\.(?:js|hbc)$/.exec(name)
  if (!parts) return {}
  const [, segment, module = parts[3]] = parts
  return {
    ...(segment !== undefined && { segment: Number(segment) }),
    ...(module !== undefined && { module: Number(module) }),
  }
}
