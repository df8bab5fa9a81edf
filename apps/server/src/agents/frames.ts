/** Frames of stacks as agents see them. */
import type { CrashFrame } from '@fairlead/contract'
import { z } from 'zod'
import { fieldRef, type Ref } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const textOrNull = z.string().nullable()

export const Frame = z.object({
  index: z.int(),
  line: z.int().nullable(),
  isApp: z.boolean(),
  isInlined: z.boolean(),
  isResolved: z.boolean().describe('class, method and line came from symbols on this server'),
  untrusted: untrustedOf({ function: textOrNull, file: textOrNull, className: textOrNull, module: textOrNull }),
  more: z.array(Cut).optional(),
})

export const Location = z
  .object({
    frame: z.int(),
    line: z.int(),
    untrusted: untrustedOf({ file: textOrNull, function: textOrNull, path: textOrNull }),
    more: z.array(Cut).optional(),
  })
  .nullable()
  .describe('Where to look: the innermost frame of the app that has a line')

export interface AnyFrame extends Pick<CrashFrame, 'function' | 'file' | 'line' | 'module' | 'inlined' | 'isApp'> {
  className: string | null
  isResolved: boolean
}

/** @param ref where `read_text` finds the list of frames; null for frames that are kept nowhere */
export function toFrame(frame: AnyFrame, index: number, ref: Ref) {
  return {
    index,
    line: frame.line,
    isApp: frame.isApp,
    isInlined: frame.inlined,
    isResolved: frame.isResolved,
    ...untrusted(textsOfFrame(frame), fieldRef(ref, `frames.${index}`)),
  }
}

export function textsOfFrame({ function: name, file, className, module }: Omit<AnyFrame, 'isResolved' | 'isApp'>) {
  return { function: name, file, className, module }
}

/**
 * Tells whether symbols say what a frame says. Whoever sends a crash can name a real class with a method that does not
 * exist: its class is restored and the rest stays as it was sent. So either symbols have changed the line, or they have
 * given a method that the report does not name.
 */
export function isResolvedFrame({ inlined, line, function: name, reported }: CrashFrame): boolean {
  if (name === null || line === null || line <= 0) return false
  if (inlined || reported === null) return true
  if (reported.line !== line) return true
  const sent = reported.className === null ? reported.function : reported.methodName
  return sent === null || !(name === sent || name.endsWith(`.${sent}`))
}

/** The name alone of a file, without the folders of the machine that built it. */
export function toFileName(file: string | null): string | null {
  return file?.split(/[\\/]/).at(-1) ?? null
}
