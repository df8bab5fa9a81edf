/** The number of items of an envelope, or of logs of an App Center delivery. */
export const maxItems = 100
/** The size of an event, log or report in bytes. */
export const maxEventBytes = 2 ** 20
/** The number of frames of a stack that are kept, starting at the innermost. */
export const maxFrames = 20_000
export const maxExceptions = 100
export const maxImages = 10_000
export const maxBreadcrumbs = 100
export const maxFingerprintParts = 16
/** The length of names, versions, identifiers and parts of a fingerprint, in characters. */
export const maxNameLength = 512
/** The length of a message after masking, in characters. */
export const maxMessageLength = 4096
/** Bytes of a body after unpacking. */
export const maxUnpackedBytes = 64 * 2 ** 20
/** Bytes of an envelope, as it is sent and unpacked, whose large items are skipped as they stream by. */
export const maxCondensedBytes = 128 * 2 ** 20
/** Other possible frames that are kept of one whose mapping is ambiguous. */
export const maxAlternatives = 8
/** Tags of a crash, and the lengths of their parts in characters. */
export const maxTags = 50
export const maxTagKeyLength = 32
export const maxTagValueLength = 200
export const maxEnvironmentLength = 64
/** Fields that are kept of a context, such as the one of the device. */
export const maxContextFields = 50
/** Threads that are kept besides the crashed one, and the frames of all of them together. */
export const maxThreads = 200
export const maxThreadFrames = 5000
