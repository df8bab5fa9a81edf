import { upperBoundBy } from '../sorted/search.ts'
import type { ReportFrame, ReportImage } from './crash-report.ts'

/**
 * Widths of a code address on arm64, in bits. The bits above may hold a pointer authentication code (PAC), which is
 * removed.
 */
const addressWidths = [47, 39, 36]

/** Images sorted by address, so that the image of a frame is found by binary search. */
export class ImagePlaces {
  readonly #images: ReportImage[]

  constructor(images: readonly ReportImage[]) {
    this.#images = images.toSorted((a, b) => a.base - b.base)
  }

  /** The image that contains an address. */
  find(address: number): ReportImage | undefined {
    const image = this.#images[upperBoundBy(this.#images, ({ base }) => base, address) - 1]
    return image && address < image.end ? image : undefined
  }
}

/**
 * Finds the image of a frame by its address, without a pointer authentication code if that is needed to find one, and
 * sets the frame's image, address and offset.
 */
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
