/** The size of an uncompressed chunk in bytes; sentry-cli requires a power of two. */
export const chunkBytes = 2 ** 21
/** The most chunks of one request, whose body is held in memory. */
export const maxChunks = 8
export const maxRequestBytes = chunkBytes * maxChunks
