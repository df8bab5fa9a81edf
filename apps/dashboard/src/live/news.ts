import type { ChangeEvent } from '@fairlead/contract'

type Kind = ChangeEvent['kind']

/** The ids of the records that were created or changed since the data of a page was loaded, by kind. */
export interface News {
  created: ReadonlyMap<Kind, ReadonlySet<number>>
  changed: ReadonlyMap<Kind, ReadonlySet<number>>
  /** Whether more has happened than events could tell. */
  isMore: boolean
}

export const noNews: News = { created: new Map(), changed: new Map(), isMore: false }

export function addEvent(news: News, { kind, change, ids }: ChangeEvent): News {
  if (ids === null) return { ...news, isMore: true }
  const created = news.created.get(kind) ?? new Set<number>()
  const changed = news.changed.get(kind) ?? new Set<number>()
  if (change === 'created') return { ...news, created: replace(news.created, kind, created.union(new Set(ids))) }
  // A created record still counts as created after it changes. When it is deleted, it no longer counts at all.
  const others = new Set(ids.filter((id) => !created.has(id)))
  const kept = change === 'deleted' ? created.difference(new Set(ids)) : created
  return {
    ...news,
    created: replace(news.created, kind, kept),
    changed: replace(news.changed, kind, changed.union(others)),
  }
}

function replace<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): ReadonlyMap<Key, Value> {
  return new Map([...map, [key, value]])
}

const nouns: Record<Kind, readonly [one: string, many: string]> = {
  application: ['application', 'applications'],
  build: ['build', 'builds'],
  crashGroup: ['crash group', 'crash groups'],
  feedback: ['piece of feedback', 'pieces of feedback'],
  symbolsFile: ['symbols file', 'symbols files'],
  testRun: ['test run', 'test runs'],
}

/** Says in a few words what has happened; undefined for nothing. On the page of one thing, `isOne` says so. */
export function describeNews({ created, changed, isMore }: News, isOne: boolean): string | undefined {
  const list = (map: News['created']) => [...map].filter(([, ids]) => ids.size > 0)
  const [fresh, altered] = [list(created), list(changed)]
  if (isOne && fresh.length + altered.length > 0)
    return `This ${nouns[(altered[0] ?? fresh[0])?.[0] ?? 'build'][0]} has changed`
  if (fresh.length > 0) return fresh.map(([kind, ids]) => `${ids.size} new ${toNoun(kind, ids.size)}`).join(', ')
  if (altered.length > 0)
    return `${altered.map(([kind, ids]) => `${ids.size} ${toNoun(kind, ids.size)}`).join(', ')} changed`
  return isMore ? 'There may be changes' : undefined
}

function toNoun(kind: Kind, count: number): string {
  return nouns[kind][count === 1 ? 0 : 1]
}
