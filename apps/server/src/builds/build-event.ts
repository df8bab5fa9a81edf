import type { EventFacts } from '../hooks/tell-hooks.ts'
import type { BuildRecord } from './build.ts'

/** What hooks are told of a build, besides what happened to it. */
export function toBuildFacts(build: BuildRecord, data: Record<string, unknown> = {}): EventFacts {
  return {
    data: {
      buildId: build.id,
      platform: build.platform,
      shortVersion: build.short_version,
      version: build.version,
      branch: build.source_branch,
      commit: build.source_commit,
      size: build.size,
      ...data,
    },
    installSecret: build.secret,
    texts: { releaseNotes: build.release_notes },
    people: { uploadedBy: build.uploaded_by },
  }
}
