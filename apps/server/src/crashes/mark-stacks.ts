/** The door for features that add symbols. */
export { lockApplication, markStacksOf } from './stacks-store.ts'
