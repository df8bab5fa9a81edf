/** The plot of a chart inside its drawing, in pixels. */
export const margin = { left: 46, right: 8, top: 12, bottom: 24 }

/** Numbers of marks on the axis of values that fit a height. */
export function countTicks(height: number): number {
  return Math.max(2, Math.floor(height / 44))
}

const labelWidth = 62

/** Chooses the marks that get a label on an axis of this width, so that labels do not overlap; the last has one. */
export function chooseLabels(count: number, width: number): Set<number> {
  const every = Math.max(1, Math.ceil((count * labelWidth) / Math.max(width, 1)))
  return new Set(
    Array.from({ length: count }, (_, place) => place).filter((place) => (count - 1 - place) % every === 0),
  )
}
