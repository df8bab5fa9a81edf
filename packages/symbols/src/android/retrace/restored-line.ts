/** A restored line of the trace, and the functions that write it. */
import type { LinePart, PartKind, TraceLine } from '../trace/trace-line.ts'
import type { SourceMethod } from './retrace-frame.ts'

export interface RestoredLine {
  /** For a frame, the class of its method; `undefined` if the line names no class. */
  readonly className: string | undefined
  /** `undefined` if the mapping does not know the method; its name then stays as it is. */
  readonly method?: SourceMethod
  readonly field?: { readonly name: string; readonly type: string | undefined }
  readonly types?: RestoredTypes | undefined
  readonly fileName?: string | undefined
  /** -1 if it is unknown; `undefined` if the line of the trace has no part for it. */
  readonly lineNumber?: number | undefined
  readonly isAmbiguous: boolean
}

/** Types outside of a signature, which only custom expressions can find. */
export interface RestoredTypes {
  readonly type: string | undefined
  readonly arguments: readonly string[] | undefined
}

/** The text of a part; `undefined` if the line has no such part. */
export function textOf({ text, parts }: TraceLine, kind: PartKind): string | undefined {
  for (let place = parts.length - 1; place >= 0; place--) {
    const part = parts[place]
    if (part?.kind === kind) return text.slice(part.start, part.end)
  }
  return undefined
}

/** The number in the line part: -1 if it is empty or too large, `undefined` if there is no such part. */
export function lineNumberOf(source: TraceLine): number | undefined {
  const text = textOf(source, 'line')
  if (text === undefined) return undefined
  const digits = text.startsWith(':') ? text.slice(1) : text
  const value = /^\d{1,10}$/.test(digits) ? Number(digits) : -1
  return value > 0x7fff_ffff ? -1 : value
}

/** Writes the line with its parts restored. `isVerbose` adds the types of members. */
export function writeRestoredLine(source: TraceLine, restored: RestoredLine, isVerbose: boolean): string {
  const { text, parts } = source
  let written = ''
  let end = 0
  for (const part of parts) {
    written += text.slice(end, part.start) + writePart(source, part, restored, isVerbose)
    end = part.end
  }
  return written + text.slice(end)
}

function writePart(source: TraceLine, part: LinePart, restored: RestoredLine, isVerbose: boolean): string {
  const obfuscated = source.text.slice(part.start, part.end)
  switch (part.kind) {
    case 'class':
      return restored.className ?? obfuscated
    case 'binaryClass':
      return restored.className?.replaceAll('.', '/') ?? obfuscated
    case 'method':
      return restored.method ? writeMethod(restored.method, isVerbose) : obfuscated
    case 'field':
      return restored.field ? writeField(restored.field, isVerbose) : obfuscated
    case 'file':
      return restored.fileName ?? obfuscated
    case 'type':
      return restored.types?.type ?? obfuscated
    case 'arguments':
      return restored.types?.arguments ? writeArguments(restored.types.arguments, obfuscated) : obfuscated
    case 'line':
      return writeLineNumber(source, part, obfuscated, restored, isVerbose)
    default:
      return part.kind satisfies never
  }
}

function writeMethod({ name, signature }: SourceMethod, isVerbose: boolean): string {
  return isVerbose ? `${signature.type} ${name}(${signature.parameters ?? ''})` : name
}

function writeField({ name, type }: { name: string; type: string | undefined }, isVerbose: boolean): string {
  return isVerbose && type !== undefined ? `${type} ${name}` : name
}

/** Keeps the spaces that preceded each argument. */
function writeArguments(types: readonly string[], obfuscated: string): string {
  const pieces = obfuscated.split(',')
  return types.map((type, place) => (/^\s*/.exec(pieces[place] ?? '')?.[0] ?? '').replace(/\s/g, ' ') + type).join(',')
}

function writeLineNumber(
  source: TraceLine,
  part: LinePart,
  obfuscated: string,
  { lineNumber, isAmbiguous }: RestoredLine,
  isVerbose: boolean,
): string {
  if (lineNumber === undefined || lineNumber === -1) return obfuscated
  const hadLineNumber = (lineNumberOf(source) ?? -1) > -1
  if (!hadLineNumber && isAmbiguous && !isVerbose) return obfuscated
  if (lineNumber <= 0) return ''
  return part.withColon ? `:${lineNumber}` : String(lineNumber)
}
