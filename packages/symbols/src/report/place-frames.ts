import type { ReportFrame, ReportImage } from './crash-report.ts'

/** Widths of a code address on arm64: what is above them may be a signature (pointer authentication) and is taken off. */
const addressWidths = [47, 39, 36]

/** Images by address, so that the one that a frame lies in is found by halves. */
export class ImagePlaces {
  readonly #images: ReportImage[]

  constructor(images: readonly ReportImage[]) {
    this.#images = images.toSorted((a, b) => a.base - b.base)
  }

  /** The image at an address. */
  find(address: number): ReportImage | undefined {
    let low = 0
    let high = this.#images.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#images[middle] as ReportImage).base <= address) low = middle + 1
      else high = middle
    }
    const image = this.#images[low - 1]
    return image && address < image.end ? image : undefined
  }
}

/** Finds the image of a frame by its address, the signature taken off where it has one, and puts image, address and offset into it. */
export function placeFrame(frame: ReportFrame, signedAddress: bigint, places: ImagePlaces): void {
  for (const width of [64, ...addressWidths]) {
    const address = Number(BigInt.asUintN(width, signedAddress))
    if (!Number.isSafeInteger(address)) continue
    const image = places.find(address)
    frame.address ??= address
    if (!image) continue
    frame.image = image
    frame.module ??= image.name
    frame.address = address
    frame.offset = address - image.base
    return
  }
}
