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
