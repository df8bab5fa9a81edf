import { useEffect, useState } from 'react'
import { useIsOnline } from './use-is-online.ts'

/** The delay in milliseconds after the first page, until scripts of other pages are prefetched. */
const quietMs = 1500

/** Tells whether the first page has had time to load, so that scripts of other pages may be prefetched. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), quietMs)
    return () => clearTimeout(timer)
  }, [])
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
