import { lookup as lookUpName, type LookupAddress } from 'node:dns'
import type { Resolve } from './guarded-client.ts'

/** A lookup that takes longer than a connection may take is not asked for again for a while, in milliseconds. */
const slowMs = 5000
const pauseMs = 60_000
/** The most names that are remembered as slow. */
const maxSlow = 1000

/**
 * Creates the resolver of a process. Node has two threads for all lookups of the system, and a name whose servers never
 * answer would hold them for ten seconds and more. Connections to one name therefore share a lookup, and a slow name is
 * left alone for a minute. Addresses are never remembered, so a name that changes is checked with every connection.
 */
export function createResolver(
  ask: Resolve = (name, done) =>
    // Node passes no addresses with an error, whatever its type says.
    lookUpName(name, { all: true }, (error, addresses) => done(error, error ? [] : addresses)),
): Resolve {
  const waiting = new Map<string, Parameters<Resolve>[1][]>()
  const slowUntil = new Map<string, number>()
  return (name, done) => {
    if ((slowUntil.get(name) ?? 0) > Date.now()) return done(new Error('The name was slow a moment ago.'), [])
    const others = waiting.get(name)
    if (others) {
      others.push(done)
      return undefined
    }
    const all = [done]
    waiting.set(name, all)
    // A name is slow as soon as it has taken long, not only when its lookup ends.
    const timer = setTimeout(() => rememberSlow(slowUntil, name), slowMs)
    ask(name, (error: Error | null, addresses: LookupAddress[]) => {
      clearTimeout(timer)
      waiting.delete(name)
      for (const one of all) one(error, addresses)
    })
    return undefined
  }
}

function rememberSlow(slowUntil: Map<string, number>, name: string): void {
  const now = Date.now()
  for (const [other, until] of slowUntil) if (until <= now) slowUntil.delete(other)
  if (slowUntil.size < maxSlow) slowUntil.set(name, now + pauseMs)
}
