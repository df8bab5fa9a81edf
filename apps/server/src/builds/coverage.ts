import type { Platform, SymbolsCoverage, SymbolsKind } from '@fairlead/contract'

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

/** The kind of the symbols that an image of a build needs. */
export function toKindOfImage(name: string, platform: Platform): SymbolsKind {
  if (name === 'classes.dex') return 'proguard'
  if (/\.(?:js)?bundle$/.test(name)) return 'sourcemap'
  return platform === 'ios' ? 'dsym' : 'elf'
}

/** Spells debug ids as everywhere. UUIDs of Apple's systems and map ids keep the spelling that clients know. */
export function spellMissing(coverage: SymbolsCoverage | null, platform: Platform): SymbolsCoverage | null {
  if (!coverage) return null
  const missing = coverage.missing.map((image) => {
    const kind = toKindOfImage(image.name, platform)
    return kind === 'dsym' || kind === 'proguard' ? image : { ...image, uuid: image.uuid.toLowerCase() }
  })
  return { ...coverage, missing }
}
