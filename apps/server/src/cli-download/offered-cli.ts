import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The packed command line that this server offers, with everything that it needs to run. */
export interface OfferedCli {
  fileName: string
  bytes: Buffer
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string
}

/** `npm ci` and `npm start` pack the command line into this folder. */
const defaultFolder = fileURLToPath(new URL('../../../cli/dist', import.meta.url))

/** Reads the packed command line, of half a megabyte; undefined where it was not packed. */
export function findOfferedCli(folder = defaultFolder): OfferedCli | undefined {
  const [path] = globSync('fairlead-*.tgz', { cwd: folder }).toSorted().toReversed()
  if (path === undefined) return undefined
  const bytes = readFileSync(join(folder, path))
  return { fileName: basename(path), bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}
