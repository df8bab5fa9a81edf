import { pino } from 'pino'

/** A log for tests that prints nothing. */
export const silentLog = pino({ level: 'silent' })
