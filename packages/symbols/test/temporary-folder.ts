import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryFolder extends Disposable {
  path: string
  /** Writes a file into the folder and returns its path. */
  write(name: string, content: Uint8Array | string): string
}

/** Creates a folder that is removed when it is disposed. */
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
