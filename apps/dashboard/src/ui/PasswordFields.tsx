import { PasswordInput } from '@mantine/core'
import type { ReactNode } from 'react'

interface PasswordProps {
  value?: string
  onChange: (value: string) => void
  error?: ReactNode
  label?: string
}

/** A field for a new password. */
export function NewPassword({ value, onChange, error, label = 'Password' }: PasswordProps) {
  return (
    <PasswordInput
      label={label}
      description="At least 10 characters"
      autoComplete="new-password"
      minLength={10}
      maxLength={200}
      required
      value={value ?? ''}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  )
}

/** A field for the current password of an account. */
export function CurrentPassword({ value, onChange, error, label = 'Password' }: PasswordProps) {
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      maxLength={200}
      required
      value={value ?? ''}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  )
}
