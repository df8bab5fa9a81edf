/** Finds the source of the frames of a JavaScript stack with the source maps of its bundles. */
import { Disposables } from '../disposables.ts'
import { openSourceMap, type SourceMap } from '../sourcemap/source-map.ts'
import { toBundlePart } from '../sourcemap/bundle-part.ts'
import type { MissingSymbols, SymbolicatedFrame, SymbolicatedReport } from '../symbolicated.ts'
import { SymbolsError } from '../symbols-error.ts'
import type { FindSourceMap } from '../symbols-source.ts'
import type { JavaScriptFrame } from './parse-frame.ts'
import type { JavaScriptStack } from './parse-stack.ts'

/** The bundles that frames lie in, each once. Frames that name none lie in a bundle without a name. */
export function listBundles({ frames }: JavaScriptStack): MissingSymbols[] {
  const names = new Set(frames.filter(isMappable).map(({ bundleName }) => bundleName ?? ''))
  return [...names].map((name) => ({ name, uuid: null, architecture: null, codeId: null }))
}

function isMappable({ line, file, bundleName }: JavaScriptFrame): boolean {
  return line !== null && (bundleName !== null || file === null)
}

export async function symbolicateJavaScript(
  stack: JavaScriptStack,
  findSourceMap: FindSourceMap,
): Promise<SymbolicatedReport> {
  using open = new Disposables()
  const bundles = listBundles(stack)
  const maps = new Map<string, SourceMap>()
  const used = new Set<string>()
  const warnings: string[] = []
  for (const { name } of bundles) {
    const path = await findSourceMap(name)
    if (path === undefined) continue
    try {
      maps.set(name, open.use(openSourceMap(path)))
      used.add(path)
    } catch (error) {
      if (!(error instanceof SymbolsError)) throw error
      warnings.push(`The source map of ${name} cannot be used. ${error.message}`)
    }
  }
  const resolved = new Map(stack.frames.map((frame) => [frame, resolve(frame, maps)]))
  return {
    kind: 'javascript',
    text: stack.lines.map((line) => (typeof line === 'string' ? line : toLine(line, resolved.get(line)))).join('\n'),
    threads: [
      {
        name: null,
        crashed: true,
        ...toException(stack),
        frames: [...resolved].map(([frame, found]) => toFrame(frame, found)),
      },
    ],
    missingSymbols: bundles.filter(({ name }) => !maps.has(name)),
    usedImages: [],
    usedMappings: [...used],
    warnings: [...stack.warnings, ...warnings],
  }
}

interface Resolved {
  function: string | null
  file: string | null
  line: number
  column: number
}

function resolve(frame: JavaScriptFrame, maps: ReadonlyMap<string, SourceMap>): Resolved | undefined {
  const { line, column, bundleName } = frame
  if (line === null || column === null || !isMappable(frame)) return undefined
  const map = maps.get(bundleName ?? '')
  const found = map?.find({ line, column: column - 1, ...toBundlePart(bundleName) })
  if (!found) return undefined
  const { source, functionName } = found
  return { function: functionName ?? frame.function, file: source, line: found.line, column: found.column + 1 }
}

function toFrame(frame: JavaScriptFrame, found: Resolved | undefined): SymbolicatedFrame {
  const { function: name, file, line, column, raw } = frame
  const place = found ?? { function: name, file, line, column }
  return { ...place, module: null, address: null, inlined: false, alternatives: [], raw }
}

function toLine({ raw, indent, style }: JavaScriptFrame, found: Resolved | undefined): string {
  if (!found) return raw
  const place = `${found.file ?? '<unknown>'}:${found.line}:${found.column}`
  if (style === 'jsc') return `${indent}${found.function ?? ''}@${place}`
  return `${indent}at ${found.function === null ? place : `${found.function} (${place})`}`
}

function toException({ type, message }: JavaScriptStack): { exception?: string } {
  if (type === null) return message === null ? {} : { exception: message }
  return { exception: message === null || message === '' ? type : `${type}: ${message}` }
}
