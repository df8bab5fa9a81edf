/**
 * Names the functions of languages that report neither a class nor an image, so that two functions of one name in two
 * files are told apart, and one function is not by where its program was installed or packed.
 */
import { stripBlocks } from '../grouping/frame-name.ts'
import { toSourceName } from './source-name.ts'

/** What a report says of where a function is. */
interface FunctionPlace {
  className: string | null
  function: string | null
  module: string | null
  file: string | null
  line: number | null
  isJavaScript?: true
}

/** The name that a group's key has for the function of a frame without a class. */
export function toFunctionName(
  { isJavaScript, line }: { isJavaScript?: true | undefined; line: number | null },
  name: string | null,
): string | null {
  if (isJavaScript !== true) return name === null ? null : stripBlocks(name)
  // Engines leave out the name of an anonymous function, or write one of these for it.
  const isAnonymous = name === null ? line !== null : /^(?:async |new )?<?anonymous>?$/.test(name)
  return isAnonymous ? '?' : name
}

/** Ruby gives a method that is written in C, such as `fetch`, the file and the line of its caller. A block is none. */
export function isBuiltIn(frame: FunctionPlace, caller: FunctionPlace | undefined): boolean {
  const { className, function: name, file, line } = frame
  if (className !== null || line === null || file?.endsWith('.rb') !== true) return false
  if (name !== null && stripBlocks(name) !== name) return false
  return caller?.file === file && caller.line === line
}

const scriptEnding = /\.(?:[cm]?[jt]sx?|vue|svelte)$/

const sourceEnding = /\.[A-Za-z]\w{0,9}$/

/**
 * The name of the source file where nothing else says whose function it is; null if the frame has a class or an image,
 * or if the file is a bundle whose name is made anew for each build. A page is no source, and its address may hold a
 * number of an order.
 */
export function findSourceName(frame: FunctionPlace): string | null {
  const { className, function: name, module, file, isJavaScript } = frame
  if (className !== null || file === null) return null
  const path = file.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*(?=\/)/i, '')
  if (isJavaScript === true) {
    if (!scriptEnding.test(path)) return null
    const source = toSourceName(path)
    return isMadeAnew(source) ? null : source
  }
  // Names such as `Cart#load` have a class.
  const isQualified = name === null || /[.#:(]/.test(stripBlocks(name))
  return module === null && !isQualified && sourceEnding.test(path) ? toSourceName(path) : null
}

/**
 * Whether bundlers have put a hash, a version or a number into a name: `main.3f2a1b9c`, `index-DkX9abcQ`, `chunk-12`.
 * A name of the source that looks so is left out as well, which costs a detail of the key and nothing else.
 */
function isMadeAnew(name: string): boolean {
  const [, ...later] = name.split(/[-._~]/)
  if (/^\d/.test(name) || isHash(name.split(/[-._~]/, 1)[0] ?? '')) return true
  return later.some((part) => /^\d/.test(part) || isHash(part)) || isBase64Hash(name)
}

function isHash(part: string): boolean {
  if (part.length < 6) return false
  const isWordWithNumber = /^[A-Za-z]+\d{1,3}$/.test(part)
  return /\d/.test(part) && !isWordWithNumber && /^[A-Za-z0-9]+$/.test(part)
}

/** Rollup writes 8 characters of base64url, in which `-` and `_` occur, and esbuild 8 capitals or digits. */
function isBase64Hash(name: string): boolean {
  const part = /[-.]([\w-]{8})$/.exec(name)?.[1]
  return part !== undefined && /[a-z].*[A-Z]|[A-Z]{2}|\d/.test(part)
}
