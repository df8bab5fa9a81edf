/** Things as they stand in the lists of several tools, short, and where they come from. */
import type { Build, CrashBrief as RestCrashBrief, CrashGroup } from '@fairlead/contract'
import { CrashGroupStatus, CrashKind } from '@fairlead/contract'
import { z } from 'zod'
import { dashboardUrl, Hex, Instant, quoteUrl, toHexOrNull, toInstantText, toRef, Url } from './trusted.ts'
import { Cut, untrusted, untrustedOf } from './untrusted.ts'

const text = z.string()
const textOrNull = text.nullable()

export const BuildBrief = z.object({
  buildId: z.int(),
  uploadedDate: Instant,
  isExpired: z.boolean(),
  sizeBytes: z.int(),
  commit: Hex.nullable(),
  url: Url,
  untrusted: untrustedOf({
    shortVersion: text,
    version: text,
    bundleIdentifier: text,
    branch: textOrNull,
    fileName: text,
    releaseNotes: textOrNull,
  }),
  more: z.array(Cut),
})

/** The texts of a build, for answers and for `read_text`. */
export function textsOfBuild(build: Build) {
  const { shortVersion, version, bundleIdentifier, fileName, releaseNotes } = build
  return { shortVersion, version, bundleIdentifier, branch: build.source?.branch ?? null, fileName, releaseNotes }
}

/** Lists show the beginning of release notes. */
const listedNotes = 300

export function toBuildBrief(build: Build, baseUrl: string, { isListed }: { isListed: boolean }) {
  const { id } = build
  return {
    buildId: id,
    uploadedDate: toInstantText(build.uploadedDate),
    isExpired: build.isExpired,
    sizeBytes: build.size,
    commit: toHexOrNull(build.source?.commit),
    url: dashboardUrl(baseUrl)`/builds/${id}`,
    more: [],
    ...untrusted(textsOfBuild(build), toRef('build', id), isListed ? listedNotes : undefined),
  }
}

export const CrashBrief = z.object({
  crashGroupId: z.int(),
  kind: CrashKind,
  status: CrashGroupStatus,
  crashCount: z.int(),
  installCount: z.int(),
  firstSeenDate: Instant,
  lastSeenDate: Instant,
  isRegressed: z.boolean(),
  url: Url,
  untrusted: untrustedOf({ title: text, culprit: textOrNull, exceptionTypes: z.array(text) }),
  more: z.array(Cut).optional(),
})

/** Causes beyond these say little about a crash. */
const maxTypes = 5

export function textsOfGroup({ title, culprit, exceptionTypes }: CrashGroup) {
  return { title, culprit, exceptionTypes: exceptionTypes.slice(0, maxTypes) }
}

export function toCrashBrief(group: CrashGroup, baseUrl: string) {
  const { id, applicationId } = group
  return {
    crashGroupId: id,
    kind: group.kind,
    status: group.status,
    crashCount: group.crashCount,
    installCount: group.installCount,
    firstSeenDate: toInstantText(group.firstSeenDate),
    lastSeenDate: toInstantText(group.lastSeenDate),
    isRegressed: group.isRegressed,
    url: dashboardUrl(baseUrl)`/applications/${applicationId}/crashes/${id}`,
    ...untrusted(textsOfGroup(group), toRef('crashGroup', id)),
  }
}

/** A crash group in the words of an explanation of the API. */
export function quoteCrashBrief({ untrusted: texts, ...brief }: RestCrashBrief, baseUrl: string) {
  return {
    ...brief,
    firstSeenDate: toInstantText(brief.firstSeenDate),
    lastSeenDate: toInstantText(brief.lastSeenDate),
    url: quoteUrl(brief.url, baseUrl),
    ...untrusted(
      { ...texts, exceptionTypes: texts.exceptionTypes.slice(0, maxTypes) },
      toRef('crashGroup', brief.crashGroupId),
    ),
  }
}
