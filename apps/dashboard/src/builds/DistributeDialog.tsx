import type { Build, DistributionGroup } from '@fairlead/contract'
import { Alert, Button, Checkbox, Group, Loader, Stack, Switch, Text } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { groupsQuery, testersQuery } from '../groups/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { deliveryQuery, mailsQuery } from '../outbox/queries.ts'
import { areMailsStuck } from '../outbox/stuck-mails.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import { BuildWarnings } from './BuildWarnings.tsx'
import classes from './distribute-dialog.module.css'
import { AnchorLink } from '../ui/links.tsx'

/** Distributes a build to groups, and shows beforehand who will get a mail. */
export function DistributeDialog({ build, onClose }: { build: Build; onClose: () => void }) {
  const groups = useQuery(groupsQuery)
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog onClose={onClose} isBusy={isBusy} title={`Distribute ${build.shortVersion} (${build.version})`}>
      {groups.isPending && <Loader aria-label="Loading" />}
      <ErrorNotice error={groups.error} />
      {groups.data && groups.data.length === 0 && <NoGroups onClose={onClose} />}
      {groups.data && groups.data.length > 0 && (
        <GroupsForm build={build} groups={groups.data} onClose={onClose} onBusy={setBusy} />
      )}
    </Dialog>
  )
}

function NoGroups({ onClose }: { onClose: () => void }) {
  const isAdmin = useCan('admin')
  return (
    <Text size="sm">
      There are no groups of testers yet.{' '}
      {isAdmin ? (
        <AnchorLink to="/groups" onClick={onClose} size="sm">
          Create one
        </AnchorLink>
      ) : (
        'An administrator can create one.'
      )}
    </Text>
  )
}

interface GroupsFormProps {
  build: Build
  groups: DistributionGroup[]
  onClose: () => void
  onBusy: (isBusy: boolean) => void
}

function GroupsForm({ build, groups, onClose, onBusy }: GroupsFormProps) {
  const testers = useQuery(testersQuery)
  const isAdmin = useCan('admin')
  const { data: delivery } = useQuery(deliveryQuery)
  const hasNoMailServer = delivery?.isConfigured === false
  const mails = useInfiniteQuery({ ...mailsQuery, enabled: isAdmin })
  const areMailsWaiting = areMailsStuck(mails.data?.pages[0]?.items ?? [])
  const [chosen, setChosen] = useState<string[]>([])
  const [isNotifying, setNotifying] = useState(true)
  const chosenIds = chosen.map(Number)
  // A tester who is in several of the groups gets one mail.
  const told = testers.data?.filter((tester) => tester.groups.some(({ id }) => chosenIds.includes(id))) ?? []
  const distribute = useMutation({
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    mutationFn: () =>
      client.builds.distribute(build.id, { distributionGroupIds: chosenIds, notifyTesters: isNotifying }),
    onSuccess: () => {
      tell(
        isNotifying && !hasNoMailServer && told.length > 0
          ? `Distributed, with mails to ${formatCount(told.length, 'tester')}`
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
        {!build.isInstallable && <BuildWarnings build={build} />}
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
            {describeAudience({
              isNotifying: isNotifying && !hasNoMailServer,
              groupCount: chosen.length,
              testerCount: told.length,
            })}
          </Text>
          {isNotifying && !hasNoMailServer && told.length > 0 && (
            <Text size="sm" c="dimmed" className="break">
              {told
                .slice(0, 5)
                .map(({ email }) => email)
                .join(', ')}
              {told.length > 5 && ` and ${told.length - 5} more`}
            </Text>
          )}
        </div>
        {isNotifying && hasNoMailServer && (
          <Alert color="orange">
            This server has no mail server, so nobody gets a mail. The mails are held in the outbox: give the testers
            the install link yourself.
          </Alert>
        )}
        {isNotifying && !hasNoMailServer && areMailsWaiting && (
          <Alert color="orange">
            Earlier mails are still waiting in the <AnchorLink to="/outbox">outbox</AnchorLink>: the mail server does
            not take them.
          </Alert>
        )}
        <ErrorNotice error={distribute.error ?? testers.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={distribute.isPending}>
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
  if (!given.isNotifying) return 'Nobody will get a mail.'
  if (given.testerCount === 0) return 'These groups have no testers, so nobody will get a mail.'
  return `${formatCount(given.testerCount, 'tester')} will get a mail with a personal install link:`
}
