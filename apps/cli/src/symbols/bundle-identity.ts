import { createReadStream } from 'node:fs'
import { basename } from 'node:path'

/** A source map is named after its bundle: `index.android.bundle.map`. */
export function toBundleName(path: string): string {
  return basename(path).replace(/\.(?:map|json)$/i, '')
}

/** The key and the id of a source map. In the texts of sources, quotation marks have a backslash before them. */
const mark = /"debug(?:Id|_id)"\s{0,8}:\s{0,8}"([0-9A-Fa-f-]{32,36})"/
const overlap = 128

/** Reads the debug id of a source map without parsing the whole, which may have 100 MB; null if it has none. */
export async function readMapDebugId(path: string): Promise<string | null> {
  let end = ''
  const chunks: AsyncIterable<string> = createReadStream(path, { encoding: 'latin1', highWaterMark: 2 ** 20 })
  for await (const chunk of chunks) {
    const text = end + chunk
    const id = mark.exec(text)?.[1]
    if (id !== undefined) return id
    end = text.slice(-overlap)
  }
  return null
}

/** An image with its id. A bundle of JavaScript without a debug id is known by its name alone. */
export function toImageLabel({ name, uuid }: { name: string; uuid: string }): string {
  return uuid === '' ? name : `${name} (${uuid})`
}
