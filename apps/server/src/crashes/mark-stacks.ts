/** What features that add symbols may call of the crashes' store. */
export { markStacksOf } from './stacks-store.ts'
