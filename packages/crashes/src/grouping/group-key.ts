/**
 * Grouping, version 1. Two crashes belong together when their keys are equal. A key is a list of readable lines:
 *
 * 1. the client's own fingerprint, unless it is `{{ default }}`;
 * 2. else the kind, and the exception types from the outermost to the root cause (or the signal), never their messages;
 * 3. then the innermost frames that count, recursion folded, up to the first one of the app whose name tells something,
 *    and at most three; two when there is none of the app;
 * 4. without any frames, or with such only whose names tell nothing, the message, in which numbers and quotations are
 *    blanked.
 */
import { requireAt } from '@fairlead/invariant'
import type { CrashException, CrashKind } from '../crash.ts'
import { type GroupedFrame, isVague, toFrameName } from './frame-name.ts'
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
  const needed = message === null || tellsPlace(chosen) ? [] : [blankMessage(message)]
  const own = [input.kind, ...types, ...names, ...needed]
  const ofApp = chosen.filter(({ isApp }) => isApp)
  return {
    lines: withFingerprint(input.fingerprint, own),
    title: toTitle(input, types),
    culprit: (ofApp.find((frame) => !frame.isVague) ?? ofApp[0] ?? chosen[0])?.name ?? null,
    skippedFrames: skipped,
  }
}

/** Expands `{{ default }}` in a fingerprint to the server's own key. */
function withFingerprint(fingerprint: readonly string[] | null, own: string[]): string[] {
  if (fingerprint === null || fingerprint.length === 0) return own
  return fingerprint.flatMap((part) => (defaultPart.test(part) ? own : [part]))
}

interface CountedFrame {
  name: string
  isApp: boolean
  isVague: boolean
}

function chooseFrames(frames: readonly GroupedFrame[]) {
  const counted: CountedFrame[] = []
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
    counted.push({ name, isApp: frame.isApp, isVague: isVague(frame) })
    if (frame.isApp && !isVague(frame)) break
  }
  const first = counted.findIndex(({ isApp }) => isApp)
  if (first < 0) return { chosen: counted.slice(0, framesWithoutApp), skipped }
  const found = counted.filter(({ isApp }, place) => isApp || place < first)
  const last = requireAt(found, found.length - 1)
  // The frame of the app that tells the place replaces the third frame, because it identifies the fault better.
  const chosen = found.length <= maxKeyFrames ? found : [...found.slice(0, maxKeyFrames - 1), last]
  return { chosen, skipped }
}

/** Whether frames tell where the fault is: one of the app has a name that does, or any if there is none of the app. */
export function tellsPlace(frames: readonly Pick<CountedFrame, 'isApp' | 'isVague'>[]): boolean {
  const ofApp = frames.filter(({ isApp }) => isApp)
  return (ofApp.length > 0 ? ofApp : frames).some((frame) => !frame.isVague)
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
