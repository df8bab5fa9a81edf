import type { ReadCrash } from '../crash.ts'

/** What a log says besides its stack. */
export type LogHead = Omit<ReadCrash, 'exceptions' | 'frames' | 'images'>
