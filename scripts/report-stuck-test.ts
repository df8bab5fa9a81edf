/**
 * This module is loaded into the process of each test file. When the tests take far too long, it prints which resources
 * keep the process alive. Its own timer does not.
 */
const reportAfterMs = 540_000

setTimeout(() => {
  console.error(`${process.argv[1]} is still running; alive: ${process.getActiveResourcesInfo().join(', ')}`)
}, reportAfterMs).unref()
