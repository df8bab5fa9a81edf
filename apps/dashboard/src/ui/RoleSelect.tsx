import type { Role } from '@fairlead/contract'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { roleNames, roles } from './role-names.ts'

const explained: Record<Role, string> = {
  viewer: 'reads',
  developer: 'uploads and distributes',
  admin: 'manages everything',
}

interface RoleSelectProps extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  value?: Role
  onChange: (role: Role) => void
  /** Shows the names of the roles without their descriptions. */
  short?: boolean
}

export function RoleSelect({ value, onChange, short = false, ...props }: RoleSelectProps) {
  return (
    <NativeSelect
      label="Role"
      {...props}
      data={roles.map((role) => ({
        value: role,
        label: short ? roleNames[role] : `${roleNames[role]}: ${explained[role]}`,
      }))}
      value={value ?? 'viewer'}
      onChange={(event) => {
        const chosen = roles.find((role) => role === event.currentTarget.value)
        if (chosen) onChange(chosen)
      }}
    />
  )
}
