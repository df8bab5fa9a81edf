/**
 * Time as it was when this module was loaded: a test that installs fake timers or moves the clock
 * changes its own time, never the channel's.
 */
const host = performance
const { setTimeout: setHostTimeout, clearTimeout: clearHostTimeout, queueMicrotask: queueHostMicrotask } = globalThis
const read = host.now.bind(host)

/** Milliseconds since the process or page began. */
export const now = (): number => read()
export const setTimer = setHostTimeout
export const clearTimer = clearHostTimeout
export const queueTask = queueHostMicrotask
