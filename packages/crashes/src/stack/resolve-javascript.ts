import { type SourceLines, type SourceMap, type SymbolicatedFrame, toBundlePart } from '@fairlead/symbols'
import type { StackFrame } from './stack-content.ts'
import { toSourceMapKey } from './source-map-key.ts'

/** A frame with the lines of its source around the place, if the symbols have them. */
export interface FrameWithSource extends SymbolicatedFrame {
  sourceLines?: SourceLines
  /**
   * The name by which the frame outside of it calls the function, where the map names no functions. Minifiers give a
   * function another short name in each build, but its call has the name of the source.
   */
  calledAs?: string
}

/** Frames of a stack that get lines of their source, innermost first, and lines before and behind the place. */
const framesWithLines = 10
const linesAround = 4

/** The frames of JavaScript whose place a source map knows, by their place in the stack. */
export function resolveJavaScript(
  frames: readonly StackFrame[],
  sourceMaps: ReadonlyMap<string, SourceMap>,
): Map<number, FrameWithSource[]> {
  const resolved = new Map<number, FrameWithSource[]>()
  let inner: FrameWithSource | undefined
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
    const calledAs = toCalledName(found.name)
    if (callee && calledAs !== undefined) callee.calledAs = calledAs
    const withSource: FrameWithSource = { ...named, ...(sourceLines && { sourceLines }) }
    if (functionName === null) inner = withSource
    resolved.set(place, [withSource])
  }
  return resolved
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
