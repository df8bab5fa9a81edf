import { encode } from 'uqr'
import { escapeMarkup, Html } from './html.ts'

/** A QR code as an SVG: dark on white in every theme, with the quiet zone that readers need. */
export function renderQrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return new Html(
    `<svg class="qr" role="img" aria-label="${escapeMarkup(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`,
  )
}
