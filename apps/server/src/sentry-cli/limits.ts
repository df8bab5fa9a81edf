/** Bytes of a plain chunk; a power of two, as sentry-cli wants it. */
export const chunkBytes = 2 ** 21
/** Chunks of one request, so that a body fits the memory of a request. */
export const maxChunks = 8
export const maxRequestBytes = chunkBytes * maxChunks
