import { Text, TextInput, type TextInputProps } from '@mantine/core'

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'onBlur'> {
  /** An empty text stands for no number. */
  value?: number | ''
  onChange?: (value: number | '') => void
  min: number
  max: number
  /** Stands after the number, such as `days`. */
  unit?: string
}

/** A field for a whole number. What is typed beyond its limits becomes the nearest number that they allow. */
export function NumberField({ value = '', onChange, min, max, unit, ...props }: NumberFieldProps) {
  return (
    <TextInput
      {...props}
      inputMode="numeric"
      value={value === '' ? '' : String(value)}
      onChange={({ currentTarget }) => {
        const digits = currentTarget.value.replaceAll(/\D/g, '')
        onChange?.(digits === '' ? '' : Math.min(Number(digits), max))
      }}
      onBlur={() => {
        if (value !== '' && value < min) onChange?.(min)
      }}
      {...(unit !== undefined && {
        rightSection: (
          <Text size="sm" c="dimmed">
            {unit}
          </Text>
        ),
        rightSectionWidth: '4rem',
        rightSectionPointerEvents: 'none',
      })}
    />
  )
}
