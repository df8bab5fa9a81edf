import { Checkbox, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { applicationsQuery } from '../applications/queries.ts'

interface ChoiceProps {
  value: string[]
  onChange: (ids: string[]) => void
  error: string | undefined
}

/** Chooses the applications whose events a hook is told of. */
export function ApplicationChoice({ value, onChange, error }: ChoiceProps) {
  const applications = useQuery(applicationsQuery)
  return (
    <Checkbox.Group label="Applications" required value={value} onChange={onChange} error={error}>
      <Stack gap="xs" mt="xs">
        {applications.data?.map(({ id, name, alias }) => (
          <Checkbox key={id} value={String(id)} label={`${name} (${alias})`} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
