import { encode } from 'uqr'
import classes from './qr-code.module.css'

/** Draws a QR code as one SVG path. It is dark on light in both colour schemes, because scanners expect that. */
export function QrCode({ text, label, size = 144 }: { text: string; label: string; size?: number }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      className={classes['root']}
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  )
}
