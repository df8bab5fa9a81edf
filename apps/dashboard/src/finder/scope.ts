import type { Application } from '@fairlead/contract'
import { compareNewest } from '../early/compare-newest.ts'
import { toWords } from './found.ts'

/** The most applications that are searched while somebody types, and on demand: each costs three requests. */
const [mostWhileTyping, mostOnDemand] = [4, 50]

export interface Scope {
  /** The applications whose builds, crashes and tests are searched. */
  applications: Application[]
  /** The text that is searched for in these applications. */
  words: string
  /** How many applications could have been searched besides. */
  otherCount: number
}

/**
 * Chooses where to search. A first word that an application's name or alias begins with chooses that application, as in
 * `shop 2.3.0`. Otherwise the open application is searched, or those with the newest builds if none is open or
 * everything is wanted.
 */
export function chooseScope(
  text: string,
  applications: readonly Application[],
  { openId, isEverywhere }: { openId: number | undefined; isEverywhere: boolean },
): Scope {
  const [first = '', ...rest] = toWords(text)
  const named = applications.filter((application) => isCalled(application, first))
  const open = applications.filter(({ id }) => id === openId)
  const isNamed = rest.length > 0 && named.length > 0
  const newestFirst = applications.toSorted(compareNewest)
  const candidates = isNamed ? named : open.length > 0 && !isEverywhere ? open : newestFirst
  const chosen = candidates.slice(0, isEverywhere ? mostOnDemand : mostWhileTyping)
  return {
    applications: chosen,
    words: isNamed ? text.trim().replace(/^\S+\s+/, '') : text.trim(),
    otherCount: isNamed ? 0 : applications.length - chosen.length,
  }
}

function isCalled({ name, alias }: Application, word: string): boolean {
  return [...toWords(name), alias].some((part) => part.startsWith(word))
}
