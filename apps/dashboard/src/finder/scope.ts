import type { Application } from '@fairlead/contract'
import { compareNewest } from '../early/compare-newest.ts'
import { toWords } from './found.ts'

/** Each application costs three requests: this many are searched at a time while somebody types, and in all. */
const [mostAtATime, mostInAll] = [4, 50]

export interface Scope {
  /** The applications whose builds, crashes and tests are searched. */
  applications: Application[]
  /** The text that is searched for in these applications. */
  words: string
  /** How many applications could have been searched besides. */
  otherCount: number
  /** Whether another round would search more applications. */
  hasNextRound: boolean
}

/**
 * Chooses where to search. A first word that an application's name or alias begins with chooses that application, as in
 * `shop 2.3.0`. Otherwise the open application is searched, or those with the newest builds if none is open or
 * everything is wanted.
 *
 * @param options.rounds how many rounds are searched, of a few applications each
 */
export function chooseScope(
  text: string,
  applications: readonly Application[],
  { openId, isEverywhere, rounds }: { openId: number | undefined; isEverywhere: boolean; rounds: number },
): Scope {
  const [first = '', ...rest] = toWords(text)
  const named = applications.filter((application) => isCalled(application, first))
  const open = applications.filter(({ id }) => id === openId)
  const isNamed = rest.length > 0 && named.length > 0
  const newestFirst = applications.toSorted(compareNewest)
  const candidates = isNamed ? named : open.length > 0 && !isEverywhere ? open : newestFirst
  const possible = candidates.slice(0, mostInAll)
  const chosen = isEverywhere ? possible : possible.slice(0, rounds * mostAtATime)
  return {
    applications: chosen,
    words: isNamed ? text.trim().replace(/^\S+\s+/, '') : text.trim(),
    otherCount: isNamed ? 0 : applications.length - chosen.length,
    hasNextRound: chosen.length < possible.length,
  }
}

function isCalled({ name, alias }: Application, word: string): boolean {
  return [...toWords(name), alias].some((part) => part.startsWith(word))
}
