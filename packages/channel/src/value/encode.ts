/**
 * Converts a value to JSON. Types that JSON lacks are tagged as `{"$": [kind, …]}`:
 *
 *     ["undefined"] ["number", "NaN" | "Infinity" | "-Infinity" | "-0"] ["bigint", "123"] ["Date", ms | null]
 *     ["Map", [[key, value], …]] ["Set", [value, …]] ["RegExp", source, flags] ["URL", text]
 *     ["Error", {name, message, stack?, cause?, errors?, …own}]
 *     [binary kind, index of its attachment] ["String", index of its attachment]
 *
 * An object key that starts with `$` is escaped by a second `$`.
 */
import type { Attachment } from '../wire/frame.ts'
import { findBinaryKind, toBytes } from './binary.ts'
import { Census } from './census.ts'
import { isWorthPlacing, longTextLength, placeText, placeTexts } from './long-text.ts'
import { isPlain } from './plain.ts'
import { ValueError, joinPath, maxDepth, maxNodes } from './value-error.ts'

/** A value with its own representation; its class reads it back with a static `decode`. */
export interface Encodable {
  encode(): unknown
}

/**
 * Converts a value to JSON. Binary parts are added to `attachments`; so are long texts if `takesTexts`.
 *
 * @throws ValueError with the path of the part that cannot be sent.
 */
export function encodeValue(value: unknown, attachments: Attachment[], takesTexts: boolean): string {
  const census = new Census()
  if (isPlain(value, maxDepth, census)) {
    return JSON.stringify(takesTexts && isWorthPlacing(census) ? placeTexts(value, attachments) : value)
  }
  return JSON.stringify(new Tagger(attachments, takesTexts).tag(value, ''))
}

class Tagger {
  readonly #attachments: Attachment[]
  readonly #takesTexts: boolean
  readonly #ancestors = new Map<object, string>()
  #nodesLeft = maxNodes

  constructor(attachments: Attachment[], takesTexts: boolean) {
    this.#attachments = attachments
    this.#takesTexts = takesTexts
  }

  tag(value: unknown, path: string): unknown {
    switch (typeof value) {
      case 'string':
        return this.#takesTexts && value.length >= longTextLength ? placeText(value, this.#attachments) : value
      case 'boolean':
        return value
      case 'undefined':
        return { $: ['undefined'] }
      case 'number':
        if (Number.isFinite(value) && !Object.is(value, -0)) return value
        return { $: ['number', Object.is(value, -0) ? '-0' : String(value)] }
      case 'bigint':
        return { $: ['bigint', String(value)] }
      case 'object':
        return value === null ? null : this.#tagObject(value, path)
      case 'function':
      case 'symbol':
        break
    }
    throw new ValueError(path, `a ${typeof value} cannot be sent`)
  }

  #tagObject(value: object, path: string): unknown {
    const before = this.#ancestors.get(value)
    if (before !== undefined) throw new ValueError(path, `a cycle back to ${before === '' ? 'the value' : before}`)
    if (this.#ancestors.size >= maxDepth) throw new ValueError(path.slice(0, 200), `deeper than ${maxDepth} levels`)
    if (--this.#nodesLeft < 0) throw new ValueError(path, `more than ${maxNodes} values`)
    this.#ancestors.set(value, path)
    const tagged = this.#tagByKind(value, path)
    this.#ancestors.delete(value)
    return tagged
  }

  #tagByKind(value: object, path: string): unknown {
    if (Array.isArray(value)) return Array.from(value, (item, index) => this.tag(item, joinPath(path, index)))
    if (value instanceof Date) return { $: ['Date', Number.isNaN(value.getTime()) ? null : value.getTime()] }
    if (value instanceof Map) return { $: ['Map', this.#tagEntries(value, path)] }
    if (value instanceof Set)
      return { $: ['Set', [...value].map((item, index) => this.tag(item, joinPath(path, index)))] }
    if (value instanceof RegExp) return { $: ['RegExp', value.source, value.flags] }
    if (value instanceof URL) return { $: ['URL', value.href] }
    if (value instanceof Error) return { $: ['Error', this.#tagError(value, path)] }
    const binary = findBinaryKind(value)
    if (binary !== undefined) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `findBinaryKind` names only these
      this.#attachments.push(toBytes(value as ArrayBuffer | ArrayBufferView))
      return { $: [binary, this.#attachments.length - 1] }
    }
    if (isEncodable(value)) return this.tag(value.encode(), path)
    if (value instanceof Promise) throw new ValueError(path, 'a Promise cannot be sent; await it first')
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') return this.tag(toJSON.call(value, ''), path)
    return this.#tagProperties(value, path)
  }

  #tagProperties(value: object, path: string): Record<string, unknown> {
    const tagged: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(value)) {
      setOwn(tagged, key.startsWith('$') ? `$${key}` : key, this.tag(item, joinPath(path, key)))
    }
    return tagged
  }

  #tagEntries(map: Map<unknown, unknown>, path: string): unknown[] {
    const entries = [...map].map(([key, item], index) => {
      const place = typeof key === 'string' ? `get(${JSON.stringify(key)})` : `entry ${index}`
      return [this.tag(key, `${path}<key ${index}>`), this.tag(item, `${path}<${place}>`)]
    })
    return entries
  }

  #tagError(error: Error, path: string): Record<string, unknown> {
    const { name, message, stack } = error
    const tagged = this.#tagProperties(error, path)
    Object.assign(tagged, { name, message })
    if (typeof stack === 'string') tagged['stack'] = stack
    if ('cause' in error) tagged['cause'] = this.tag(error.cause, joinPath(path, 'cause'))
    if (error instanceof AggregateError) tagged['errors'] = this.tag(error.errors, joinPath(path, 'errors'))
    return tagged
  }
}

/** Sets an own property, even if the key is `__proto__`. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

function isEncodable(value: object): value is Encodable {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both fields are checked next
  const { encode, constructor } = value as { encode?: unknown; constructor?: { decode?: unknown } }
  return typeof encode === 'function' && typeof constructor?.decode === 'function'
}
