import type { CrashImage } from './crash.ts'

/** An image and where it was loaded. */
export interface LoadedImage extends CrashImage {
  base: bigint | null
  /** In bytes; null where the report does not tell, so that the image ends where the next one begins. */
  size: bigint | null
}

/** Widths of an arm64 code address, in bits: what stands above may be a signature (pointer authentication). */
const addressWidths = [64, 47, 39, 36]

/** Finds the image that an address lies in. Of images that overlap, the one that begins last wins. */
export class ImagePlaces {
  readonly #images: { base: bigint; image: LoadedImage }[]

  constructor(images: readonly LoadedImage[]) {
    this.#images = images
      .flatMap((image) => (image.base === null ? [] : [{ base: image.base, image }]))
      .sort((a, b) => (a.base < b.base ? -1 : a.base > b.base ? 1 : 0))
  }

  /** Without a hit, the signature of pointer authentication is taken off the address. */
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

/** The last part of a path of either separator. */
export function toFileName(path: string): string {
  return path.split(/[/\\]/).at(-1) || path
}

/** Whether a path lies in an application bundle; null when there is no path to judge by. */
export function isAppPath(path: string | null): boolean | null {
  if (path === null || !path.includes('/')) return null
  return path.includes('.app/') || path.startsWith('/data/app/')
}
