import type { Test } from '@fairlead/contract'
import { Button, Group, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queryClient } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { tell, tellFailure } from '../ui/tell.ts'

/** Shows the owner of a test, and lets developers set it. */
export function OwnerField({ test }: { test: Test }) {
  const [owner, setOwner] = useState(test.owner ?? '')
  const save = useMutation({
    mutationFn: () => client.tests.update(test.id, { owner: owner.trim() === '' ? null : owner.trim() }),
    onSuccess: (updated) => {
      queryClient.setQueryData(['tests', test.id], updated)
      tell('The owner is saved')
    },
    onError: tellFailure,
  })
  if (!useCan('developer')) return test.owner ?? 'Nobody'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Group gap="xs">
        <TextInput
          size="xs"
          aria-label="Owner"
          flex="1 1 6rem"
          maw="12rem"
          placeholder="@team or name"
          maxLength={200}
          value={owner}
          onChange={(event) => setOwner(event.currentTarget.value)}
        />
        <Button type="submit" size="xs" variant="default" loading={save.isPending}>
          Save
        </Button>
      </Group>
    </form>
  )
}
