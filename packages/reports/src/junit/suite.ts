/** A `testsuite` element that is open, or that a case was in. */
export interface Suite {
  parent: Suite | null
  /** The names of the enclosing suites and its own, outer to inner; null where none has a name. */
  path: string | null
  /** The device that the tests ran on, where the suite names one. */
  device: string | null
}

/** Opens a suite inside another. */
export function openSuite(name: string | null, parent: Suite | null, device: string | null): Suite {
  const path = name === null ? (parent?.path ?? null) : parent?.path ? `${parent.path} > ${name}` : name
  return { parent, path, device }
}

/** The device of the nearest suite that names one. */
export function suiteDevice(suite: Suite | null): string | null {
  for (let at = suite; at; at = at.parent) if (at.device !== null) return at.device
  return null
}
