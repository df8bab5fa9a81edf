/** Frames of one report that are symbolicated; the rest is counted and left as it is. */
export const maxFrames = 20_000
/** Characters of one report. */
export const maxReportLength = 32 * 1024 * 1024
