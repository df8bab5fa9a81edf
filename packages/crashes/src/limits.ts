/** Items of one envelope, and logs of one App Center delivery. */
export const maxItems = 100
/** Bytes of one event, log or report. */
export const maxEventBytes = 2 ** 20
/** Frames that are kept of a stack; the innermost ones matter. */
export const maxFrames = 20_000
export const maxExceptions = 100
export const maxImages = 10_000
export const maxBreadcrumbs = 100
export const maxFingerprintParts = 16
/** Characters of names, versions, identifiers and fingerprint parts. */
export const maxNameLength = 512
/** Characters of a message, after masking. */
export const maxMessageLength = 4096
/** Bytes of a body after unpacking. */
export const maxUnpackedBytes = 64 * 2 ** 20
/** Other possible frames that are kept of one whose mapping is ambiguous. */
export const maxAlternatives = 8
