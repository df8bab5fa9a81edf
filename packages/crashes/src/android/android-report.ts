import type { ReadCrash } from '../crash.ts'

/** What a report of Android says about its crash. */
export type AndroidReport = Pick<ReadCrash, 'kind' | 'package' | 'osVersion' | 'occurredAt' | 'exceptions' | 'frames'> &
  Partial<Pick<ReadCrash, 'images' | 'threads'>>
