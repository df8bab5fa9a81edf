/**
 * Loaded into the process of each test file: says what keeps it alive when its tests have taken far too long. The timer
 * itself does not keep it alive.
 */
const reportAfterMs = 540_000

setTimeout(() => {
  console.error(`${process.argv[1]} is still running; alive: ${process.getActiveResourcesInfo().join(', ')}`)
}, reportAfterMs).unref()
