import type { CrashGroup, CrashGroupStatistics } from '@fairlead/contract'
import { Button, Checkbox, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { formatCount } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'

interface StacksPanelProps {
  group: CrashGroup
  stacks: CrashGroupStatistics['stacks']
  canWrite: boolean
}

/** The panel shows this many stacks: those with the most crashes. */
const maxShown = 50

/** Shows the different stacks of a group, some of which may be moved into a group of their own. */
export function StacksPanel({ group, stacks, canWrite }: StacksPanelProps) {
  const [chosen, setChosen] = useState<readonly number[]>([])
  const navigate = useNavigate()
  const { applicationId } = group
  const split = useMutation({
    mutationFn: () => client.crashes.splitGroup(group.id, [...chosen]),
    onSuccess: async ({ id: crashGroupId }) => {
      setChosen([])
      tell(`${formatCount(chosen.length, 'stack')} moved into a new group`)
      const to = '/applications/$applicationId/crashes/$crashGroupId'
      await navigate({ to, params: { applicationId, crashGroupId } })
    },
    onError: tellFailure,
  })
  // A group of one stack has nothing to split.
  if (stacks.length < 2) return null
  const isAll = chosen.length === stacks.length
  const toggle = (id: number) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <Panel
      title={formatCount(stacks.length, 'stack')}
      actions={
        canWrite && (
          <Button
            variant="default"
            size="xs"
            disabled={chosen.length === 0 || isAll}
            loading={split.isPending}
            onClick={() => split.mutate()}
          >
            {chosen.length === 0 ? 'Split off' : `Split off ${formatCount(chosen.length, 'stack')}`}
          </Button>
        )
      }
    >
      <Text size="sm" mb="xs">
        Stacks differ in frames that do not count for the group, or in their lines.
      </Text>
      <List label="Stacks">
        {stacks.slice(0, maxShown).map(({ id, crashCount, firstCrashId, isPinned }, place) => {
          const name = `Stack ${place + 1}`
          return (
            <ListRow
              key={id}
              icon={
                canWrite && <Checkbox aria-label={name} checked={chosen.includes(id)} onChange={() => toggle(id)} />
              }
              title={
                firstCrashId === null ? (
                  name
                ) : (
                  <Link
                    to="/applications/$applicationId/crash-reports/$crashId"
                    params={{ applicationId, crashId: firstCrashId }}
                  >
                    {name}, its first crash
                  </Link>
                )
              }
              sub={`${formatCount(crashCount, 'crash', 'crashes')}${isPinned ? ', moved here by hand' : ''}`}
            />
          )
        })}
      </List>
    </Panel>
  )
}
