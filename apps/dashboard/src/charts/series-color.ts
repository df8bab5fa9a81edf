/** The number of one of the colours of charts, or the name of an outcome. */
export type SeriesColor = 1 | 2 | 3 | 4 | 5 | 6 | 'passed' | 'failed' | 'flaky' | 'skipped'
