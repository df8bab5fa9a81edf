/**
 * A bounded reader of DER, and of the BER that CMS allows: lengths may be indefinite and octet strings fragmented.
 * An element is a tag byte (bit 5: it contains other elements), a length (one byte; or 80+n and n bytes; or 80 for
 * indefinite, ended by two zero bytes), and the content.
 */
const maxDepth = 32
const maxElements = 20_000

export interface DerElement {
  tag: number
  /** The whole element with its tag and length. */
  bytes: Buffer
  content: Buffer
}

export const derTag = {
  integer: 0x02,
  octetString: 0x04,
  objectIdentifier: 0x06,
  constructedOctetString: 0x24,
  sequence: 0x30,
  set: 0x31,
  context0: 0xa0,
  context3: 0xa3,
  /** A primitive element that is tagged as [0] instead of by its own tag. */
  implicit0: 0x80,
} as const

/**
 * Reads the first element of `bytes`.
 *
 * @throws RangeError if there is none.
 */
export function readDer(bytes: Buffer): DerElement {
  return readElement(bytes, 0, { left: maxElements }, 0)
}

/**
 * Reads the elements inside another one.
 *
 * @throws RangeError if one of them is truncated.
 */
export function readDerChildren(parent: DerElement): DerElement[] {
  const budget = { left: maxElements }
  const children: DerElement[] = []
  for (let at = 0; at < parent.content.length;) {
    const child = readElement(parent.content, at, budget, 0)
    children.push(child)
    at += child.bytes.length
  }
  return children
}

/** Returns the bytes of an octet string, joining the fragments of a constructed one. */
export function readOctets(element: DerElement, depth = 0): Buffer {
  if (element.tag === derTag.octetString) return element.content
  if (element.tag !== derTag.constructedOctetString || depth > maxDepth) throw new RangeError('no octet string')
  return Buffer.concat(readDerChildren(element).map((piece) => readOctets(piece, depth + 1)))
}

function readElement(bytes: Buffer, at: number, budget: { left: number }, depth: number): DerElement {
  if (depth > maxDepth || --budget.left < 0) throw new RangeError('nested too deeply')
  const tag = bytes.readUInt8(at)
  if ((tag & 0x1f) === 0x1f) throw new RangeError('long tags are not used here')
  const first = bytes.readUInt8(at + 1)
  if (first === 0x80) return readIndefinite(bytes, at, tag, budget, depth)
  const width = first < 0x80 ? 0 : first & 0x7f
  if (width > 4) throw new RangeError('a length is too long')
  const start = at + 2 + width
  const length = width === 0 ? first : bytes.readUIntBE(at + 2, width)
  if (start + length > bytes.length) throw new RangeError('an element reaches past the end')
  return { tag, bytes: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) }
}

function readIndefinite(bytes: Buffer, at: number, tag: number, budget: { left: number }, depth: number): DerElement {
  let end = at + 2
  while (bytes.readUInt16BE(end) !== 0) end += readElement(bytes, end, budget, depth + 1).bytes.length
  return { tag, bytes: bytes.subarray(at, end + 2), content: bytes.subarray(at + 2, end) }
}
