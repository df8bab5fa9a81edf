import type { SymbolsCoverage } from '@fairlead/contract'
import type { Db } from '../db/open.ts'

interface ExpectedImage {
  build_id: number
  name: string
  uuid: string
  architecture: string | null
  /** Null when no symbols have been uploaded for it. */
  symbols_image_id: number | null
}

/** Selects the images of builds with the symbols available now, so that symbols uploaded after a build count too. */
export function selectExpectedImages(db: Db, buildIds: number[]) {
  return db
    .selectFrom('build_images')
    .innerJoin('builds', 'builds.id', 'build_images.build_id')
    .select((select) => [
      'build_images.build_id',
      'build_images.name',
      'build_images.uuid',
      'build_images.architecture',
      select
        .selectFrom('symbols_images')
        .select('symbols_images.id')
        .whereRef('symbols_images.application_id', '=', 'builds.application_id')
        .whereRef('symbols_images.uuid', '=', 'build_images.uuid')
        .limit(1)
        .as('symbols_image_id'),
    ])
    .where('build_images.build_id', 'in', buildIds)
}

/** Returns null for a build without images. */
export function toCoverage(images: ExpectedImage[]): SymbolsCoverage | null {
  if (images.length === 0) return null
  const missing = images.filter((image) => image.symbols_image_id === null)
  return {
    expected: images.length,
    present: images.length - missing.length,
    missing: missing.map(({ name, uuid, architecture }) => ({ name, uuid, architecture })),
  }
}
