/**
 * XML in the form of an app bundle, in protocol buffers (aapt2's Resources.proto):
 *   XmlNode       1 element
 *   XmlElement    3 name · 4 attribute · 5 child (XmlNode)
 *   XmlAttribute  1 namespace · 2 name · 3 value as text · 5 resource id of the name · 6 compiled value (Item)
 *   Item          1 reference (2: id) · 2 text (1: value) · 3 raw text (1: value) · 5 file (1: path) · 7 primitive
 *   Primitive     6 decimal · 7 hexadecimal · 8 boolean · 9–12 colours
 */
import { BinaryError } from '../binary-error.ts'
import type { XmlElement } from './binary-xml.ts'
import { findProto, readProto } from './proto.ts'
import { type Value, valueType } from './value.ts'

/** Elements nested deeper than this are skipped, because no field that is read lies there. */
const maxDepth = 6
const maxAttributes = 200
const maxElements = 200_000

/**
 * Yields the elements in document order.
 *
 * @throws BinaryError `too-large`; RangeError if the document is truncated.
 */
export function* readProtoElements(bytes: Buffer): Generator<XmlElement, void> {
  const waiting = [{ node: bytes, depth: 1 }]
  for (let count = 0, next = waiting.pop(); next; next = waiting.pop(), count++) {
    if (count > maxElements) throw new BinaryError('too-large', 'It has too many elements.')
    const element = findProto(next.node, 1)?.bytes
    if (!element) continue
    const { depth } = next
    const children: Buffer[] = []
    const attributes: Buffer[] = []
    let name = ''
    for (const field of readProto(element)) {
      if (field.number === 3) name = field.bytes.toString()
      if (field.number === 4 && attributes.length < maxAttributes) attributes.push(field.bytes)
      if (field.number === 5 && depth < maxDepth) children.push(field.bytes)
    }
    yield toElement(name, depth, attributes)
    for (const child of children.reverse()) waiting.push({ node: child, depth: depth + 1 })
  }
}

function toElement(name: string, depth: number, attributes: Buffer[]): XmlElement {
  const find = (matches: (attribute: Buffer) => boolean) => {
    const found = attributes.find(matches)
    return found && readAttribute(found)
  }
  return {
    name,
    depth,
    attribute: (id) => find((attribute) => findProto(attribute, 5)?.value === id),
    plainAttribute: (plain) =>
      find(
        (attribute) => !findProto(attribute, 1)?.bytes.length && findProto(attribute, 2)?.bytes.toString() === plain,
      ),
  }
}

function readAttribute(attribute: Buffer): Value {
  const item = findProto(attribute, 6)?.bytes
  const compiled = item && readItem(item)
  return compiled ?? toTextValue(findProto(attribute, 3)?.bytes)
}

/** Converts an Item message to a value, or returns undefined for an item without a single value. */
export function readItem(item: Buffer): Value | undefined {
  for (const { number, bytes } of readProto(item)) {
    if (number === 1) return { type: valueType.reference, data: findProto(bytes, 2)?.value ?? 0 }
    if (number === 2 || number === 3 || number === 5) return toTextValue(findProto(bytes, 1)?.bytes)
    if (number === 7) return readPrimitive(bytes)
  }
  return undefined
}

const primitiveTypes: Record<number, number> = {
  6: valueType.firstInteger,
  7: valueType.hexadecimal,
  8: valueType.boolean,
}

function readPrimitive(primitive: Buffer): Value | undefined {
  for (const { number, value } of readProto(primitive)) {
    const type = primitiveTypes[number]
    if (type !== undefined) return { type, data: value }
  }
  return undefined
}

function toTextValue(text: Buffer | undefined): Value {
  return { type: valueType.string, data: 0, text: text?.toString() ?? '' }
}
