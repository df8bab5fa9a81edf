import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSession } from '../api/session.ts'
import { applicationsQuery } from '../applications/queries.ts'
import { groupsQuery, testersQuery } from '../groups/queries.ts'
import { type Found, hasWords, type Section } from './found.ts'
import { useOpenApplicationId } from './open-application.ts'
import { type FoundPage, listApplicationPages, listWorkspacePages } from './pages.ts'
import { foundKinds, foundQuery } from './queries.ts'
import { chooseScope, type Scope } from './scope.ts'
import { useActions } from './use-actions.ts'
import { formatCount } from '../ui/format.ts'

const pauseMs = 200
/** How many of each kind are shown, so that all kinds fit on a screen. */
const perKind = 5
/** A single letter is in nearly everything, but a single digit can be a version. */
const worthSearching = /\d|../

interface Finding {
  sections: Section[]
  isLoading: boolean
  hasFailed: boolean
  scope: Scope
}

interface Handlers {
  onHelp: () => void
  onEverywhere: () => void
}

/**
 * Finds what fits a text. What is known already comes first, so that nothing moves when the server has answered.
 *
 * @param isEverywhere whether builds, crashes and tests of all applications are searched
 */
export function useFound(text: string, isEverywhere: boolean, { onHelp, onEverywhere }: Handlers): Finding {
  const session = useSession()
  const openId = useOpenApplicationId()
  const actions = useActions(onHelp)
  const typed = text.trim()
  const [paused] = useDebouncedValue(typed, pauseMs)
  const isSearching = worthSearching.test(typed)
  const isAsked = isSearching && paused === typed
  const { data: applications = [], isPending, isError } = useQuery(applicationsQuery)
  const groups = useQuery({ ...groupsQuery, enabled: isSearching })
  const testers = useQuery({ ...testersQuery, enabled: isSearching })
  const [reached, setReached] = useState({ text: '', rounds: 1 })
  const rounds = reached.text === typed ? reached.rounds : 1
  const scope = chooseScope(typed, applications, { openId, isEverywhere, rounds })
  const searches = useQueries({
    queries: scope.applications.flatMap((application) =>
      foundKinds.map((kind) => ({ ...foundQuery(kind, application, scope.words), enabled: isAsked })),
    ),
  })
  // While nothing is found, the next few applications are searched. Whoever finds something seldom needs them.
  const isNothingYet = searches.every(({ data = [], isLoading }) => !isLoading && data.length === 0)
  const isWidening = isAsked && isNothingYet && scope.hasNextRound
  useEffect(() => {
    if (isWidening) setReached({ text: typed, rounds: rounds + 1 })
  }, [isWidening, typed, rounds])
  if (!session) return { sections: [], isLoading: false, hasFailed: false, scope }

  const open = applications.find(({ id }) => id === openId)
  const ownPages = [...(open ? [open] : []), ...scope.applications.filter(({ id }) => id !== openId)].flatMap(
    (application) => listApplicationPages(application, session),
  )
  const workspacePages = listWorkspacePages(session)
  // Pages of an application that is not open are offered only when its name is typed.
  const pages =
    typed === ''
      ? [...ownPages.filter(({ detail }) => detail === open?.name), ...workspacePages]
      : [...workspacePages, ...ownPages].filter((page) => isPageFor(page, typed, open?.name)).slice(0, perKind)
  const ofKind = (title: string, items: Found[]): Section => ({ title, items })
  const remote = foundKinds.map((kind, place) =>
    ofKind(
      kind,
      isAsked ? searches.flatMap(({ data = [] }, index) => (index % foundKinds.length === place ? data : [])) : [],
    ),
  )
  const further: Found = {
    key: 'everywhere',
    title: 'Search all applications',
    detail: `Builds, crashes and tests of ${formatCount(applications.length, 'application')}`,
    target: onEverywhere,
    stays: true,
  }
  const isMore = isSearching && !isEverywhere && scope.otherCount > 0
  const queries = [...searches, groups, testers]
  return {
    sections: [
      ofKind(
        'Applications',
        applications
          .filter(({ name, alias, bundleIdentifier }) => hasWords(typed, name, alias, bundleIdentifier))
          .slice(0, perKind)
          .map(({ id, name, alias }) => ({
            key: `application ${id}`,
            title: name,
            detail: alias,
            target: { to: '/applications/$applicationId', params: { applicationId: id } },
          })),
      ),
      ofKind('Pages', pages),
      ofKind(
        'Groups',
        (isSearching ? (groups.data ?? []) : [])
          .filter(({ name }) => hasWords(typed, name))
          .slice(0, perKind)
          .map(({ id, name }) => ({
            key: `group ${id}`,
            title: name,
            target: { to: '/groups/$groupId', params: { groupId: id } },
          })),
      ),
      ofKind(
        'Testers',
        (isSearching ? (testers.data ?? []) : [])
          .filter(({ email, name }) => hasWords(typed, email, name))
          .slice(0, perKind)
          .map(({ id, email, name }) => ({
            key: `tester ${id}`,
            title: name ?? email,
            detail: name === null ? undefined : email,
            target: { to: '/testers', search: { q: email } },
          })),
      ),
      ...remote,
      ofKind(
        'Actions',
        typed === ''
          ? []
          : actions.filter(({ title, detail = '' }) => hasWords(typed, title, detail)).slice(0, perKind),
      ),
      ofKind('More', isMore ? [further] : []),
    ].filter(({ items }) => items.length > 0),
    isLoading: isPending || isWidening || (isSearching && (!isAsked || queries.some(({ isLoading }) => isLoading))),
    hasFailed: isError || (isAsked && queries.some((query) => query.isError)),
    scope,
  }
}

function isPageFor({ title, words, detail = '' }: FoundPage, text: string, openName: string | undefined): boolean {
  if (!hasWords(text, title, words, detail)) return false
  return detail === '' || detail === openName || !hasWords(text, title, words)
}
