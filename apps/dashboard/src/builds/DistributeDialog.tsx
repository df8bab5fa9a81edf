import type { Build, DistributionGroup } from '@fairlead/contract'
import { Alert, Loader, Stack, Switch, Text, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { groupsQuery, testersQuery } from '../groups/queries.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { deliveryQuery, mailsQuery } from '../outbox/queries.ts'
import { areMailsStuck } from '../outbox/stuck-mails.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import { BuildWarnings } from './BuildWarnings.tsx'
import { GroupChoice } from './GroupChoice.tsx'
import { doInBulk } from './in-bulk.ts'
import { dropNotesDraft, readNotesDraft } from './notes-draft.ts'
import classes from './distribute-dialog.module.css'
import { AnchorLink } from '../ui/links.tsx'

/** The API takes 64 KiB of notes. */
const maxNotes = 64 * 1024

interface DistributeDialogProps {
  /** One or several. The release notes of one can be written on the way. */
  builds: Build[]
  onClose: () => void
  onDone?: () => void
}

/** Distributes builds to groups, and shows beforehand who will get a mail. */
export function DistributeDialog({ builds, onClose, onDone }: DistributeDialogProps) {
  const groups = useQuery(groupsQuery)
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog onClose={onClose} isBusy={isBusy} title={`Distribute ${describeBuilds(builds)}`}>
      {groups.isPending && <Loader aria-label="Loading" />}
      <ErrorNotice error={groups.error} />
      {groups.data && groups.data.length === 0 && <NoGroups onClose={onClose} />}
      {groups.data && groups.data.length > 0 && (
        <GroupsForm
          builds={builds}
          groups={groups.data}
          onClose={onClose}
          onBusy={setBusy}
          {...(onDone && { onDone })}
        />
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

function describeBuilds(builds: Build[]): string {
  const [build] = builds
  return builds.length === 1 && build ? `${build.shortVersion} (${build.version})` : formatCount(builds.length, 'build')
}

interface GroupsFormProps extends DistributeDialogProps {
  groups: DistributionGroup[]
  onBusy: (isBusy: boolean) => void
}

function GroupsForm({ builds, groups, onClose, onDone, onBusy }: GroupsFormProps) {
  const single = builds.length === 1 ? builds[0] : undefined
  const [notes, setNotes] = useState(single && (readNotesDraft(single.id) ?? single.releaseNotes ?? ''))
  const isChanged = single !== undefined && notes !== undefined && notes !== (single.releaseNotes ?? '')
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
  const audience = testers.data?.filter((tester) => tester.groups.some(({ id }) => chosenIds.includes(id))) ?? []
  const told = audience.filter(({ isUnsubscribed }) => !isUnsubscribed)
  const unsubscribedCount = audience.length - told.length
  const distribute = useMutation({
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    mutationFn: async () => {
      // The notes come first, because the mails contain them.
      if (isChanged) {
        await client.builds.setReleaseNotes(single.id, notes.trim() === '' ? null : notes)
        dropNotesDraft(single.id)
      }
      if (chosenIds.length === 0) return
      const body = { distributionGroupIds: chosenIds, notifyTesters: isNotifying }
      await doInBulk(builds, 'distributed', ({ id }) => client.builds.distribute(id, body))
    },
    onSuccess: () => {
      tell(
        chosen.length === 0
          ? 'The release notes are saved'
          : isNotifying && !hasNoMailServer && told.length > 0
            ? `Distributed, with mails to ${formatCount(told.length, 'tester')}`
            : `Distributed to ${formatCount(chosen.length, 'group')}`,
      )
      onDone?.()
      onClose()
    },
  })
  const uninstallable = builds.find((build) => !build.isInstallable)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        distribute.mutate()
      }}
    >
      <Stack>
        {uninstallable && <BuildWarnings build={uninstallable} />}
        {single && (
          <Textarea
            label="Release notes"
            description="Markdown; testers see them in the mail and on the install page"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={maxNotes}
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
          />
        )}
        <GroupChoice builds={builds} groups={groups} chosen={chosen} onChoose={setChosen} />
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
              unsubscribedCount,
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
          {isNotifying && unsubscribedCount > 0 && (
            <Text size="sm" c="dimmed">
              {formatCount(unsubscribedCount, 'tester has', 'testers have')} unsubscribed and will get no mail.
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
        <DialogButtons
          action={chosen.length === 0 && isChanged ? 'Save the notes' : 'Distribute'}
          isBusy={distribute.isPending}
          isReady={(chosen.length > 0 || isChanged) && !testers.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

interface Audience {
  isNotifying: boolean
  groupCount: number
  testerCount: number
  unsubscribedCount: number
}

function describeAudience(given: Audience): string {
  if (given.groupCount === 0) return 'Choose at least one group.'
  if (!given.isNotifying) return 'Nobody will get a mail.'
  if (given.testerCount === 0 && given.unsubscribedCount > 0) return 'Nobody will get a mail.'
  if (given.testerCount === 0) return 'These groups have no testers, so nobody will get a mail.'
  return `${formatCount(given.testerCount, 'tester')} will get a mail with a personal install link:`
}
