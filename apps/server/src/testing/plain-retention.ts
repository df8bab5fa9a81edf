/**
 * The rules of retention written down a second time, as plainly as possible and without regard to speed, and histories
 * to try both on. Tests compare what this names with what the server names.
 */

import { requireAt } from '@fairlead/invariant'

export interface PlainRule {
  branches: string[]
  maxAgeDays: number | null
  keepNewest: number | null
}

export interface PlainSettings {
  rules: PlainRule[]
  keepDistributedDays: number
  quietBranchDays: number | null
}

export interface PlainBuild {
  id: number
  branch: string | null
  ageMs: number
  isPinned: boolean
  /** Groups by id, with how long ago the build was given to each. */
  groups: { groupId: number; agoMs: number }[]
}

export interface PlainHistory {
  builds: PlainBuild[]
  settings: PlainSettings
  defaultBranch: string
  /** What live latest links show. */
  servedIds: number[]
}

const day = 24 * 60 * 60 * 1000

export type PlainOutcome = Record<'goes' | 'pinned' | 'recent' | 'newestOfBranch' | 'latest' | 'distributed', number[]>

export function applyPlainly({ builds, settings, defaultBranch, servedIds }: PlainHistory): PlainOutcome {
  const outcome: PlainOutcome = { goes: [], pinned: [], recent: [], newestOfBranch: [], latest: [], distributed: [] }
  for (const build of builds) {
    const rule = settings.rules.find(({ branches }) => branches.some((pattern) => isMatch(pattern, build.branch ?? '')))
    if (!rule || (rule.maxAgeDays === null && rule.keepNewest === null)) continue
    const ofBranch = builds.filter((other) => (other.branch ?? '') === (build.branch ?? ''))
    const newest = ofBranch.map(({ id }) => id).toSorted((a, b) => b - a)
    const isOld = rule.maxAgeDays === null || build.ageMs > rule.maxAgeDays * day
    const isBeyond = rule.keepNewest === null || !newest.slice(0, rule.keepNewest).includes(build.id)
    if (!isOld || !isBeyond) continue
    outcome[findReason(build)].push(build.id)

    function findReason(one: PlainBuild): keyof PlainOutcome {
      if (one.isPinned) return 'pinned'
      if (one.ageMs <= day) return 'recent'
      if (newest[0] === one.id) {
        const isQuiet = settings.quietBranchDays !== null && one.ageMs > settings.quietBranchDays * day
        const isNewestOfAll = builds.every(({ id }) => id <= one.id)
        if (!isQuiet || one.branch === defaultBranch || isNewestOfAll) return 'newestOfBranch'
      }
      const isHighestOfGroup = one.groups.some(({ groupId }) =>
        builds.every(({ id, groups }) => id <= one.id || !groups.some((group) => group.groupId === groupId)),
      )
      if (isHighestOfGroup || servedIds.includes(one.id)) return 'latest'
      if (one.groups.some(({ agoMs }) => agoMs < settings.keepDistributedDays * day)) return 'distributed'
      return 'goes'
    }
  }
  return outcome
}

/** By dynamic programming over both texts, unlike the server's search for the parts between stars. */
function isMatch(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern.startsWith('*'))
    return isMatch(pattern.slice(1), text) || (text !== '' && isMatch(pattern, text.slice(1)))
  return text !== '' && text[0] === pattern[0] && isMatch(pattern.slice(1), text.slice(1))
}

/** A generator of random numbers from 0 to 1 with a seed (mulberry32), so that a failure can be repeated. */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const branches = [null, 'main', 'release/1', 'release/2.0', 'feature/a', 'feature/a/b', 'Main', 'x']
const patterns = ['*', 'main', 'release/*', 'feature/*', '', '*a*', '*/b', 'feature/*/b', 'M*n', 'r*e*1', '**']

export function generateHistory(random: () => number, count: number): PlainHistory {
  const pick = <Item>(items: readonly Item[]) => requireAt(items, Math.floor(random() * items.length))
  const maybe = <Value>(chance: number, value: () => Value) => (random() < chance ? value() : null)
  const days = () => 1 + Math.floor(random() * 60)
  let ageMs = 0
  const builds: PlainBuild[] = []
  for (let id = count; id >= 1; id--) {
    // Some builds come in one minute, others days apart; an imported build may be older than those before it.
    ageMs = Math.max(60_000, ageMs + (random() < 0.1 ? -3 : random() * 2) * day)
    builds.push({
      id,
      branch: pick(branches),
      ageMs: Math.floor(ageMs),
      isPinned: random() < 0.05,
      groups: [1, 2, 3].flatMap((groupId) =>
        random() < 0.12 ? [{ groupId, agoMs: Math.floor(random() * ageMs) }] : [],
      ),
    })
  }
  const rules = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
    branches: Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(patterns)),
    maxAgeDays: maybe(0.7, days),
    keepNewest: maybe(0.6, () => 1 + Math.floor(random() * 8)),
  }))
  return {
    builds,
    settings: {
      rules,
      keepDistributedDays: pick([0, 1, 10, 90]),
      quietBranchDays: maybe(0.5, days),
    },
    defaultBranch: pick(['main', 'release/1', 'none']),
    servedIds: random() < 0.3 ? [1 + Math.floor(random() * count)] : [],
  }
}
