/**
 * XML property lists: one value inside `<plist>`, written with the elements dict, key, array, string, integer, real,
 * true, false, date and data. Only the subset of XML that property lists need is supported: comments, CDATA, the five
 * predefined entities and character references. A document type declaration is skipped and its declarations are
 * ignored, so that no entity can expand and no external file is read.
 */
import { BinaryError } from '../binary-error.ts'
import { toScalar } from './xml-scalar.ts'
import { createXmlTokens } from './xml-tokens.ts'
import type { PlistDictionary, PlistLimits, PlistValue } from './plist-value.ts'

interface Container {
  element: 'dict' | 'array' | 'plist'
  value: PlistDictionary | PlistValue[]
  key: string | undefined
}

export function parseXmlPlist(bytes: Buffer, limits: PlistLimits): PlistValue {
  const tokens = createXmlTokens(decodeText(bytes))
  const root: Container = { element: 'plist', value: [], key: undefined }
  const open: Container[] = [root]
  let objects = 0

  for (let token = tokens.nextTag(); token; token = tokens.nextTag()) {
    const container = open.at(-1) ?? root
    if (++objects > limits.maxObjects) throw new BinaryError('too-large', 'The property list has too many values.')
    const { name } = token
    if (token.closes) {
      if (name === 'plist' && open.length === 1) break
      if (name !== container.element || open.length === 1) throw malformed(`</${name.slice(0, 20)}> closes nothing.`)
      if (container.key !== undefined) throw malformed('A key has no value.')
      open.pop()
    } else if (name === 'plist') {
      if (open.length > 1 || token.empty) throw malformed('<plist> is not where it belongs.')
    } else if (name === 'dict' || name === 'array') {
      const value = name === 'dict' ? (Object.create(null) as PlistDictionary) : []
      add(container, value)
      if (!token.empty) open.push({ element: name, value, key: undefined })
      if (open.length > limits.maxDepth) throw new BinaryError('too-large', 'The property list is nested too deeply.')
    } else if (name === 'key') {
      if (container.element !== 'dict' || container.key !== undefined) throw malformed('A key is not where it belongs.')
      container.key = token.empty ? '' : tokens.textUntilClose(name)
    } else {
      add(container, toScalar(name, token.empty ? '' : tokens.textUntilClose(name)))
    }
  }
  const [value] = root.value as PlistValue[]
  if (value === undefined || open.length > 1) throw malformed('It breaks off.')
  return value
}

function add(container: Container, value: PlistValue): void {
  if (Array.isArray(container.value)) {
    if (container.element === 'plist' && container.value.length > 0) throw malformed('It holds two values.')
    container.value.push(value)
    return
  }
  if (container.key === undefined) throw malformed('A value has no key.')
  container.value[container.key] = value
  container.key = undefined
}

/** Decodes by the byte order mark, else by the declared encoding, else as UTF-8. */
function decodeText(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const declared = /^<\?xml[^>]{0,100}encoding=["'](iso-8859-1|us-ascii)["']/i.exec(bytes.toString('latin1', 0, 200))
  return declared ? bytes.toString('latin1') : new TextDecoder().decode(bytes)
}

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-plist', detail)
}
