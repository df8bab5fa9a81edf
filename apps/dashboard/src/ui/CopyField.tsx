import { TextInput, type TextInputProps } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'

/** Shows a read-only value with a copy button. Focus selects the whole value. */
export function CopyField({ value, ...props }: TextInputProps & { value: string }) {
  const name = typeof props.label === 'string' ? props.label : (props['aria-label'] ?? 'the value')
  return (
    <TextInput
      {...props}
      value={value}
      readOnly
      onFocus={(event) => event.currentTarget.select()}
      rightSection={<CopyButton value={value} label={`Copy ${name}`} />}
      styles={{
        input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-sm)' },
      }}
    />
  )
}
