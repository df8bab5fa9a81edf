import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Mapping, openMapping } from '../src/index.ts'
import { buildMappingIndex } from '../src/android/index/build-mapping-index.ts'

/** Opens a mapping given as text or bytes. Its files are deleted before this returns. */
export async function openMappingText(text: string | Buffer): Promise<Mapping> {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-mapping-'))
  try {
    writeFileSync(join(folder, 'mapping.txt'), text)
    await buildMappingIndex(join(folder, 'mapping.txt'), join(folder, 'mapping.index'))
    return openMapping(join(folder, 'mapping.index'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
