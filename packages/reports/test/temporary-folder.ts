import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  path: string
  /** Writes a file and returns its path. */
  write(name: string, contents: string | Uint8Array): string
}

export function openTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'fairlead-reports-'))
  return {
    path,
    write(name, contents) {
      writeFileSync(join(path, name), contents)
      return join(path, name)
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
