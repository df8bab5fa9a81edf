import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useIsOnline } from './use-is-online.ts'

/** For so many milliseconds nothing of the page may be under way before scripts of other pages are prefetched. */
const quietMs = 1500
/** An answer that does not come holds back the scripts for so many milliseconds, and no longer. */
const longestMs = 15_000

/** Tells whether the first page has been loaded with its data, so that scripts of other pages may be prefetched. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isIdle) return undefined
    const begin = () => setIdle(true)
    const last = setTimeout(begin, longestMs)
    let timer: ReturnType<typeof setTimeout> | undefined
    // On a slow network a page asks for its last parts long after it was first shown, and they come first.
    const waitAgain = () => {
      clearTimeout(timer)
      timer = queryClient.isFetching() === 0 ? setTimeout(begin, quietMs) : undefined
    }
    waitAgain()
    const unsubscribe = queryClient.getQueryCache().subscribe(waitAgain)
    return () => {
      clearTimeout(last)
      clearTimeout(timer)
      unsubscribe()
    }
  }, [isIdle, queryClient])
  return isIdle
}

/**
 * Loads a script when the page is idle, and tells whether it is there. Without a connection the page stays as it is,
 * and the script is loaded when the connection is back. `load` must be the same function each time.
 */
export function useIdleScript(load: () => Promise<unknown>): boolean {
  const isIdle = useIsIdle()
  const isOnline = useIsOnline()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    if (!isIdle || !isOnline) return
    load().then(
      () => setLoaded(true),
      () => {},
    )
  }, [isIdle, isOnline, load])
  return isLoaded
}
