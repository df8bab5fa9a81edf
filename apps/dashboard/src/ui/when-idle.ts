import { useEffect, useState } from 'react'

/** How long after the first page loads parts that nobody has asked for yet are fetched. */
const quietMs = 1500

/** Whether the page has had time for what the visitor came for, so that parts for later may be loaded. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), quietMs)
    return () => clearTimeout(timer)
  }, [])
  return isIdle
}
