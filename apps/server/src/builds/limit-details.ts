import type { BuildDetails } from '../db/schema/build-details.ts'

/** The most bytes of JSON for the details of a build, so that a list of two hundred builds is still a small answer. */
const maxBytes = 32 * 1024
/** The most UTF-16 code units of one text. */
const maxTextLength = 500

/** Keeps the details of a build below `maxBytes`: the ends of the longest lists are left out, and a warning says so. */
export function limitDetails(details: Required<BuildDetails>): Required<BuildDetails> {
  let room = maxBytes
  let isCut = false
  /** Returns the items that fit into a share of the room that the lists before have left. */
  function take<Item>(items: Item[], share: number): Item[] {
    let left = room * share
    const end = items.findIndex((item) => {
      left -= measure(item)
      return left < 0
    })
    const taken = end < 0 ? items : items.slice(0, end)
    if (taken.length < items.length) isCut = true
    room -= measure(taken)
    return taken
  }

  const { signing, limits } = details
  const cut = clipTexts({ signing: signing && { ...signing, certificates: [] }, limits })
  room -= measure(cut)
  const certificates = take(clipTexts(signing?.certificates ?? []), 0.25)
  const architectures = take(clipTexts(details.architectures), 0.25)
  const warnings = take(clipTexts(details.warnings), 0.5)
  const permissions = take(clipTexts(details.permissions), 0.9)
  return {
    ...details,
    limits: cut.limits,
    signing: cut.signing && { ...cut.signing, certificates },
    architectures,
    permissions,
    warnings: isCut ? [...warnings, 'Some details of the binary are left out, because they are too long.'] : warnings,
  }
}

function measure(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + 1
}

/** Shortens every text inside a value. */
function clipTexts<Value>(value: Value): Value {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'string' ? inner.slice(0, maxTextLength).toWellFormed() : inner,
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the replacer only shortens texts
  return JSON.parse(text) as Value
}
