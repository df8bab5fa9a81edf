import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  path: string
  /** Writes a file into it and gives its path. */
  write(name: string, content: Uint8Array | string): string
}

/** A folder that is removed when it is disposed of. */
export function createFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'symbols-test-'))
  return {
    path,
    write(name, content) {
      const file = join(path, name)
      writeFileSync(file, content)
      return file
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}
