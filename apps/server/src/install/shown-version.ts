import { toShownText } from './shown-text.ts'
import type { Words } from './words/words.ts'

/** Shows a build's versions to testers, truncated when they are very long. */
export function toShownVersion(
  words: Words,
  { short_version, version }: { short_version: string; version: string },
): string {
  return words.version(toShownText(short_version, 40), toShownText(version, 40))
}
