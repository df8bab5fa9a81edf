import type { ReadCrash } from '../crash.ts'

/** The fields of a log beside its stack. */
export type LogHead = Omit<ReadCrash, 'exceptions' | 'frames' | 'images'>
