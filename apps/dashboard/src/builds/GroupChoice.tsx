import type { Build, DistributionGroup } from '@fairlead/contract'
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { formatCount } from '../ui/format.ts'
import { tell, tellFailure } from '../ui/tell.ts'
import { doInBulk } from './in-bulk.ts'
import classes from './distribute-dialog.module.css'

/** From this many groups on, they can be searched. */
const searchedFrom = 8

interface GroupChoiceProps {
  builds: Build[]
  groups: DistributionGroup[]
  /** The ids of the chosen groups. */
  chosen: string[]
  onChoose: (chosen: string[]) => void
}

/** Chooses groups that builds are given to, and takes builds back from groups that have them. */
export function GroupChoice({ builds, groups, chosen, onChoose }: GroupChoiceProps) {
  const [search, setSearch] = useState('')
  const [taken, setTaken] = useState<ReadonlySet<number>>(new Set())
  const words = search.trim().toLowerCase()
  // A group without testers is seldom meant. Chosen groups stay in sight, whatever is searched for.
  const shown = groups
    .filter(({ id, name }) => name.toLowerCase().includes(words) || chosen.includes(String(id)))
    .toSorted((a, b) => Number(b.testerCount > 0) - Number(a.testerCount > 0) || a.name.localeCompare(b.name))
  return (
    <Stack gap={8}>
      {groups.length >= searchedFrom && (
        <TextInput
          aria-label="Search groups"
          placeholder="Search groups"
          leftSection={<Search size={15} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group label="Groups" value={chosen} onChange={onChoose}>
        <Stack gap={8} mt={8} className={classes['groups']}>
          {shown.map((group) => {
            const own = taken.has(group.id) ? [] : builds.filter((build) => hasGroup(build, group.id))
            return (
              <div key={group.id} className={classes['group']}>
                <Checkbox
                  value={String(group.id)}
                  label={<span className="break">{group.name}</span>}
                  description={
                    formatCount(group.testerCount, 'tester') + (own.length === builds.length ? ' · has it already' : '')
                  }
                />
                {own.length > 0 && (
                  <TakeBack builds={own} group={group} onDone={() => setTaken(new Set([...taken, group.id]))} />
                )}
              </div>
            )
          })}
          {shown.length === 0 && (
            <Text size="sm" c="dimmed">
              No group has this in its name.
            </Text>
          )}
        </Stack>
      </Checkbox.Group>
    </Stack>
  )
}

interface TakeBackProps {
  /** Those that the group has. */
  builds: Build[]
  group: DistributionGroup
  onDone: () => void
}

function TakeBack({ builds, group, onDone }: TakeBackProps) {
  const withdraw = useMutation({
    mutationFn: () => doInBulk(builds, 'taken back', ({ id }) => client.builds.withdraw(id, group.id)),
    onSuccess: () => {
      tell(`Taken back from ${group.name}`)
      onDone()
    },
    onError: tellFailure,
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={withdraw.isPending}
      aria-label={`Take back from ${group.name}`}
      title="Links that testers already have keep working"
      onClick={() => withdraw.mutate()}
    >
      Take back
    </Button>
  )
}

function hasGroup({ distributionGroups }: Build, groupId: number): boolean {
  return distributionGroups.some(({ id }) => id === groupId)
}
