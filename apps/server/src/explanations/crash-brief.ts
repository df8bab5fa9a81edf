import type { CrashBrief, CrashGroup } from '@fairlead/contract'

/** A crash group in a few words, with what others have written apart. */
export function toCrashBrief(group: CrashGroup, baseUrl: string): CrashBrief {
  return {
    crashGroupId: group.id,
    kind: group.kind,
    status: group.status,
    crashCount: group.crashCount,
    installCount: group.installCount,
    firstSeenDate: group.firstSeenDate,
    lastSeenDate: group.lastSeenDate,
    isRegressed: group.isRegressed,
    url: `${baseUrl}/applications/${group.applicationId}/crashes/${group.id}`,
    untrusted: { title: group.title, culprit: group.culprit, exceptionTypes: group.exceptionTypes },
  }
}
