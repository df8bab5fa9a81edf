import { Checkbox, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../api/session.ts'
import { hooksQuery } from '../hooks/queries.ts'
import { membersQuery } from '../members/queries.ts'
import { roleNames, roles } from '../ui/role-names.ts'
import type { RuleValues } from './rule-values.ts'

interface FieldsProps {
  form: UseFormReturnType<RuleValues>
  errors: Record<string, string>
}

/** Chooses who is mailed, and for administrators which hooks are told. */
export function ReceiverFields({ form, errors }: FieldsProps) {
  const isAdmin = useCan('admin')
  const members = useQuery(membersQuery)
  const hooks = useQuery({ ...hooksQuery, enabled: isAdmin })
  return (
    <>
      <Checkbox.Group label="Mail everybody who is" {...form.getInputProps('roles')} error={errors['roles']}>
        <Stack gap="xs" mt="xs">
          {roles.map((role) => (
            <Checkbox key={role} value={role} label={roleNames[role]} />
          ))}
        </Stack>
      </Checkbox.Group>
      {(members.data ?? []).length > 0 && (
        <Checkbox.Group label="Mail people" {...form.getInputProps('accountIds')} error={errors['accountIds']}>
          <Stack gap="xs" mt="xs">
            {members.data?.map(({ accountId, name, email }) => (
              <Checkbox key={accountId} value={String(accountId)} label={`${name} (${email})`} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {(hooks.data ?? []).length > 0 && (
        <Checkbox.Group
          label="Tell hooks"
          description="Whatever events they want otherwise; they do not wait"
          {...form.getInputProps('hookIds')}
          error={errors['hookIds']}
        >
          <Stack gap="xs" mt="xs">
            {hooks.data?.map(({ id, name }) => (
              <Checkbox key={id} value={String(id)} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  )
}
