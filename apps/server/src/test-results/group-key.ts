/**
 * Groups failures: two belong together when their exception, their message without numbers, quotations and view
 * hierarchy, and the names of their first three frames outside of libraries are equal.
 *
 * JavaScript frameworks give every failed assertion the same message, `expect(received).toBe(expected)`. So its place
 * counts as well, by what stays when lines move: the source line that the text marks, or else the columns.
 */
import { hash } from 'node:crypto'
import { basename } from 'node:path/posix'
import { blankMessage, isAppFrame } from '@fairlead/crashes'
import { isAssertion } from './assertion.ts'

export interface FailureText {
  type: string | null
  message: string | null
  /** The whole text of the failure, where the report has more than a message. */
  details: string | null
  /** The frames of the app in a crash that was resolved, innermost first; without them they are read from the text. */
  frames?: string[]
}

export interface FailureGroupKey {
  key: string
  title: string
  /** The exception, where the report or the crash names one. */
  type: string | null
  /** At most three, innermost first, without lines. */
  frames: string[]
}

const maxFrames = 3
const maxLines = 400
const maxMarked = 16 * 1024
const maxLineLength = 1000

const testLibraries = new RegExp(
  '^(' +
    [
      String.raw`org\.(junit|gradle|hamcrest|assertj|mockito|testng|robolectric|opentest4j)\.`,
      String.raw`org\.(spockframework|codehaus|apache\.maven)\.`,
      String.raw`junit\.|androidx\.test\.|io\.(kotest|mockk)\.|worker\.org\.gradle`,
      String.raw`com\.google\.(common\.truth|truth)\.|com\.sun\.proxy|\$Proxy`,
    ].join('|') +
    ')',
)
const javaFrame = /^\s*at (?:[\w.@-]+\/)?([\w.$]+)\.([\w$<>-]+)\((?:[^):]*:(\d+)|[^)]*)\)/
const scriptPath = String.raw`((?:file:|\.{0,2}\/|[A-Za-z]:[\\/]|webpack)[^()]*):(\d+):(\d+)\)?\s*$`
const scriptFrame = new RegExp(String.raw`^\s*at (?:async )?(?:([^()]+) )?\(${scriptPath}`)
/** The lookahead finds the end of the line first: else each of many slashes would be searched to that end. */
const bareScriptFrame = new RegExp(String.raw`^\s*at (?=[^()]*:\d+:\d+\)?\s*$)(?:async )?(?:([^()]+?) )?${scriptPath}`)
/** Frames as Vitest prints them: ` ❯ charge src/shop.js:10:15`. */
const arrowFrame = /^\s*❯ (?:(\S[^()]*?) )?(\S+):(\d+):(\d+)\s*$/
const pythonFrame = /^\s*File "([^"]+)", line (\d+)(?:, in (\S+))?/
const plainPlace =
  /^\s*(?:at )?([\w./\\+-]+\.(?:swift|mm?|kt|java|cpp|cc|c|py|ts|tsx|js|dart|cs|go|rs|rb)):(\d+)(?::(\d+))?/
/**
 * The line that failed in the piece of source that a text shows, `> 12 |   expect(total).toBe(3)`, and the mark below
 * it. Line breaks are not among its spaces, because each of many empty lines would then be searched to their end.
 */
const markedLine = /^[ \t]*>[ \t]*\d+ \|(.*)$(?:\r?\n[ \t]*\|([ \t]*)\^)?/m
const pythonPlace = /^(?:[^\s:]{1,500}\.py:\d+: |[ \t]*File "[^"\n]{1,500}", line \d)/m
const pytestSource = /^>[ \t]+(\S.*)$/gm
const sourceBelow = /^(?:[^\s:]{1,500}\.py:\d+: in |[ \t]*File "[^"\n]{1,500}", line \d).*\n[ \t]+(\S.*)$/gm
const foreignPath = /node_modules|node:internal|site-packages|dist-packages|lib\/python|\/vendor\//
/** GoogleTest begins a message with a line for its place, whose path and number differ between machines and commits. */
const placeAlone = /^\s*(?:unknown file|\S[^\n]{0,500}\.(?:cc|cpp|cxx|c|hpp|hxx|hh|h|mm?)(?::\d+|\(\d+\)):?)[ \t]*\r?\n/
/** From the first line of frames on. It begins only at the first line break of a run of white space. */
const framesBelow = /(?<=(?:^|\S)[^\S\n]*)\n\s*at [\s\S]*$/
/** The lookbehind lets a match begin only where white space begins, so that a long run of it is searched once. */
const viewHierarchy = /(?<!\s)\s*(?:View Hierarchy|Element subtree|The complete view hierarchy)[\s\S]*$/i

export function toFailureGroupKey({ type, message, details, frames: resolved }: FailureText): FailureGroupKey {
  const text = details ?? message ?? ''
  const found = findOwnFrames(text)
  const frames = resolved?.slice(0, maxFrames) ?? found.map(({ name }) => name)
  const head = toHead({ message, details })
  const blank = blankMessage(head)
  const title = [type, toTitle(head).slice(0, 200)].filter((part) => part !== null && part !== '').join(': ')
  const places = isAssertion({ type, message, details }) ? listPlaces(text, found) : []
  const lines = [type ?? '', blank, ...frames, ...places]
  return {
    key: hash('sha256', lines.join('\n'), 'hex').slice(0, 32),
    title: title === '' ? 'Failed without a message' : title.slice(0, 300),
    type: type === null || type === '' ? null : type.slice(0, 300),
    frames,
  }
}

/** What a failure says, without its place, its frames and the hierarchy of views. */
export function toHead({ message, details }: Pick<FailureText, 'message' | 'details'>): string {
  const said = message ?? firstLine(details ?? '')
  return said.replace(placeAlone, '').replace(viewHierarchy, '').replace(framesBelow, '')
}

/** Lists where an assertion stands. A text shows the source of its own line only, so other frames count by columns. */
function listPlaces(text: string, frames: readonly OwnFrame[]): string[] {
  const ofPython = listPythonSources(text.slice(0, maxMarked))
  if (ofPython.length > 0) return ofPython
  const [, line, before] = markedLine.exec(text.slice(0, maxMarked)) ?? []
  const columns = frames.flatMap(({ column }) => column ?? [])
  if (line === undefined) return columns
  const source = line.trim().slice(0, maxLineLength)
  // Two assertions may stand on one line. The column of the mark, without the indentation, tells which one failed.
  const mark = before === undefined ? [] : [String(before.length - (line.length - line.trimStart().length))]
  return [source, ...mark, ...columns.slice(1)]
}

/**
 * The lines of source in a traceback of Python, from the test to the failed assertion: after `>` in the long form of
 * pytest, else below the place of each frame.
 */
function listPythonSources(text: string): string[] {
  if (!pythonPlace.test(text)) return []
  const marked = [...text.matchAll(pytestSource)].map(([, source = '']) => source)
  const sources = marked.length > 0 ? marked : [...text.matchAll(sourceBelow)].map(([, source = '']) => source)
  return sources.slice(-maxFrames).map((source) => source.trim().slice(0, maxLineLength))
}

interface OwnFrame {
  name: string
  line: number | undefined
  /** Undefined where the framework writes no column. */
  column: string | undefined
}

/** The first frames outside of libraries, at most three. */
export function findOwnFrames(text: string): OwnFrame[] {
  const frames: OwnFrame[] = []
  for (const line of text.split('\n', maxLines)) {
    const frame = findFrame(line.slice(0, maxLineLength))
    if (frame === undefined || frames.some(({ name }) => name === frame.name)) continue
    frames.push(frame)
    if (frames.length === maxFrames) break
  }
  return frames
}

/** The frame on a line, or undefined when there is none or it belongs to a library. */
function findFrame(line: string): OwnFrame | undefined {
  const java = javaFrame.exec(line)
  if (java?.[1] !== undefined) {
    const [, className, method, at] = java
    return isOwnClass(className) ? { name: `${className}.${method}`, line: toLine(at), column: undefined } : undefined
  }
  const script = scriptFrame.exec(line) ?? bareScriptFrame.exec(line) ?? arrowFrame.exec(line)
  if (script?.[2] !== undefined) return toFrame(script[2], script[1], script[3], script[4])
  const python = pythonFrame.exec(line)
  if (python?.[1] !== undefined) return toFrame(python[1], python[3], python[2], undefined)
  const plain = plainPlace.exec(line)
  return plain?.[1] === undefined ? undefined : toFrame(plain[1], undefined, plain[2], plain[3])
}

function toFrame(path: string, name: string | undefined, at: string | undefined, column: string | undefined) {
  if (foreignPath.test(path)) return undefined
  const file = basename(path.replaceAll('\\', '/'))
  return { name: `${file}${name === undefined ? '' : `#${name}`}`, line: toLine(at), column }
}

function toLine(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits.slice(0, 9))
}

/** Whether a class belongs to the app or its tests, and to no library. */
export function isOwnClass(className: string): boolean {
  return isAppFrame({ className, module: null, isAppImage: null }) && !testLibraries.test(className)
}

/** The first line; the whole text on one line where that one only announces the others. */
function toTitle(text: string): string {
  const line = firstLine(text)
  return line.endsWith(':') ? text.slice(0, maxLineLength).replace(/\s+/g, ' ').trim() : line
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.trim() ?? ''
}
