/** The largest source map in bytes. */
export const maxMapBytes = 256 * 2 ** 20
export const maxSegments = 20_000_000
/** Sections inside one another. */
export const maxSectionDepth = 32
export const maxSections = 100_000
/** Bytes, and number, of the names of sources, tokens and functions of one map. */
export const maxStringBytes = 64 * 2 ** 20
export const maxStrings = 4_000_000
/** The largest text of one source that is kept, and of all sources of one map, in bytes of JSON. */
export const maxContentBytes = 2 * 2 ** 20
export const maxContentsBytes = 64 * 2 ** 20
/** Of a line of a source that is shown. */
export const maxLineCharacters = 200
/** Entries of all function maps of one map. */
export const maxFunctionEntries = 4_000_000
/** Modules of a RAM bundle, and segments of a bundle that has several. */
export const maxModules = 1_000_000
export const maxBundleSegments = 1000
/** Segments of one line that are put in order, if they are in none. */
export const maxUnsorted = 100_000
