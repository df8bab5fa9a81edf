import { encode } from 'uqr'
import { escapeMarkup, Html } from '../html/html.ts'

/** Renders a QR code as SVG: dark on white in every theme, with the quiet zone that scanners require. */
export function renderQrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data
    .flatMap((row, y) => listRuns(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`))
    .join('')
  return new Html(
    `<svg class="qr" role="img" aria-label="${escapeMarkup(label)}" viewBox="0 0 ${size} ${size}" ` +
      'shape-rendering="crispEdges">' +
      `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`,
  )
}

/** Returns start and length of each run of dark modules in a row; each run becomes one rectangle. */
function listRuns(row: boolean[]): [x: number, length: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1]++
    else runs.push([x, 1])
  }
  return runs
}
