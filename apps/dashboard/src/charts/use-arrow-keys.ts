import { type FocusEvent, type KeyboardEvent, useCallback } from 'react'

const steps: Partial<Record<string, (place: number, count: number) => number>> = {
  ArrowLeft: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  Home: () => 0,
  End: (_place, count) => count - 1,
}

/**
 * Makes the links of a drawing one stop of the Tab key: the arrow keys go from one to the next, and Tab comes back to
 * the one that had the focus last.
 */
export function useArrowKeys() {
  const onKeyDown = useCallback((event: KeyboardEvent<SVGElement>) => {
    const step = steps[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return
    const links = [...event.currentTarget.querySelectorAll<SVGAElement>('a')]
    const place = links.findIndex((link) => link === document.activeElement)
    const next = links[Math.min(Math.max(step(place, links.length), 0), links.length - 1)]
    if (place === -1 || !next) return
    event.preventDefault()
    next.focus()
  }, [])
  const onFocus = useCallback((event: FocusEvent<SVGElement>) => {
    const links = event.currentTarget.querySelectorAll<SVGAElement>('a')
    for (const link of links) link.setAttribute('tabindex', link === event.target ? '0' : '-1')
  }, [])
  return { onKeyDown, onFocus }
}
