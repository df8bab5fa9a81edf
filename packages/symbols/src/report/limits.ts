/** Frames of one report that are symbolicated; further ones are counted and left as they are. */
export const maxFrames = 20_000
/** Threads of one report that are read. Real reports have at most some hundreds. */
export const maxThreads = 10_000
/** Binary images of one report that are read. Real reports list at most about a thousand. */
export const maxImages = 10_000
/** UTF-16 code units of one report. */
export const maxReportLength = 32 * 1024 * 1024
/** Lines of one report. */
export const maxLines = 500_000
/** Values in the JSON of an `.ips` report, counted before it is parsed. */
export const maxJsonValues = 1_000_000
/** Objects and arrays inside one another in the JSON of an `.ips` report. */
export const maxJsonDepth = 200
/** The same for MetricKit's payloads, where each frame lies in a list in the frame that it called. */
export const maxPayloadDepth = 2100
/** UTF-16 code units of an image's or a thread's name, because it is repeated with each frame. */
export const maxNameLength = 500
