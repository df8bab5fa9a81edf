import { maxNodes } from './value-error.ts'

/** What is learned of a value while it is looked at. */
export class Census {
  /** Objects and arrays that may still come. */
  objectsLeft = maxNodes
  /** Items of arrays and properties of objects. */
  values = 0
  /** The length of all long texts together. */
  longTexts = 0
}
