/**
 * Grouping, version 1. Two crashes belong together when their keys are equal. A key is a list of readable lines:
 *
 * 1. the client's own fingerprint, unless it is `{{ default }}`;
 * 2. else the kind, and the exception types from the outermost to the root cause (or the signal), never their messages;
 * 3. then the innermost frames that count, recursion folded, up to the first one of the app and at most three; two when
 *    there is none of the app;
 * 4. without any frames, the message, in which numbers and quotations are blanked.
 */
import type { CrashException, CrashKind } from '../crash.ts'
import { type GroupedFrame, toFrameName } from './frame-name.ts'
import { findSkipReason, type SkipReason } from './skipped-frames.ts'

export const groupingVersion = 1

export interface GroupingInput {
  kind: CrashKind
  exceptions: readonly CrashException[]
  /** Innermost first, inlined ones included. */
  frames: readonly GroupedFrame[]
  fingerprint: readonly string[] | null
}

export interface GroupKey {
  lines: string[]
  /** The title of the group in lists: the type of the root cause, or the first line of the key. */
  title: string
  /** The first frame of the app, or the innermost frame that counts. */
  culprit: string | null
  skippedFrames: { name: string; reason: SkipReason }[]
}

const maxKeyFrames = 3
const framesWithoutApp = 2
const maxTypes = 10
const maxSkipped = 50
const maxTitleLength = 200
const defaultPart = /\{\{\s*default\s*\}\}/

export function toGroupKey(input: GroupingInput): GroupKey {
  const { chosen, skipped } = chooseFrames(input.frames)
  const names = chosen.map(({ name }) => name)
  const types = input.exceptions.slice(0, maxTypes).map(({ type }) => type)
  const message = input.exceptions.at(-1)?.message ?? null
  const found = names.length > 0 ? names : message === null ? [] : [blankMessage(message)]
  const own = [input.kind, ...types, ...found]
  return {
    lines: withFingerprint(input.fingerprint, own),
    title: toTitle(input, types),
    culprit: (chosen.find(({ isApp }) => isApp) ?? chosen[0])?.name ?? null,
    skippedFrames: skipped,
  }
}

/** Expands `{{ default }}` in a fingerprint to the server's own key. */
function withFingerprint(fingerprint: readonly string[] | null, own: string[]): string[] {
  if (fingerprint === null || fingerprint.length === 0) return own
  return fingerprint.flatMap((part) => (defaultPart.test(part) ? own : [part]))
}

function chooseFrames(frames: readonly GroupedFrame[]) {
  const counted: { name: string; isApp: boolean }[] = []
  const skipped: GroupKey['skippedFrames'] = []
  for (const frame of frames) {
    const name = toFrameName(frame)
    if (name === undefined) continue
    const reason = findReason(frame)
    if (reason !== undefined) {
      if (skipped.length < maxSkipped) skipped.push({ name, reason })
      continue
    }
    // Recursion is folded: a function occurs in a key only once.
    if (counted.some((other) => other.name === name)) continue
    counted.push({ name, isApp: frame.isApp })
    if (frame.isApp) break
  }
  const last = counted.at(-1)
  if (last?.isApp !== true) return { chosen: counted.slice(0, framesWithoutApp), skipped }
  // The frame of the app replaces the third library frame, because it identifies the fault better.
  const chosen = counted.length <= maxKeyFrames ? counted : [...counted.slice(0, maxKeyFrames - 1), last]
  return { chosen, skipped }
}

/** Whether a key can name a frame: it has a name or a module, and there is no reason to skip it. */
export function isNamedInKeys(frame: GroupedFrame): boolean {
  return toFrameName(frame) !== undefined && findReason(frame) === undefined
}

function findReason(frame: GroupedFrame): SkipReason | undefined {
  return frame.isSkipped === true ? 'rule' : frame.isApp ? undefined : findSkipReason(frame)
}

const maxBlanked = 500
const quotation = /(["'`«“])[^"'`»”]{0,200}(["'`»”])/g
const hexadecimal = /\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]{8,}\b/g
const decimal = /-?\d+(?:[.,]\d+)*/g
const varying = new RegExp([quotation, hexadecimal, decimal].map(({ source }) => source).join('|'), 'g')

/** Removes numbers, quotations and hexadecimal text, which differ from crash to crash. */
export function blankMessage(message: string): string {
  return message
    .slice(0, maxBlanked)
    .replace(quotation, '$1…$2')
    .replace(hexadecimal, '#')
    .replace(decimal, '#')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Lists what `blankMessage` removes, in its order. */
export function blankedParts(message: string): string[] {
  return [...message.slice(0, maxBlanked).matchAll(varying)].map(([part]) => part)
}

const kindTitles: Record<CrashKind, string> = {
  crash: 'Crash',
  anr: 'Application not responding',
  hang: 'App hang',
  handled: 'Handled error',
}

function toTitle({ kind }: GroupingInput, types: readonly string[]): string {
  return (types.at(-1) ?? kindTitles[kind]).slice(0, maxTitleLength)
}
