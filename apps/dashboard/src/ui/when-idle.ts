import { useEffect, useState } from 'react'

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
