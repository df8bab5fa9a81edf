/** A `testsuite` element with its enclosing suites. */
export interface Suite {
  parent: Suite | null
  /** The names of the enclosing suites and its own, outermost first; null if none of them has a name. */
  path: string | null
  /** The device that the tests ran on, if the suite names one. */
  device: string | null
}

/** Opens a suite inside another. */
export function openSuite(name: string | null, parent: Suite | null, device: string | null): Suite {
  const path = name === null ? (parent?.path ?? null) : parent?.path ? `${parent.path} > ${name}` : name
  return { parent, path, device }
}

/** Returns the device of the nearest suite that names one. */
export function suiteDevice(suite: Suite | null): string | null {
  for (let at = suite; at; at = at.parent) if (at.device !== null) return at.device
  return null
}
