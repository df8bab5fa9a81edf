import type { SymbolsCoverage } from '@fairlead/contract'

export interface ExpectedImage {
  build_id: number
  name: string
  uuid: string
  architecture: string | null
  /** Null when no symbols have been uploaded for it. */
  symbols_image_id: number | null
}

/** The most missing images that an answer names; its counts include all of them. */
export const maxNamed = 100

/** Returns null for a build without images. */
export function toCoverage(images: ExpectedImage[]): SymbolsCoverage | null {
  if (images.length === 0) return null
  const missing = images.filter((image) => image.symbols_image_id === null)
  return {
    expected: images.length,
    present: images.length - missing.length,
    missing: missing.slice(0, maxNamed).map(({ name, uuid, architecture }) => ({ name, uuid, architecture })),
  }
}
