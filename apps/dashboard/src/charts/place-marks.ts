export interface ChartMark {
  /** The key of the place where the mark stands. */
  key: string
  label: string
}

/** A mark as it is drawn. A label that would lie on another is left out; the table behind the chart names them all. */
export interface PlacedMark {
  key: string
  x: number
  label: string | null
  /** The line of labels that it stands on, from the top. */
  row: number
  isLeftOfLine: boolean
}

const rowCount = 2
/** About the width of a letter of a label, and the space between a label and its line. */
const letterWidth = 6
const gap = 4

/** Joins the labels of one place, and puts labels that are near each other on different lines. */
export function placeMarks(marks: readonly ChartMark[], toX: (key: string) => number, width: number): PlacedMark[] {
  const labels = Map.groupBy(marks, ({ key }) => key)
  const ends = Array.from({ length: rowCount }, () => -Infinity)
  return [...labels]
    .map(([key, ofPlace]) => ({ key, x: toX(key), text: joinLabels(ofPlace.map(({ label }) => label)) }))
    .toSorted((one, other) => one.x - other.x)
    .map(({ key, x, text }) => {
      const size = text.length * letterWidth + gap
      const isLeftOfLine = x + size > width
      const [from, to] = isLeftOfLine ? [x - size, x] : [x, x + size]
      const row = ends.findIndex((end) => end <= from)
      if (row === -1) return { key, x, label: null, row: 0, isLeftOfLine }
      ends[row] = to
      return { key, x, label: text, row, isLeftOfLine }
    })
}

/** Names two, and counts more. */
function joinLabels(labels: readonly string[]): string {
  return labels.length <= 2 ? labels.join(', ') : `${labels[0]} and ${labels.length - 1} more`
}
