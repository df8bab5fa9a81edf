/** What is known of a picture of a stranger, which is read without being decoded. */

/** Pixels of the longer side, and of the whole picture. */
const pictureLimits = {
  side: 12_000,
  pixels: 50_000_000,
}

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp'

export interface CleanPicture {
  type: PictureType
  /** In pixels, before the picture is turned as its orientation says. */
  width: number
  height: number
  /** Its bytes, in order: slices of the original and what was written anew. */
  pieces: Uint8Array[]
}

/** Why a file is no picture that is kept. The message is shown to people. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

/** @throws {PictureError} */
export function requireSize(width: number, height: number): void {
  if (width < 1 || height < 1) throw new PictureError('has no pixels')
  if (width > pictureLimits.side || height > pictureLimits.side || width * height > pictureLimits.pixels) {
    throw new PictureError(
      `has ${width} × ${height} pixels; ${pictureLimits.side} a side and ${pictureLimits.pixels} in all are accepted`,
    )
  }
}

/** @throws {PictureError} */
export function requireWhole(isWhole: boolean): asserts isWhole {
  if (!isWhole) throw new PictureError('is cut off or damaged')
}
