import { cleanJpeg, isJpeg } from './jpeg.ts'
import { type CleanPicture, PictureError } from './picture.ts'
import { cleanPng, pngSignature } from './png.ts'
import { cleanWebp, isWebp } from './webp.ts'

/**
 * Returns a picture without metadata but its orientation, and without what follows its end. It is known by its bytes,
 * whatever its name says, and nothing is decoded.
 *
 * @throws {PictureError}
 */
export function cleanPicture(bytes: Buffer): CleanPicture {
  if (bytes.subarray(0, pngSignature.length).equals(pngSignature)) return cleanPng(bytes)
  if (isJpeg(bytes)) return cleanJpeg(bytes)
  if (isWebp(bytes)) return cleanWebp(bytes)
  throw new PictureError('is no PNG, JPEG or WebP')
}
