/**
 * One frame of a JavaScript stack, as the engines print it:
 *
 *     at run (https://shop.example/app.js:1:1457)       V8; `async`, `new` and `[as name]` belong to the name
 *     at https://shop.example/app.js:1:1457
 *     at run (address at main.jsbundle:1:20098)         Hermes; the column is an offset in the bytecode, from 0
 *     run@https://shop.example/app.js:1:1457            JavaScriptCore
 *     run@5:1389                                        JavaScriptCore of React Native, without the bundle
 *     at Array.map (<anonymous>), [native code]         code of the engine, which has no place
 */
import { toBundleName } from '../sourcemap/bundle-name.ts'

export interface JavaScriptFrame {
  /** As printed; null if there is none. */
  function: string | null
  /** The address or path of the bundle; null if the frame does not name it. */
  file: string | null
  /** The last part of it, or null for code that is in no bundle. */
  bundleName: string | null
  /** Counted from 1. */
  line: number | null
  /** Counted from 1, for Hermes as well. */
  column: number | null
  /** The name before the place, or the other way round. */
  style: 'v8' | 'jsc'
  /** What stands before the frame in its line. */
  indent: string
  raw: string
}

const maxDigits = 10
const maxNameLength = 500
const nativeCode = '[native code]'

/** undefined for text that is no frame. `raw` is the line that the text is in, behind the prefix of a log. */
export function parseJavaScriptFrame(text: string, raw: string): JavaScriptFrame | undefined {
  const indent = /^\s{0,40}/.exec(text)?.[0] ?? ''
  const rest = text.slice(indent.length).trimEnd()
  const frame = rest.startsWith('at ') ? parseV8(rest.slice(3)) : parseJavaScriptCore(rest)
  if (!frame) return undefined
  const name = frame.name === null || frame.name === '' ? null : frame.name.slice(0, maxNameLength)
  const { place, style } = frame
  const file = place?.file ?? null
  return {
    function: name,
    file,
    bundleName: file === null || isOfEngine(file) ? null : toBundleName(file),
    line: place?.line ?? null,
    column: place?.column ?? null,
    style,
    indent: raw.slice(0, raw.length - text.length) + indent,
    raw,
  }
}

interface ParsedFrame {
  name: string | null
  place: Place | undefined
  style: JavaScriptFrame['style']
}

interface Place {
  file: string | null
  line: number
  column: number
}

function parseV8(body: string): ParsedFrame | undefined {
  if (!body.endsWith(')')) {
    const place = parsePlace(body.replace(/^async /, ''))
    return place === undefined || place.file === null ? undefined : { name: null, place, style: 'v8' }
  }
  const open = findOpening(body)
  if (open < 1 || body[open - 1] !== ' ') return undefined
  const name = body.slice(0, open - 1)
  const inside = body.slice(open + 1, -1)
  const isVirtual = inside.startsWith('address at ')
  const found = parsePlace(isVirtual ? inside.slice('address at '.length) : inside)
  if (found && !inside.startsWith('eval at ')) {
    return { name, place: isVirtual ? { ...found, column: found.column + 1 } : found, style: 'v8' }
  }
  const isKnown = /^(?:native|<anonymous>|native code|index \d{1,10}|eval at .*)$/.test(inside)
  return isKnown ? { name, place: undefined, style: 'v8' } : undefined
}

function parseJavaScriptCore(text: string): ParsedFrame | undefined {
  if (text === nativeCode) return { name: null, place: undefined, style: 'jsc' }
  const at = text.indexOf('@')
  const name = at < 0 ? '' : text.slice(0, at)
  // Addresses of packages hold the character as well.
  const isNamed = at >= 0 && !/[/\\]|:\d/.test(name)
  if (isNamed && text.slice(at + 1) === nativeCode) return { name, place: undefined, style: 'jsc' }
  const place = parsePlace(isNamed ? text.slice(at + 1) : text)
  if (!place) return undefined
  if (isNamed) return /\s/.test(place.file ?? '') ? undefined : { name, place, style: 'jsc' }
  const isAddress =
    place.file !== null && /^\S{1,4000}$/.test(place.file) && /[/\\]|\.(?:js|mjs|cjs|bundle|jsbundle)$/.test(place.file)
  return isAddress ? { name: null, place, style: 'jsc' } : undefined
}

/** Reads `file:line:column` from its end, because files have colons as well. */
function parsePlace(text: string): Place | undefined {
  const last = text.lastIndexOf(':')
  if (last < 1) return undefined
  const before = text.lastIndexOf(':', last - 1)
  const line = toNumber(text.slice(before + 1, last))
  const column = toNumber(text.slice(last + 1))
  if (line === undefined || column === undefined) return undefined
  const file = before < 0 ? '' : text.slice(0, before)
  return { file: file === '' ? null : file, line, column }
}

function toNumber(text: string): number | undefined {
  return text.length <= maxDigits && /^\d+$/.test(text) ? Number(text) : undefined
}

/** The parenthesis that the last one closes; −1 for none. */
function findOpening(text: string): number {
  let depth = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++
    else if (text[at] === '(' && --depth === 0) return at
  }
  return -1
}

/** Whether a file belongs to the engine or its runtime, of which nobody has a map. */
function isOfEngine(file: string): boolean {
  return /^(?:node:|internal\/|native\b|<anonymous>|InternalBytecode\.js$|unknown$|wasm:)/.test(file)
}
