/**
 * Clock and timers captured when this module was loaded, so that a test's fake timers or mocked clock do not affect the
 * channel.
 */
const host = performance
const { setTimeout: setHostTimeout, clearTimeout: clearHostTimeout, queueMicrotask: queueHostMicrotask } = globalThis
const read = host.now.bind(host)

/** Milliseconds since the process or page started. */
export const now = (): number => read()
export const setTimer = setHostTimeout
export const clearTimer = clearHostTimeout
export const queueTask = queueHostMicrotask
