/** After the poll phase, as it was when this module was loaded: see host-clock. */
export const setHostImmediate = setImmediate
