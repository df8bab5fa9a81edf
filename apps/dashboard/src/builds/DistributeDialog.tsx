import type { Build, DistributionGroup } from '@fairlead/contract'
import { Button, Checkbox, Group, Loader, Modal, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { groupsQuery, testersQuery } from '../groups/queries.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import classes from './distribute-dialog.module.css'
import { AnchorLink } from '../ui/links.tsx'

/** Distributes a build to groups and shows beforehand who will be mailed. */
export function DistributeDialog({ build, onClose }: { build: Build; onClose: () => void }) {
  const groups = useQuery(groupsQuery)
  return (
    <Modal opened onClose={onClose} title={`Distribute ${build.shortVersion} (${build.version})`}>
      {groups.isPending && <Loader aria-label="Loading" />}
      <ErrorNotice error={groups.error} />
      {groups.data && groups.data.length === 0 && <NoGroups onClose={onClose} />}
      {groups.data && groups.data.length > 0 && <GroupsForm build={build} groups={groups.data} onClose={onClose} />}
    </Modal>
  )
}

function NoGroups({ onClose }: { onClose: () => void }) {
  const isAdmin = useCan('admin')
  return (
    <Text size="sm">
      There are no groups of testers yet.{' '}
      {isAdmin ? (
        <AnchorLink to="/groups" onClick={onClose} size="sm">
          Make the first
        </AnchorLink>
      ) : (
        'An administrator can make one.'
      )}
    </Text>
  )
}

interface GroupsFormProps {
  build: Build
  groups: DistributionGroup[]
  onClose: () => void
}

function GroupsForm({ build, groups, onClose }: GroupsFormProps) {
  const testers = useQuery(testersQuery)
  const [chosen, setChosen] = useState<string[]>([])
  const [isNotifying, setNotifying] = useState(true)
  const chosenIds = chosen.map(Number)
  // A tester in several of the groups gets one mail.
  const told = testers.data?.filter((tester) => tester.groups.some(({ id }) => chosenIds.includes(id))) ?? []
  const distribute = useMutation({
    mutationFn: () =>
      client.builds.distribute(build.id, { distributionGroupIds: chosenIds, notifyTesters: isNotifying }),
    onSuccess: () => {
      tell(
        isNotifying && told.length > 0
          ? `Distributed; ${formatCount(told.length, 'tester')} will get a mail`
          : `Distributed to ${formatCount(chosen.length, 'group')}`,
      )
      onClose()
    },
  })
  const has = new Set(build.distributionGroups.map(({ id }) => id))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        distribute.mutate()
      }}
    >
      <Stack>
        <Checkbox.Group label="Groups" value={chosen} onChange={setChosen}>
          <Stack gap={8} mt={8} className={classes['groups']}>
            {groups.map(({ id, name, testerCount }) => (
              <Checkbox
                key={id}
                value={String(id)}
                label={name}
                description={formatCount(testerCount, 'tester') + (has.has(id) ? ' · has this build already' : '')}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Switch
          label="Tell the testers by mail"
          checked={isNotifying}
          onChange={(event) => setNotifying(event.currentTarget.checked)}
        />
        <div className={classes['told']} role="status">
          <Text size="sm" fw={550}>
            {describeAudience({ isNotifying, groupCount: chosen.length, testerCount: told.length })}
          </Text>
          {isNotifying && told.length > 0 && (
            <Text size="sm" c="dimmed" className="break">
              {told
                .slice(0, 5)
                .map(({ email }) => email)
                .join(', ')}
              {told.length > 5 && ` and ${told.length - 5} more`}
            </Text>
          )}
        </div>
        <ErrorNotice error={distribute.error ?? testers.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={distribute.isPending} disabled={chosen.length === 0 || testers.isPending}>
            Distribute
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function describeAudience(given: { isNotifying: boolean; groupCount: number; testerCount: number }): string {
  if (given.groupCount === 0) return 'Choose at least one group.'
  if (!given.isNotifying) return 'Nobody will be told.'
  if (given.testerCount === 0) return 'These groups have no testers, so nobody will be told.'
  return `${formatCount(given.testerCount, 'tester')} will get a mail with a personal install link:`
}
