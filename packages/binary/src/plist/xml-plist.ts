/**
 * XML property lists: one value, inside `<plist>` as a rule, written with the elements dict, key, array, string,
 * integer, real, true, false, date and data. Entities beyond XML's five are refused. What follows the list is ignored.
 */
import { BinaryError } from '../binary-error.ts'
import { createPieceDecoder } from '../xml/piece-decoder.ts'
import { XmlError } from '../xml/xml-error.ts'
import { XmlReader } from '../xml/xml-reader.ts'
import { toScalar } from './xml-scalar.ts'
import type { PlistDictionary, PlistLimits, PlistValue } from './plist-value.ts'

interface Container {
  element: 'dict' | 'array' | 'plist'
  value: PlistDictionary | PlistValue[]
  key: string | undefined
}

export function parseXmlPlist(bytes: Buffer, limits: PlistLimits): PlistValue {
  const decoder = createPieceDecoder(bytes)
  if (decoder === undefined) throw malformed('It is in UTF-32.')
  const builder = new PlistBuilder(limits)
  try {
    builder.xml.write(decoder.decode(bytes) + decoder.end())
    builder.xml.end()
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    const code = error.code === 'malformed' ? 'malformed-plist' : error.code
    throw new BinaryError(code, `${error.message} Line ${error.line}.`, { cause: error })
  }
  return builder.finish()
}

class PlistBuilder {
  readonly xml: XmlReader
  readonly #limits: PlistLimits
  readonly #root: PlistValue[] = []
  /** The open containers, innermost last; the first one stands for the document. */
  readonly #open: Container[] = [{ element: 'plist', value: this.#root, key: undefined }]
  /** The element that holds text and no other element, such as `string`; `''` between values. */
  #scalar = ''
  #text = ''
  #objects = 0

  constructor(limits: PlistLimits) {
    this.#limits = limits
    const handler = {
      open: (name: string) => this.#start(name),
      close: (name: string) => this.#end(name),
      isTextWanted: () => true,
      text: (piece: string) => this.#addText(piece),
      entity: () => {
        throw malformed('It uses an entity that is not one of the five of XML.')
      },
      forbidden: () => {},
    }
    // A value may be inside `<plist>`, and a container may hold one more element, which is checked here.
    this.xml = new XmlReader(handler, limits.maxDepth + 2)
  }

  finish(): PlistValue {
    const [value] = this.#root
    if (value === undefined) throw malformed('It holds no value.')
    return value
  }

  #start(name: string): void {
    if (++this.#objects > this.#limits.maxObjects) {
      throw new BinaryError('too-large', 'The property list has too many values.')
    }
    if (this.#scalar !== '') throw malformed(`<${this.#scalar}> holds another element.`)
    const container = this.#container
    if (name === 'plist') {
      if (this.#objects > 1) throw malformed('<plist> is not where it belongs.')
    } else if (name === 'dict' || name === 'array') {
      const value = name === 'dict' ? createDictionary() : []
      add(container, value)
      this.#open.push({ element: name, value, key: undefined })
      if (this.#open.length > this.#limits.maxDepth) {
        throw new BinaryError('too-large', 'The property list is nested too deeply.')
      }
    } else {
      if (name === 'key' && (container.element !== 'dict' || container.key !== undefined)) {
        throw malformed('A key is not where it belongs.')
      }
      this.#scalar = name
      this.#text = ''
    }
  }

  #addText(piece: string): void {
    if (this.#scalar !== '') this.#text += piece
    else if (piece.trim() !== '') throw malformed('There is text where a value should be.')
  }

  #end(name: string): void {
    const container = this.#container
    if (name === 'key') container.key = this.#text
    else if (name === 'dict' || name === 'array') {
      if (container.key !== undefined) throw malformed('A key has no value.')
      this.#open.pop()
    } else if (name !== 'plist') add(container, toScalar(name, this.#text))
    this.#scalar = ''
    if (name === 'plist') this.xml.stop()
  }

  get #container(): Container {
    const container = this.#open.at(-1)
    if (container === undefined) throw new Error('The container of the document is never closed')
    return container
  }
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

function malformed(detail: string): BinaryError {
  return new BinaryError('malformed-plist', detail)
}

/** A dictionary without a prototype, so that a key such as `__proto__` is a key like any other. */
function createDictionary(): PlistDictionary {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object without keys is an empty dictionary
  return Object.create(null) as PlistDictionary
}
