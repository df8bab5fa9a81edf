/** Recognizes crashes and stack traces in texts, without reading them whole. */

/** What may be read as a stack trace or a crash report. */
const traceSigns = new RegExp(
  [
    String.raw`^\s*at [\w.$]+\.[\w$<>]+\(`,
    'FATAL EXCEPTION',
    String.raw`\*\*\* \*\*\* \*\*\*`,
    '^Incident Identifier:',
    String.raw`^\{"[^\n]{0,4000}"bug_type"`,
    String.raw`signal \d+ \(SIG`,
  ].join('|'),
  'm',
)

/** What says that the process of the app ended by it. */
const crashSigns = new RegExp(
  [
    'FATAL EXCEPTION',
    String.raw`\*\*\* \*\*\* \*\*\*`,
    '^Incident Identifier:',
    String.raw`^\{"[^\n]{0,4000}"bug_type"`,
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
