import { toBundleKey } from './source-map-key.ts'
import type { StackContent, StackRelease } from './stack-content.ts'

/** A bundle whose source map a stack needs. */
export interface SourceMapNeed {
  /** Tells the bundles of one stack apart. */
  key: string
  /** The name of the bundle. */
  name: string
  /** In lower case with hyphens. Without one, the release and the name tell the map. */
  debugId: string | null
  release: StackRelease
  /** False for bundles that are none of the app by what the sender says. */
  isNeeded: boolean
}

const noRelease: StackRelease = { package: null, shortVersion: null, version: null }

export function listSourceMapNeeds({ frames, release = noRelease }: StackContent): SourceMapNeed[] {
  const needs = new Map<string, SourceMapNeed>()
  for (const frame of frames) {
    // A frame without a column is unread as well, although only the next build can tell columns.
    const key = toBundleKey(frame)
    if (key === undefined || frame.module === null) continue
    const isNeeded = needs.get(key)?.isNeeded === true || frame.inApp !== false
    needs.set(key, { key, name: frame.module, debugId: frame.imageUuid, release, isNeeded })
  }
  return [...needs.values()]
}
