import { maxNodes } from './value-error.ts'

/** Counts collected while a value is inspected. */
export class Census {
  /** Number of objects and arrays still allowed. */
  objectsLeft = maxNodes
  /** Number of array items and object properties. */
  values = 0
  /** Total length of all long texts, in UTF-16 code units. */
  longTexts = 0
}
