import { type RefCallback, useCallback, useState } from 'react'

/**
 * Measures the width of an element in CSS pixels: when it is mounted, before the browser paints, and whenever it
 * changes. A chart that waited for an animation frame would be empty in a hidden window, and for seconds on a busy
 * machine.
 */
export function useWidth(): [ref: RefCallback<HTMLElement>, width: number] {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    // Rounded down, because a drawing that is half a pixel too wide would make the page scroll.
    const measure = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
