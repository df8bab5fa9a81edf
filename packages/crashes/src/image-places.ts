import { isSystemImage } from '@fairlead/symbols'
import type { CrashImage } from './crash.ts'

/** An image and its address range. */
export interface LoadedImage extends CrashImage {
  base: bigint | null
  /** Size in bytes; null if the report does not give it, and then the image ends where the next one begins. */
  size: bigint | null
}

/** Widths of a code address on arm64, in bits. The bits above may hold a pointer authentication code (PAC). */
const addressWidths = [64, 47, 39, 36]

/** Finds the image that contains an address. If images overlap, the one that begins last wins. */
export class ImagePlaces {
  readonly #images: { base: bigint; image: LoadedImage }[]

  constructor(images: readonly LoadedImage[]) {
    this.#images = images
      .flatMap((image) => (image.base === null ? [] : [{ base: image.base, image }]))
      .sort((a, b) => (a.base < b.base ? -1 : a.base > b.base ? 1 : 0))
  }

  /**
   * Finds the image of an address, and removes the pointer authentication code if no image contains the signed address.
   */
  find(signedAddress: bigint): { image: LoadedImage; offset: number } | undefined {
    for (const width of addressWidths) {
      const address = BigInt.asUintN(width, signedAddress)
      const found = this.#findAt(address)
      if (found) return { image: found.image, offset: Number(address - found.base) }
    }
    return undefined
  }

  #findAt(address: bigint) {
    let low = 0
    let high = this.#images.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const candidate = this.#images[middle]
      if (candidate && candidate.base <= address) low = middle + 1
      else high = middle
    }
    // Hostile reports overlap their images, so the search backwards has a limit.
    for (let at = low - 1; at >= Math.max(0, low - 50); at--) {
      const candidate = this.#images[at]
      if (!candidate) break
      const { size } = candidate.image
      if (size === null || size === 0n ? at === low - 1 : address < candidate.base + size) return candidate
    }
    return undefined
  }
}

/** Returns the last part of a path with slashes or backslashes. */
export function toFileName(path: string): string {
  return path.split(/[/\\]/).at(-1) || path
}

/**
 * Whether a path is in an application bundle; null if there is no path. The system has bundles too: its own apps, and
 * Xcode, which contains the runtimes of simulators.
 */
export function isAppPath(path: string | null): boolean | null {
  if (path === null || !path.includes('/')) return null
  if (isSystemImage({ path })) return false
  return path.includes('.app/') || path.startsWith('/data/') || path.startsWith('/mnt/')
}
