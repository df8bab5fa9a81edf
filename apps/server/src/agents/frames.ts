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
