import { type SourceLines, type SourceMap, type SymbolicatedFrame, toBundlePart } from '@fairlead/symbols'
import { isLibrarySource } from '../grouping/library-sources.ts'
import { findDeclaredName } from './declared-name.ts'
import type { StackFrame } from './stack-content.ts'
import { toSourceMapKey } from './source-map-key.ts'

/** A frame with the lines of its source around the place, if the symbols have them. */
export interface FrameWithSource extends SymbolicatedFrame {
  sourceLines?: SourceLines
  /**
   * The function's name in the source where the map names no functions, since minifiers give a function another short
   * name in each build: that of its declaration, or else that by which the frame outside of it calls it.
   */
  sourceFunction?: string
}

/** Frames of a stack that get lines of their source, innermost first, and lines before and behind the place. */
const framesWithLines = 10
const linesAround = 4
/** Frames whose declarations are looked for, and lines before the place in which they are. */
const framesWithDeclarations = 20
const linesBefore = 200

/** The frames of JavaScript whose place a source map knows, by their place in the stack. */
export function resolveJavaScript(
  frames: readonly StackFrame[],
  sourceMaps: ReadonlyMap<string, SourceMap>,
): Map<number, FrameWithSource[]> {
  const resolved = new Map<number, FrameWithSource[]>()
  let inner: FrameWithSource | undefined
  let declared = 0
  for (const [place, frame] of frames.entries()) {
    const callee = inner
    inner = undefined
    const key = toSourceMapKey(frame)
    const map = key === undefined ? undefined : sourceMaps.get(key)
    const { line, column, module } = frame
    if (!map || line === null || column === undefined) continue
    const position = { line, column: column - 1, ...toBundlePart(module) }
    const found = map.find(position)
    if (!found) continue
    const sourceLines = resolved.size < framesWithLines ? map.findLines(position, linesAround) : undefined
    const { source, functionName } = found
    const original = { file: source, line: found.line, column: found.column + 1 }
    const named = { ...toJavaScriptFrame(frame), ...original, function: functionName ?? frame.function }
    const isLibrary = source !== null && isLibrarySource(source)
    // A library calls all functions that it is given by one name of its own, such as `Component` or `callback`.
    const calledAs = isLibrary ? undefined : toCalledName(found.name)
    if (callee && calledAs !== undefined) callee.sourceFunction ??= calledAs
    const withSource: FrameWithSource = { ...named, ...(sourceLines && { sourceLines }) }
    if (functionName === null) {
      inner = withSource
      const isRead = !isLibrary && ++declared <= framesWithDeclarations
      const name = isRead ? findDeclaration(map, position, found) : undefined
      if (name !== undefined) withSource.sourceFunction = name
    }
    resolved.set(place, [withSource])
  }
  return resolved
}

/** The name of the function around a place, where the map has the text of its source. */
function findDeclaration(
  map: SourceMap,
  position: Parameters<SourceMap['find']>[0],
  { line, column }: { line: number; column: number },
): string | undefined {
  const { firstLine, lines } = map.findLines(position, linesBefore) ?? { firstLine: line, lines: [] }
  return findDeclaredName(lines.slice(0, line - firstLine + 1), column)
}

/** The function of a token such as `charge` or `shop.charge`; undefined for a token that is no name. */
function toCalledName(token: string | null): string | undefined {
  return /^(?:[\w$]+\.)*([\w$]+)$/.exec(token ?? '')?.[1]
}

/** A frame as it was reported. */
export function toJavaScriptFrame(frame: StackFrame): SymbolicatedFrame {
  const { function: name, file, line, column, module } = frame
  const place = [file ?? '<anonymous>', line, column].filter((part) => part !== null && part !== undefined).join(':')
  return {
    function: name,
    file,
    line,
    column: column ?? null,
    module,
    address: null,
    inlined: false,
    alternatives: [],
    raw: `at ${name === null ? place : `${name} (${place})`}`,
  }
}
