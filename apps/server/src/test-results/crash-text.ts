/**
 * Recognizes crashes and stack traces in texts, without reading them whole. Nothing here matches a line break, because
 * a search would then go on from each of many empty lines to their end.
 */

/** Matches the signs of a stack trace or a crash report. */
const traceSigns = new RegExp(
  [
    String.raw`^[ \t]*at [\w.$]+\.[\w$<>]+\(`,
    'FATAL EXCEPTION',
    String.raw`\*\*\* \*\*\* \*\*\*`,
    '^Incident Identifier:',
    String.raw`^\{".{0,4000}"bug_type"`,
    String.raw`signal \d+ \(SIG`,
  ].join('|'),
  'm',
)

/** Matches the signs that the crash ended the process of the app. */
const crashSigns = new RegExp(
  [
    'FATAL EXCEPTION',
    String.raw`\*\*\* \*\*\* \*\*\*`,
    '^Incident Identifier:',
    String.raw`^\{".{0,4000}"bug_type"`,
    String.raw`signal \d+ \(SIG`,
    String.raw`\bprocess crashed\b`,
  ].join('|'),
  'im',
)

export function hasTrace(text: string): boolean {
  return traceSigns.test(text)
}

export function isCrashText(text: string): boolean {
  return crashSigns.test(text)
}

const mediaTypes = /^(image|video|audio)\//
const mediaNames = /\.(png|jpe?g|gif|webp|heic|mp4|mov|webm|zip|har)$/i

/** Whether an attachment may be a log or a crash report; pictures and recordings are not read. */
export function mayHoldTrace({ name, contentType }: { name: string; contentType: string | null }): boolean {
  return !mediaTypes.test(contentType ?? '') && !mediaNames.test(name)
}
