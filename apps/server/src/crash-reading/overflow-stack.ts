import { hashStack, listNeeds, packJson, resolveStack, type StackContent } from '@fairlead/crashes'
import type { NewStack } from '../crash-stacks/new-stack.ts'

const content: StackContent = {
  kind: 'crash',
  exceptionTypes: ['Too many different stacks in one day'],
  message: null,
  fingerprint: null,
  frames: [],
  mapping: null,
}

export const overflowHash = hashStack(JSON.stringify(content))

/** The stack that an application's further stacks of a day share, so that an attack cannot fill the database. */
export function createOverflowStack(): { hash: string; stack: NewStack } {
  const resolved = resolveStack(content, { lookups: new Map(), mappings: [] }, { rules: [], identifiers: [] })
  const { exceptionTypes, key, keyHash } = resolved
  const packed = { exceptionTypes, key, keyHash, content: packJson(content), resolved: packJson(resolved) }
  const found = {
    lookups: new Map<string, string>(),
    mapping: null,
    dartMaps: [],
    sourceMaps: new Map<string, string>(),
    refs: [],
  }
  return { hash: overflowHash, stack: { found, packed, needs: listNeeds(content) } }
}
