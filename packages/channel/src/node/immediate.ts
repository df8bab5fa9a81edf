/** `setImmediate`, which runs after the poll phase, captured when this module was loaded (see host-clock.ts). */
export const setHostImmediate = setImmediate
