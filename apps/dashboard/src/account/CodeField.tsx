import { TextInput, type TextInputProps } from '@mantine/core'

/** A field for a code of an authenticator app, which browsers and phones fill in by themselves. */
export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      label="Code"
      description="Six digits of your authenticator app, or a recovery code"
      autoComplete="one-time-code"
      required
      maxLength={100}
      {...props}
    />
  )
}
