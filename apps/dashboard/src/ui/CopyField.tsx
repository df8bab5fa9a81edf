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
      // In some sizes, of which `sm` is one, Chromium on Linux cuts off the underscores of a field in this font.
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
    />
  )
}
