import { AsyncLocalStorage } from 'node:async_hooks'
import type { Scope } from '../peer/ambient.ts'

/** All channels of this process share one instance, because each scope names its peer. */
export const ambient = new AsyncLocalStorage<Scope | undefined>()
