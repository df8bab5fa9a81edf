/**
 * React Native packs the JavaScript of an app into one file, as text or as bytecode of Hermes. Sentry's tools write the
 * debug id of its source map into it: `sentry-dbid-<id>` in a text of the program, which is also among the texts of
 * bytecode, and `//# debugId=<id>` in a comment.
 */

export interface JavaScriptBundle {
  /** The file's name. */
  name: string
  /** The debug id in upper case; empty if it has none. */
  uuid: string
  /** Its code runs on every processor. */
  architecture: null
}

const androidBundle = /^assets\/(index\.android\.bundle)$/
const appleBundle = /^Payload\/[^/]+\.app\/(main\.jsbundle)$/

/** The file name of the bundle that an entry of an app is; undefined for another entry. */
export function findBundleName(entry: string): string | undefined {
  return (androidBundle.exec(entry) ?? appleBundle.exec(entry))?.[1]
}

const id = '([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})'
const mark = new RegExp(`(?:sentry-dbid-|//[#@] debugId=)${id}`)
/** More bytes than a mark has, which may lie across two chunks. */
const overlap = 64

/** Reads the bytes of a bundle, which arrive in order. Its source map is found by its name when it has no debug id. */
export async function readJavaScriptBundle(name: string, chunks: AsyncIterable<Buffer>): Promise<JavaScriptBundle> {
  let end = ''
  for await (const chunk of chunks) {
    const text = end + chunk.toString('latin1')
    const uuid = mark.exec(text)?.[1]
    if (uuid !== undefined) return { name, uuid: uuid.toUpperCase(), architecture: null }
    end = text.slice(-overlap)
  }
  return { name, uuid: '', architecture: null }
}
