import { html } from './html.ts'

/** The colours of the right half of a badge. */
export const badgeColors = { good: '#1f7a4d', bad: '#b42318', neutral: '#5b6874', plain: '#0b6c7e' }

/** Draws a badge as SVG: a label on the left and what it says on the right. */
export function drawBadgeImage(label: string, words: string, color: string): string {
  const [left, right] = [measure(label), measure(words)]
  const width = left + right
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${width}"
    height="20"
    role="img"
    aria-label="${label}: ${words}"
  >
    <title>${label}: ${words}</title>
    <clipPath id="r"><rect width="${width}" height="20" rx="3" /></clipPath>
    <g clip-path="url(#r)">
      <rect width="${left}" height="20" fill="#2f3a45" />
      <rect x="${left}" width="${right}" height="20" fill="${color}" />
    </g>
    <g fill="#fff" text-anchor="middle" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">
      <text x="${left / 2}" y="14">${label}</text>
      <text x="${left + right / 2}" y="14">${words}</text>
    </g>
  </svg>`.toString()
}

/** The width of a text of 11 pixels with its padding, by the widest digits and letters of common fonts. */
function measure(text: string): number {
  const wide = Array.from(text).filter((character) => character >= '\u1100').length
  return Math.ceil((text.length + wide) * 6.8) + 12
}
