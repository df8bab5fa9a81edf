/** The parts that explanations and comparisons share, as agents see them: texts of others cleaned, cut and apart. */
import type { CommitState as RestCommitState, FailureLocation, FileOwners, SuspectCommit } from '@fairlead/contract'
import { SuspectReason } from '@fairlead/contract'
import { invariant } from '@fairlead/invariant'
import { z } from 'zod'
import { fieldRef, Hex, Instant, type Ref, toHexOrNull, toInstantText } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const text = z.string()
const textOrNull = text.nullable()

export const CommitState = z.object({
  state: z.enum(['complete', 'partial', 'none']),
  base: Hex.nullable(),
  head: Hex.nullable(),
  count: z.int(),
})

export function toCommitState({ state, base, head, count }: RestCommitState) {
  return { state, base: toHexOrNull(base), head: toHexOrNull(head), count }
}

export const Suspect = z.object({
  rank: z.int(),
  score: z.number(),
  commit: Hex,
  date: Instant,
  buildId: z.int(),
  reasons: z.array(SuspectReason),
  untrusted: untrustedOf({ paths: z.array(text), subject: textOrNull, author: textOrNull }),
  more: z.array(Cut).optional(),
})

/** @param ref where `read_text` finds the suspects */
export function toSuspects(suspects: SuspectCommit[], ref: Ref) {
  return suspects.map(({ rank, score, commit, date, buildId, reasons, untrusted: texts }, place) => ({
    rank,
    score,
    commit: toCommitHash(commit),
    date: toInstantText(date),
    buildId,
    reasons: reasons.map(({ code, frame, line }) => ({ code, frame, line })),
    ...untrusted(texts, fieldRef(ref, `suspects.${place}`)),
  }))
}

/** The API takes only hashes as commits of a build. */
export function toCommitHash(commit: string): Hex {
  const hash = toHexOrNull(commit)
  invariant(hash !== null, 'commits of builds have hashes')
  return hash
}

export const Owners = z.object({
  untrusted: untrustedOf({ path: text, owners: z.array(text) }),
  more: z.array(Cut).optional(),
})

/** More owners than a file has. */
const maxOwners = 20

export function toOwners(owners: FileOwners[], ref: Ref) {
  return owners.map(({ untrusted: { path, owners: names } }, place) => ({
    ...untrusted({ path, owners: names.slice(0, maxOwners) }, fieldRef(ref, `owners.${place}`)),
  }))
}

export function toLocation(location: FailureLocation | null, ref: Ref) {
  if (location === null) return null
  const { frame, line, untrusted: texts } = location
  return { frame, line, ...untrusted(texts, fieldRef(ref, 'location')) }
}
