/** The exception and the innermost frames of the app in a resolved crash, for titles and for groups. */
import { isAppFrame } from '@fairlead/crashes'
import { isCrashText } from '../test-results/crash-text.ts'
import type { FoundCrash } from './find-crashes.ts'
import { isOwnClass } from '../test-results/group-key.ts'

type Frame = FoundCrash['crash']['threads'][number]['frames'][number]

export interface CrashDescription {
  /** The exception or the signal; null where the text names none. */
  type: string | null
  message: string | null
  /** The names of the app's frames, innermost first, without lines. */
  frames: string[]
  /** Whether symbols were used, so that the names are better than those of the report. */
  isResolved: boolean
  /** Null for a stack trace that ended no process. */
  title: string | null
}

const maxTitle = 300
/** The most lines of a text that are searched for the exception. */
const maxLines = 5000
const javaException = new RegExp(
  String.raw`(?:^|\s)((?:[A-Za-z_$][\w$]*\.)+[\w$]*(?:Exception|Error|Throwable|Failure)[\w$]*)(?::[ \t]*(.*))?$`,
)
const appleException = /^Exception Type:\s+(.+)/
const signal = /\b(signal \d+ \(SIG\w+\))/

export function describeCrash({ crash, text }: FoundCrash): CrashDescription {
  const { type, message } = findException(crash)
  const own = listOwnFrames(crash)
  const [first] = own
  const place = first?.file ? ` (${first.file}${first.line === null ? '' : `:${first.line}`})` : ''
  const where = first ? ` in ${first.function}${place}` : ''
  return {
    type,
    message,
    frames: [...new Set(own.flatMap(({ function: name }) => name ?? []))],
    isResolved: crash.symbolsFileIds.length > 0,
    title: isCrashText(text) ? `${type ?? 'Crash'}${where}`.slice(0, maxTitle) : null,
  }
}

/** The frames of the app in the crashed thread, innermost first. */
export function listOwnFrames({ kind, threads }: FoundCrash['crash']): Frame[] {
  const thread = threads.find(({ crashed }) => crashed) ?? threads[0]
  return (thread?.frames ?? []).filter((frame) => isOwn(kind, frame))
}

function isOwn(kind: FoundCrash['crash']['kind'], { function: name, module, file }: Frame): boolean {
  if (name === null) return false
  if (kind === 'android') return isOwnClass(name.slice(0, Math.max(name.lastIndexOf('.'), 0)))
  // A frame with a source file was resolved by symbols that the team uploaded.
  return file !== null || isAppFrame({ className: null, module, isAppImage: null })
}

function findException({ kind, text }: FoundCrash['crash']): Pick<CrashDescription, 'type' | 'message'> {
  for (const line of text.split('\n', maxLines)) {
    const shortened = line.slice(0, 2000).trimEnd()
    const match = kind === 'apple' ? appleException.exec(shortened) : javaException.exec(shortened)
    if (match?.[1] !== undefined) return { type: match[1], message: match[2] ?? null }
  }
  return { type: signal.exec(text)?.[1] ?? null, message: null }
}
