/**
 * The debug id of an ELF file: a UUID of the first 16 bytes of its build id, filled up with zeros, whose first three
 * fields are read as little-endian numbers. Upper case with dashes.
 */
export function toDebugId(buildId: Uint8Array): string {
  const id = Buffer.alloc(16)
  id.set(buildId.subarray(0, 16))
  id.subarray(0, 4).reverse()
  id.subarray(4, 6).reverse()
  id.subarray(6, 8).reverse()
  return id
    .toString('hex')
    .toUpperCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
