/** A `testsuite` element that is open, or that a case was in. */
export interface Suite {
  name: string | null
  parent: Suite | null
  /** The device that the tests ran on, where the suite names one. */
  device: string | null
}

/** The names of the enclosing suites, outer to inner; null where none has a name. */
export function suiteName(suite: Suite | null): string | null {
  const names: string[] = []
  for (let at = suite; at; at = at.parent) if (at.name !== null) names.unshift(at.name)
  return names.length === 0 ? null : names.join(' > ')
}

/** The device of the nearest suite that names one. */
export function suiteDevice(suite: Suite | null): string | null {
  for (let at = suite; at; at = at.parent) if (at.device !== null) return at.device
  return null
}
