/**
 * Decides which builds of an application its rules take. The dry run and the run both ask here, so that a run does what
 * the dry run showed. Builds come with the highest id first: what counts from the newest is then known in one pass.
 */
import type { RetentionPreview, RetentionRule } from '@fairlead/contract'
import type { RunSettings } from '../db/schema/retention.ts'
import { matchesBranch } from './glob.ts'

export const dayMs = 24 * 60 * 60 * 1000

/** What keeps a build that the rules alone would take. */
export type KeptBy = keyof RetentionPreview['kept']

export interface JudgedBuild {
  id: number
  branch: string | null
  /** Epoch milliseconds. */
  uploadedAt: number
  isPinned: boolean
  groups: { groupId: number; distributedAt: number }[]
}

/** Where a build stands among the others. */
export interface Standing {
  /** How many builds of its branch have a higher id. */
  higherInBranch: number
  isNewestOfApplication: boolean
  /** Whether it is the highest build of one of its groups, or what a live latest link shows. */
  isLatest: boolean
}

export interface Circumstances {
  settings: RunSettings
  /** When ages are compared, in epoch milliseconds. */
  now: number
  defaultBranch: string
}

/** Undefined for a build that no rule takes; else the place of the rule and what keeps the build, if anything does. */
export type Verdict = { rule: number; keptBy: KeptBy | null } | undefined

/** Judges one build of which it is known where it stands. */
export function judgeBuild(build: JudgedBuild, standing: Standing, given: Circumstances): Verdict {
  const { settings, now } = given
  const rule = findRule(settings.rules, build.branch ?? '')
  const limits = settings.rules[rule]
  if (!limits || !isOverLimits(limits, now - build.uploadedAt, standing.higherInBranch)) return undefined
  return { rule, keptBy: findKeeper(build, standing, given) }
}

function findRule(rules: RetentionRule[], branch: string): number {
  return rules.findIndex(({ branches }) => branches.some((pattern) => matchesBranch(pattern, branch)))
}

/** A build goes if it is over every limit that is set; a rule without limits takes nothing. */
function isOverLimits({ maxAgeDays, keepNewest }: RetentionRule, age: number, higher: number): boolean {
  if (maxAgeDays === null && keepNewest === null) return false
  if (maxAgeDays !== null && age <= maxAgeDays * dayMs) return false
  return keepNewest === null || higher >= keepNewest
}

/** The reasons are asked in the order of the description of the API, and the first one counts. */
function findKeeper(build: JudgedBuild, standing: Standing, { settings, now, defaultBranch }: Circumstances) {
  if (build.isPinned) return 'pinned'
  if (now - build.uploadedAt <= dayMs) return 'recent'
  if (standing.higherInBranch === 0 && !isQuiet()) return 'newestOfBranch'
  if (standing.isLatest) return 'latest'
  const since = now - settings.keepDistributedDays * dayMs
  return build.groups.some(({ distributedAt }) => distributedAt > since) ? 'distributed' : null

  /** Branches where nothing happens any more need not keep a build each, but for the one that the team works on. */
  function isQuiet(): boolean {
    const { quietBranchDays } = settings
    if (quietBranchDays === null || now - build.uploadedAt <= quietBranchDays * dayMs) return false
    return build.branch !== defaultBranch && !standing.isNewestOfApplication
  }
}

/** Creates a function that judges all builds of an application, which come with the highest id first. */
export function createJudge(given: Circumstances, servedIds: ReadonlySet<number>): (build: JudgedBuild) => Verdict {
  const seenInBranch = new Map<string, number>()
  const seenGroups = new Set<number>()
  let isFirst = true
  return (build) => {
    const key = build.branch ?? ''
    const higherInBranch = seenInBranch.get(key) ?? 0
    const isHighestOfGroup = build.groups.some(({ groupId }) => !seenGroups.has(groupId))
    const standing = {
      higherInBranch,
      isNewestOfApplication: isFirst,
      isLatest: isHighestOfGroup || servedIds.has(build.id),
    }
    isFirst = false
    seenInBranch.set(key, higherInBranch + 1)
    for (const { groupId } of build.groups) seenGroups.add(groupId)
    return judgeBuild(build, standing, given)
  }
}
