/** Resolves the frames of Dart traces with the symbols of their builds, as `flutter symbolize` does. */
import { Disposables } from '../disposables.ts'
import { toDebugId } from '@fairlead/binary'
import { requireAt } from '@fairlead/invariant'
import type { SourceFrame } from '../lookup/block.ts'
import { type Lookup, openLookup } from '../lookup/lookup.ts'
import { toHexadecimal } from '../report/frame-line.ts'
import type { MissingSymbols, SymbolicatedFrame, SymbolicatedReport, UsedImage } from '../symbolicated.ts'
import { SymbolsError } from '../symbols-error.ts'
import type { SymbolsSource } from '../symbols-source.ts'
import { toImageOffset } from './dart-address.ts'
import type { DartFrame, DartThread, DartTrace } from './dart-trace.ts'
import { type ObfuscationMap, openObfuscationMap } from './obfuscation-map.ts'
import { hideArtificial } from './hide-artificial.ts'
import { isStartsLine } from './parse-dart-trace.ts'
import { restoreException } from './restore-exception.ts'

/** The snapshots that the traces of a report come from, each once; a trace without a build id has no UUID. */
export function listSnapshots({ threads }: DartTrace): MissingSymbols[] {
  return [...new Map(threads.map((thread) => [thread.buildId, toSnapshot(thread)])).values()]
}

function toSnapshot({ buildId, architecture, system }: DartThread): MissingSymbols {
  const uuid = buildId === null ? null : toDebugId(Buffer.from(buildId, 'hex')).toLowerCase()
  return { name: toName(system), uuid, architecture, codeId: buildId }
}

/** The file that holds the code of an application on each system. */
function toName(system: string | null): string {
  if (system === 'ios' || system === 'macos') return 'App'
  return 'libapp.so'
}

interface OpenSnapshot {
  lookup: Lookup
  used: UsedImage
}

export async function symbolicateDart(trace: DartTrace, source: SymbolsSource): Promise<SymbolicatedReport> {
  using stack = new Disposables()
  const warnings = [...trace.warnings]
  const snapshots = new Map<string | null, OpenSnapshot>()
  const missing: MissingSymbols[] = []
  const maps: { path: string; map: ObfuscationMap }[] = []
  for (const snapshot of listSnapshots(trace)) {
    const opened = await openSnapshot(snapshot, source, stack, warnings)
    if (opened) snapshots.set(snapshot.codeId, opened)
    else missing.push(snapshot)
    const path = await source.findDartMap?.(snapshot.uuid ?? '')
    const map = path === undefined ? undefined : openMap(path, stack, warnings)
    if (path !== undefined && map) maps.push({ path, map })
  }
  const answers = new Map<DartFrame, readonly SourceFrame[]>()
  for (const [buildId, { lookup }] of snapshots) {
    const frames = trace.threads.filter((thread) => thread.buildId === buildId).flatMap((thread) => thread.frames)
    const found = lookup.findFramesOf(frames.map((frame) => toImageOffset(frame, lookup) ?? -1))
    for (const [index, frame] of frames.entries()) answers.set(frame, requireAt(found, index))
  }
  return {
    kind: 'dart',
    text: writeText(trace, answers, maps),
    threads: trace.threads.map((thread, index) => ({
      name: thread.name,
      crashed: index === 0,
      frames: thread.frames.flatMap((frame) => toFrames(frame, answers.get(frame) ?? [])),
    })),
    missingSymbols: missing,
    usedImages: [...snapshots.values()].map(({ used }) => used),
    usedMappings: maps.map(({ path }) => path),
    warnings,
  }
}

async function openSnapshot(
  snapshot: MissingSymbols,
  { findImage }: SymbolsSource,
  stack: Disposables,
  warnings: string[],
): Promise<OpenSnapshot | undefined> {
  const { name, architecture, uuid } = snapshot
  const lookupFile = await findImage({ uuid: uuid ?? '', architecture, name })
  if (lookupFile === undefined) return undefined
  try {
    return { lookup: stack.use(openLookup(lookupFile)), used: { ...snapshot, lookupFile } }
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    warnings.push(`The symbols of ${name} cannot be used. ${error.message}`)
    return undefined
  }
}

function openMap(path: string, stack: Disposables, warnings: string[]): ObfuscationMap | undefined {
  try {
    return stack.use(openObfuscationMap(path))
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
    warnings.push(`An obfuscation map cannot be used. ${error.message}`)
    return undefined
  }
}

/**
 * The report as Flutter's own tool prints it: frames are counted through inlined ones, and those that the compiler made
 * are not shown. A line that says where the code began starts a new count.
 */
function writeText(
  { lines }: DartTrace,
  answers: ReadonlyMap<DartFrame, readonly SourceFrame[]>,
  maps: readonly { map: ObfuscationMap }[],
): string {
  const text: string[] = []
  let depth = 0
  for (const line of lines) {
    if (typeof line === 'string') {
      if (isStartsLine(line)) depth = 0
      text.push(maps.reduce((restored, { map }) => restoreException(restored, map, text.at(-1)), line))
      continue
    }
    const found = answers.get(line) ?? []
    if (found.length === 0) text.push(line.raw)
    for (const frame of found.filter(({ artificial }) => !artificial)) {
      text.push(`${line.prefix}#${String(depth++).padEnd(6)} ${describe(frame)}`)
    }
  }
  return text.join('\n')
}

function describe({ function: name = '', file = '', line = 0, column = 0 }: SourceFrame): string {
  const place = line === 0 ? '' : column === 0 ? `:${line}` : `:${line}:${column}`
  return `${name} (${file}${place})`
}

/** Frames that the compiler made stay if nothing else is left of their line. */
function toFrames(
  { thread, address, fileAddress, raw }: DartFrame,
  found: readonly SourceFrame[],
): SymbolicatedFrame[] {
  const shown = address ?? fileAddress
  const common = {
    module: toName(thread.system),
    address: shown === undefined ? null : toHexadecimal(shown),
    alternatives: [],
    raw,
  }
  if (found.length === 0) {
    return [{ function: null, file: null, line: null, column: null, inlined: false, ...common }]
  }
  return hideArtificial(found).map(({ function: name = null, file = null, line = null, column, inlined }) => {
    return { function: name, file, line, column: column || null, inlined, ...common }
  })
}
