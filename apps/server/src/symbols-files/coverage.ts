import type { SymbolsCoverage } from '@fairlead/contract'
import type { Db } from '../db/open.ts'

/**
 * Which of its own images each build has symbols for, asked anew each time: symbols that arrive later count at once.
 * Builds that name no image are left out.
 */
export async function findCoverage(db: Db, buildIds: number[]): Promise<Map<number, SymbolsCoverage>> {
  const images = await db
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
    .execute()
  const coverage = new Map<number, SymbolsCoverage>()
  for (const [buildId, expected] of Map.groupBy(images, (image) => image.build_id)) {
    const missing = expected.filter((image) => image.symbols_image_id === null)
    coverage.set(buildId, {
      expected: expected.length,
      present: expected.length - missing.length,
      missing: missing.map(({ name, uuid, architecture }) => ({ name, uuid, architecture })),
    })
  }
  return coverage
}
