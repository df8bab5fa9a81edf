/**
 * Follows the events of the workspace while the page is visible, and keeps what they say of the page that is shown.
 * Nothing of the page is loaded again before somebody asks for it; see decision 029.
 */
import { RequestError, type StreamedEvent } from '@fairlead/client'
import { useSyncExternalStore } from 'react'
import { client, isOfWorkspace, queryClient, sessionKey } from '../api/client.ts'
import { listUploads } from '../uploads/upload-store.ts'
import { addEvent, type News, noNews } from './news.ts'
import { findWatchedPage, isShownOn, type WatchedPage } from './watched-pages.ts'

/** An event within this many milliseconds of a write of this page was caused by that write. */
const ownMs = 1000
/** An event within this many milliseconds of a reconnection happened while the stream was down. */
const catchUpMs = 500
/** How long after its script the first stream is opened, so that all other requests of the page come first. */
const delayMs = 1000

let news = noNews
let newsAt = 0
let page: WatchedPage | undefined
let ownUntil = 0
let quietUntil = 0
let lastEventId: string | undefined
const listeners = new Set<() => void>()

export function useNews(): News {
  return useSyncExternalStore(subscribe, () => news)
}

/** Says which page is shown, whose news are counted from now on. */
export function watchPage(pathname: string): void {
  const next = findWatchedPage(pathname)
  // The page that is left showed old data on purpose; when it is opened again it loads new one.
  if (page && news !== noNews) forget(page)
  page = next
  publish(noNews)
}

/** Loads what the page shows again. */
export function showNews(): void {
  publish(noNews)
  void queryClient.invalidateQueries({ predicate: isOfWorkspace })
}

/** Follows the events until the returned function is called. */
export function followNews(): () => void {
  const stopWatching = watchQueries()
  let running: AbortController | undefined
  // Somebody who was away, or offline, sees the page as it is now when they come back.
  let wasAway = false
  const update = () => {
    const isWanted = document.visibilityState === 'visible' && navigator.onLine
    if (isWanted && !running) {
      running = new AbortController()
      void follow(running.signal, wasAway)
      wasAway = false
    } else if (!isWanted && running) {
      running.abort()
      running = undefined
      wasAway = true
    }
  }
  const begin = setTimeout(() => {
    document.addEventListener('visibilitychange', update)
    addEventListener('online', update)
    addEventListener('offline', update)
    update()
  }, delayMs)
  return () => {
    clearTimeout(begin)
    document.removeEventListener('visibilitychange', update)
    removeEventListener('online', update)
    removeEventListener('offline', update)
    running?.abort()
    stopWatching()
    lastEventId = undefined
    publish(noNews)
  }
}

async function follow(signal: AbortSignal, wasAway: boolean): Promise<void> {
  let isFirst = wasAway
  try {
    for await (const one of client.events.follow({}, { signal, lastEventId })) {
      lastEventId = one.lastEventId
      if (one.type === 'open' && isFirst) quietUntil = performance.now() + catchUpMs
      if (one.type === 'open') isFirst = false
      take(one)
    }
  } catch (error) {
    // An older server has no events. A session that has ended leads to the sign-in.
    if (error instanceof RequestError && error.httpStatus === 401) {
      await queryClient.invalidateQueries({ queryKey: sessionKey })
    }
  }
}

function take(one: StreamedEvent): void {
  if (one.type !== 'change' && one.type !== 'refresh') return
  // Data that no page shows is loaded when a page needs it.
  void queryClient.invalidateQueries({ predicate: isOfWorkspace, type: 'inactive', refetchType: 'none' })
  if (!page || (one.type === 'change' && !isShownOn(page, one.event))) return
  const now = performance.now()
  if (now < quietUntil) {
    refreshSoon()
    return
  }
  if (one.type === 'refresh') publish({ ...news, isMore: true })
  else if (isOwnUpload(one.event)) return
  else if (queryClient.isMutating() > 0 || now < ownUntil) refreshSoon()
  else publish(addEvent(news, one.event))
}

/** An upload of this page shows its build by itself. */
function isOwnUpload({ kind, applicationId }: { kind: string; applicationId: number }): boolean {
  const now = Date.now()
  return (
    (kind === 'build' || kind === 'application') &&
    listUploads().some(
      ({ application, outcome }) =>
        (application === null || application.id === applicationId) &&
        (outcome.kind === 'running' || (outcome.kind === 'done' && now - outcome.doneAt < ownMs)),
    )
  )
}

let refreshing: ReturnType<typeof setTimeout> | undefined

/** Loads the page again without a word, at most twice a second. */
function refreshSoon(): void {
  refreshing ??= setTimeout(() => {
    refreshing = undefined
    void queryClient.invalidateQueries({ predicate: isOfWorkspace })
  }, ownMs / 2)
}

function forget({ queryKey }: WatchedPage): void {
  void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
}

/** Forgets the news when the page has loaded its data again, and remembers when this page wrote something. */
function watchQueries(): () => void {
  const begunAt = new Map<string, number>()
  const stopQueries = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || news === noNews || !page) return
    const { queryHash, queryKey } = event.query
    if (!page.queryKey.every((part, index) => queryKey[index] === part)) return
    if (event.action.type === 'fetch') begunAt.set(queryHash, performance.now())
    if (event.action.type === 'success' && (begunAt.get(queryHash) ?? 0) > newsAt) publish(noNews)
    if (event.action.type === 'success') begunAt.delete(queryHash)
  })
  const stopMutations = queryClient.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.mutation.state.status !== 'pending') ownUntil = performance.now() + ownMs
  })
  return () => {
    stopQueries()
    stopMutations()
  }
}

function publish(next: News): void {
  if (next === news) return
  news = next
  newsAt = performance.now()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
