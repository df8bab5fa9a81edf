import { type AlertKind, ApiError, type Fault } from '@fairlead/contract'
import { isMeasured, isRate } from './alert-rule.ts'

/** The settings of a rule that have to suit its kind. */
interface Line {
  kind: AlertKind
  threshold: number | null
  window_minutes: number | null
  minimum: number | null
  branch: string | null
}

/** @throws {ApiError} invalidRequest when a rule lacks what its kind needs, or has what means nothing for it */
export function checkLine(line: Line): void {
  const { kind, threshold, window_minutes: windowMinutes, minimum, branch } = line
  const faults: Fault[] = []
  const refuse = (source: string, detail: string) => faults.push({ source, detail })
  const means = 'means nothing for this kind of rule'
  if (isMeasured(kind)) {
    if (threshold === null) refuse('/threshold', 'is needed for this kind of rule')
    else if (isRate(kind) && threshold > 100) refuse('/threshold', 'must be per cent, from 0 to 100')
    else if (!isRate(kind) && !(Number.isInteger(threshold) && threshold >= 1)) {
      refuse('/threshold', 'must be a whole number from 1')
    }
    if (windowMinutes === null) refuse('/windowMinutes', 'is needed for this kind of rule')
  } else {
    if (threshold !== null) refuse('/threshold', means)
    if (windowMinutes !== null) refuse('/windowMinutes', means)
  }
  if (minimum !== null && !isRate(kind)) refuse('/minimum', means)
  if (branch !== null && kind !== 'testVerdict' && kind !== 'flakyRate') refuse('/branch', means)
  if (faults.length > 0) throw new ApiError('invalidRequest', { faults })
}
