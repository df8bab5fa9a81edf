import { hasAppleLine, hasJsonStart } from './parse-report.ts'

/** The platform of a crash report: an Apple system, or Android for a trace or log. */
export type ReportPlatform = 'apple' | 'android'

/** Names of fields that only reports of Apple's systems have. A log may begin with JSON too, but not with these. */
const ipsField = /"(bug_type|usedImages|faultingThread|lastExceptionBacktrace|(crash|hang)Diagnostics)"\s{0,10}:/

/** Detects the platform from the text alone, for callers that do not know it. */
export function detectPlatform(text: string): ReportPlatform {
  return (hasJsonStart(text) && ipsField.test(text)) || hasAppleLine(text) ? 'apple' : 'android'
}
