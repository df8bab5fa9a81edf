import type { CrashFrame } from '@fairlead/contract'

/**
 * Tells whether symbols say what a frame says. Whoever sends a crash can name a real class with a method that does not
 * exist: its class is restored and the rest stays as it was sent. So either symbols have changed the line, or they have
 * given a method that the report does not name.
 */
export function isResolvedFrame({ function: name, line, reported, inlined }: CrashFrame): boolean {
  if (name === null || line === null || line <= 0) return false
  if (inlined || reported === null || reported.line !== line) return true
  const sent = reported.className === null ? reported.function : reported.methodName
  return sent === null || !(name === sent || name.endsWith(`.${sent}`))
}
