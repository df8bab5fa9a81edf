/**
 * A debug id in lower case with hyphens; null for text that is none. Tools write it in any case, with or without
 * hyphens, and some append the age of the file, which is 0 outside Windows.
 */
export function toDebugIdText(text: string): string | null {
  const parts = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})(?:-?[0-9a-f]{1,8})?$/.exec(
    text.trim().toLowerCase(),
  )
  return parts ? parts.slice(1, 6).join('-') : null
}
