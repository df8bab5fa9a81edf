import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for the files of a test, removed when it is disposed of. */
export interface TemporaryFolder extends Disposable {
  write(name: string, bytes: Uint8Array): string
  path(name: string): string
}

export function openTemporaryFolder(): TemporaryFolder {
  const folder = mkdtempSync(join(tmpdir(), 'fairlead-binary-'))
  return {
    write(name, bytes) {
      const path = join(folder, name)
      writeFileSync(path, bytes)
      return path
    },
    path: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}
