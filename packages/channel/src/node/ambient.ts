import { AsyncLocalStorage } from 'node:async_hooks'
import type { Scope } from '../peer/ambient.ts'

/** One for all channels of this process: a scope names its peer. */
export const ambient = new AsyncLocalStorage<Scope | undefined>()
