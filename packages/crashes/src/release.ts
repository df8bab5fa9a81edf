import { toLabel, toText } from './json/json-value.ts'

export interface Release {
  package: string | null
  shortVersion: string | null
  version: string | null
}

/**
 * Splits `package@version+build`, as Sentry's SDKs write it. Without an `@` all of it is the short version; `dist`
 * stands in for a build that is missing.
 */
export function splitRelease(release: unknown, dist?: unknown): Release {
  const text = toText(release)
  const fallback = toLabel(dist)
  if (text === null) return { package: null, shortVersion: null, version: fallback }
  const at = text.indexOf('@')
  if (at < 0) return { package: null, shortVersion: text, version: fallback }
  const rest = text.slice(at + 1)
  const plus = rest.indexOf('+')
  return {
    package: text.slice(0, at) || null,
    shortVersion: (plus < 0 ? rest : rest.slice(0, plus)) || null,
    version: (plus < 0 ? '' : rest.slice(plus + 1)) || fallback,
  }
}
