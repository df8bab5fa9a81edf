/** For the routes of crash deliveries: devices send them in any number, and each crash is a row of its own. */
export const unrecorded = { action: null }
