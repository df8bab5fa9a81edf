/** Reads native crashes of Android: tombstones as text, and as Protocol Buffers. */
import {
  looksLikeProtobuf,
  parseProtobufTombstone,
  parseTombstone,
  SymbolsError,
  type Tombstone,
} from '@fairlead/symbols'
import type { ReadCrash } from '../crash.ts'
import { CrashesError } from '../crashes-error.ts'
import { maxFrames, maxNameLength } from '../limits.ts'
import type { AndroidReport } from './android-report.ts'
import { limitThreads } from '../stack/limit-threads.ts'
import { listLibraries, toNativeFrame } from './native-frame.ts'

type NativeCrash = Pick<ReadCrash, 'kind' | 'package' | 'occurredAt' | 'exceptions' | 'frames' | 'images' | 'threads'>

/** Reads a tombstone in Protocol Buffers; undefined for other bytes. @throws {CrashesError} malformed */
export function readTombstoneBytes(bytes: Buffer): (AndroidReport & NativeCrash) | undefined {
  if (!looksLikeProtobuf(bytes)) return undefined
  try {
    const tombstone = parseProtobufTombstone(bytes)
    const release = /^[^:]{0,300}:([^/]{1,40})\//.exec(tombstone.fingerprint ?? '')?.[1] ?? null
    return { ...toCrash(tombstone, null), osVersion: release }
  } catch (error) {
    if (error instanceof SymbolsError) throw new CrashesError('no-crash', error.message, { cause: error })
    throw error
  }
}

/** Reads a tombstone as text. One without frames still tells its signal. */
export function readTombstoneText(text: string): NativeCrash {
  const process = />>> (\S{1,200}) <<</.exec(text)?.[1]
  const packageName = process?.includes('.') === true && !process.includes('/') ? process : null
  try {
    return toCrash(parseTombstone(text), packageName)
  } catch (error) {
    if (!(error instanceof SymbolsError)) throw error
  }
  const signal = /signal \d{1,4} \((\w{1,40})\)/.exec(text)?.[1]
  const exceptions = signal === undefined ? [] : [{ type: signal, message: null }]
  return { kind: 'crash', package: packageName, occurredAt: null, exceptions, frames: [], images: [], threads: [] }
}

function toCrash({ signal, abortMessage, threads, architecture }: Tombstone, packageName: string | null): NativeCrash {
  const frames = threads.find(({ crashed }) => crashed)?.frames.slice(0, maxFrames) ?? []
  const others = threads.flatMap((thread) => (thread.crashed ? [] : thread.frames))
  return {
    kind: 'crash',
    package: packageName,
    occurredAt: null,
    exceptions: signal === null ? [] : [{ type: signal.name, message: abortMessage }],
    frames: frames.map(toNativeFrame),
    images: listLibraries([...frames, ...others], architecture),
    threads: limitThreads(
      threads.map((thread) => ({
        id: thread.tid === null ? null : String(thread.tid),
        name: thread.name?.slice(0, maxNameLength) ?? null,
        state: null,
        isCrashed: thread.crashed,
        frames: thread.frames.map(toNativeFrame),
      })),
    ),
  }
}
