/** The door for features that add symbols. */
export { type AddedSymbols, lockApplication, markStacksOf } from './stacks-store.ts'
