import { z } from 'zod'

export const CrashKind = z.enum(['crash', 'anr', 'hang', 'handled'])
export type CrashKind = z.infer<typeof CrashKind>

export const CrashSource = z.enum(['sentry', 'appcenter', 'acra', 'android', 'apple', 'metrickit'])
export type CrashSource = z.infer<typeof CrashSource>

export const CrashPlatform = z.enum(['android', 'apple', 'native', 'dart', 'javascript', 'other'])
export type CrashPlatform = z.infer<typeof CrashPlatform>

export const CrashGroupStatus = z.enum(['open', 'resolved', 'ignored'])
export type CrashGroupStatus = z.infer<typeof CrashGroupStatus>
