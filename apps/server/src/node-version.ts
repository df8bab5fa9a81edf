const needed = 26

/** Reports an unsupported Node version in a sentence; otherwise it would fail with a syntax error somewhere. */
export function refuseOldNode(version: string): void {
  if (Number.parseInt(version, 10) >= needed) return
  console.error(
    `Fairlead needs Node ${needed} or newer; this is ${version}. Start it with npm start, which brings its own.`,
  )
  process.exit(1)
}
