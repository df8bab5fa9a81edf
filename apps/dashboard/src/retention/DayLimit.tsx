import { NumberField } from '../ui/NumberField.tsx'

interface DayLimitProps {
  label: string
  /** Null for no limit. */
  value: number | null
  min: number
  isReadOnly: boolean
  onChange: (days: number | null) => void
}

/** A number of days or builds; left empty, there is no limit. */
export function DayLimit({ label, value, min, isReadOnly, onChange }: DayLimitProps) {
  return (
    <NumberField
      label={label}
      value={value ?? ''}
      min={min}
      max={3650}
      disabled={isReadOnly}
      placeholder="none"
      onChange={(given) => onChange(given === '' ? null : given)}
    />
  )
}
