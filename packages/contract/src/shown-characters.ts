/**
 * Characters that must not be in names: control characters with CR and LF, line and paragraph separators, and those
 * that change the direction of the text around them. The marks LRM, RLM and ALM stay, because names in Arabic and
 * Hebrew need them.
 */
const hidden = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu

/** Removes characters that would deceive or break the place where a name is shown. */
export function toCleanName(text: string): string {
  return text.replace(hidden, '')
}
