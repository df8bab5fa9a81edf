import { Fragment } from 'react'

/**
 * The places where a name of code may go on in the next line: after `.`, `$`, `::` and `/`, where a name follows. A
 * number does not, so that a version such as 2.3.0 stays in one piece.
 */
const breaks = /(?<=\S(?:\.|\$|::|\/))(?=[\p{L}_<])/u

/** The most parts of a name. A message of a crash may consist of dots, and each part is an element. */
const mostParts = 100

/**
 * Shows a name of code, such as that of a class. A narrow screen breaks it between its parts, and within a part only
 * where that part is too long; without this, it would break within any word. Nothing is added to the text that is
 * copied or read out.
 */
export function CodeName({ children }: { children: string }) {
  const parts = children.split(breaks)
  const shown = parts.length > mostParts ? [...parts.slice(0, mostParts), parts.slice(mostParts).join('')] : parts
  return shown.map((part, place) => (
    <Fragment key={place}>
      {/* Chromium would read a space here. */}
      {place > 0 && <wbr aria-hidden />}
      {part}
    </Fragment>
  ))
}
