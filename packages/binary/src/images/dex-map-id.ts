/**
 * R8 writes a marker into the strings of a dex file: `~~R8{"…":…,"pg-map-id":"7bd0…",…}`. The same map id is in the
 * header of the mapping file that R8 wrote, so it identifies the mapping of these classes.
 */
const marker = Buffer.from('~~R8{')
const maxMarkerLength = 4096

/**
 * Finds the map id in the bytes of a dex file, which arrive in order; undefined if R8 wrote none. Only the last chunk
 * and the end of the one before are held in memory.
 */
export async function readDexMapId(chunks: AsyncIterable<Buffer>): Promise<string | undefined> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk])
    for (let at = held.indexOf(marker); at !== -1; at = held.indexOf(marker, at + 1)) {
      const end = held.indexOf(0, at)
      // The marker may continue in the next chunk.
      if (end === -1 && held.length - at < maxMarkerLength) break
      const id = parseMarker(held.toString('latin1', at + marker.length - 1, end === -1 ? at + maxMarkerLength : end))
      if (id !== undefined) return id
    }
    held = held.subarray(-maxMarkerLength)
  }
  return undefined
}

function parseMarker(text: string): string | undefined {
  const [, id] = /"pg-map-id"\s*:\s*"([0-9A-Fa-f]{7,64})"/.exec(text) ?? []
  return id
}
