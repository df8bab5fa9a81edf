/** A `testsuite` element with its enclosing suites. */
export interface Suite {
  parent: Suite | null
  /** The names of the enclosing suites and its own, outermost first; null if none of them has a name. */
  path: string | null
  /** The device that the tests ran on, if the suite names one. */
  device: string | null
  /** The file whose tests are in the suite, which Mocha and WebdriverIO name here and not in each case. */
  file: string | null
  /** The name of this suite alone, and its `hostname`, which Playwright uses for the project. */
  name: string | null
  hostname: string | null
}

/** Opens a suite inside another. */
export function openSuite(
  { name, device, file, hostname }: Pick<Suite, 'name' | 'device' | 'file' | 'hostname'>,
  parent: Suite | null,
): Suite {
  const path = name === null ? (parent?.path ?? null) : parent?.path ? `${parent.path} > ${name}` : name
  return { parent, path, device, file, name, hostname }
}

/** Returns the device of the nearest suite that names one. */
export function suiteDevice(suite: Suite | null): string | null {
  for (let at = suite; at; at = at.parent) if (at.device !== null) return at.device
  return null
}

/**
 * Returns the file of tests that the property `file` of a suite names, as WebdriverIO writes it: `file://./a.e2e.js`.
 * Null if it is no file of JavaScript, because other tools may mean something else by a property of that name.
 */
export function toFileOfTests(value: string): string | null {
  const path = value.replace(/^file:\/\//, '').replace(/^(?:\.\/)+/, '')
  return /\.[cm]?[jt]sx?$/.test(path) ? path : null
}

/**
 * Returns the project of a case in a report of Playwright. Other tools give the name of a machine as `hostname`;
 * Playwright's reports are known by the `id` of their root, and by the file that is both suite and class.
 */
export function playwrightProject(suite: Suite | null, className: string | undefined): string | null {
  return suite !== null && suite.name !== null && suite.name === className ? suite.hostname : null
}
