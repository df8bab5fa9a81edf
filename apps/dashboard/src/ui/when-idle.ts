import { useEffect, useState } from 'react'

/** The delay after the first page before scripts for later are prefetched. */
const quietMs = 1500

/** Whether the first page has had time to load, so that scripts for later may be prefetched. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), quietMs)
    return () => clearTimeout(timer)
  }, [])
  return isIdle
}
