import type { FrameOwner } from './resolve-stack.ts'
import { isAppFrame, listOwnPackages } from '../grouping/app-frames.ts'
import { findRule } from '../grouping/frame-rules.ts'

/** A frame of a text that somebody has pasted. */
export interface PastedFrame {
  function: string | null
  /** The class of a Java frame, else null. */
  className: string | null
  module: string | null
  file: string | null
  /** Whether the frame names a place in a source and no image: one of JavaScript or Dart. */
  isSource: boolean
}

/** Returns a function that tells the frames of an application, as those of its crashes are told. */
export function createFrameJudge({ rules, identifiers }: FrameOwner): (frame: PastedFrame) => boolean {
  const ownPackages = listOwnPackages(identifiers)
  return ({ function: name, className, module, file, isSource }) => {
    const rule = findRule(rules, [name, className, className === null ? module : null])
    if (rule) return rule.kind === 'app'
    return isAppFrame(
      { className, function: name, module, file, isAppImage: null, inApp: isSource || null },
      ownPackages,
    )
  }
}
