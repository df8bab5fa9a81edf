/** Features that add symbols may call this function of the crashes' store, and no other. */
export { markStacksOf } from './stacks-store.ts'
