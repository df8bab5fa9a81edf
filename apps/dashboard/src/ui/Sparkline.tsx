import classes from './sparkline.module.css'

const [width, height] = [120, 28]

/** Draws numbers as small bars, for a line of a list. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const top = Math.max(...values, 1)
  const step = width / Math.max(values.length, 1)
  return (
    <svg
      className={classes['root']}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <rect className={classes['base']} x={0} y={height - 1} width={width} height={1} />
      {values.map((value, place) => {
        if (value <= 0) return null
        const part = Math.max((value / top) * (height - 1), 2)
        return <rect key={place} x={place * step} y={height - 1 - part} width={step * 0.78} height={part} />
      })}
    </svg>
  )
}
