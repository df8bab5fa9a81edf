import type { GroupRole, SignInOptions, Workspace } from '@fairlead/contract'
import { ActionIcon, Button, Group, Input, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { signInOptionsQuery } from '../api/sign-in-options.ts'
import { client, queryClient, sessionKey } from '../api/client.ts'
import { ChoiceButton } from '../ui/ChoiceButton.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { RoleSelect } from '../ui/RoleSelect.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { groupRolesQuery } from './queries.ts'

/** Which groups of providers have which role, and whether a provider is required. Shown where the server has one. */
export function SignInPanel({ workspace }: { workspace: Workspace }) {
  const options = useQuery(signInOptionsQuery)
  const groupRoles = useQuery(groupRolesQuery)
  if (!options.data || !groupRoles.data || options.data.providers.length === 0) return null
  const { providers } = options.data
  return (
    <Panel title="Sign-in">
      <Stack gap="xl">
        <RequiredProvider providers={providers} required={workspace.requiredProvider} />
        <GroupRolesForm key={JSON.stringify(groupRoles.data)} providers={providers} saved={groupRoles.data} />
      </Stack>
    </Panel>
  )
}

interface RequiredProviderProps {
  providers: SignInOptions['providers']
  required: string | null
}

function RequiredProvider({ providers, required }: RequiredProviderProps) {
  const save = useMutation({
    mutationFn: (key: string) => client.workspace.update({ requiredProvider: key === '' ? null : key }),
    onSuccess: () => {
      tell('The setting is saved')
      return queryClient.invalidateQueries({ queryKey: sessionKey })
    },
    onError: tellFailure,
  })
  const way = required ?? ''
  const ways = [{ value: '', label: 'any way' }, ...providers.map(({ key, name }) => ({ value: key, label: name }))]
  const text = ways.find(({ value }) => value === way)?.label ?? way
  return (
    <Input.Wrapper
      labelElement="div"
      label="Members sign in through"
      description="Whoever came another way is refused in this workspace, you too; API tokens are not affected"
    >
      <ChoiceButton
        text={text}
        name={`Members sign in through: ${text}`}
        value={way}
        choices={ways}
        onChoose={(key) => {
          if (!save.isPending) save.mutate(key)
        }}
      />
    </Input.Wrapper>
  )
}

function GroupRolesForm({ providers, saved }: { providers: SignInOptions['providers']; saved: GroupRole[] }) {
  const [list, setList] = useState(saved)
  const save = useMutation({
    mutationFn: () => client.members.replaceGroupRoles(list),
    onSuccess: () => tell('The roles of groups are saved'),
  })
  const change = (place: number, changes: Partial<GroupRole>) =>
    setList(list.map((one, index) => (index === place ? { ...one, ...changes } : one)))
  const first = providers[0]?.key ?? ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          Groups give roles at each sign-in, the highest one counts, and take them away from those who leave. A role
          that you give by hand stays.
        </Text>
        {list.map((one, place) => (
          // Rows have no identity of their own: a group may stand in the list twice.
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Group key={place} align="end" gap="xs">
            <NativeSelect
              label="Provider"
              value={one.provider}
              data={providers.map(({ key, name }) => ({ value: key, label: name }))}
              onChange={(event) => change(place, { provider: event.currentTarget.value })}
            />
            <TextInput
              label="Group"
              required
              maxLength={300}
              value={one.group}
              onChange={(event) => change(place, { group: event.currentTarget.value })}
            />
            <RoleSelect label="Role" short value={one.role} onChange={(role) => change(place, { role })} />
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={`Remove ${one.group}`}
              onClick={() => setList(list.filter((_, index) => index !== place))}
            >
              <Trash2 size={16} />
            </ActionIcon>
          </Group>
        ))}
        <ErrorNotice error={save.error} />
        <Group>
          <Button
            variant="default"
            disabled={list.length >= 200}
            onClick={() => setList([...list, { provider: first, group: '', role: 'viewer' }])}
          >
            Add a group
          </Button>
          <Button type="submit" loading={save.isPending} disabled={list === saved}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
