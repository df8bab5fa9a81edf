import type { Build, BuildTester, Reminded, TesterState } from '@fairlead/contract'
import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queryClient } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import classes from './distribute-dialog.module.css'
import { buildTestersQuery } from './queries.ts'
import { isRemindable, testerStates } from './tester-states.ts'

interface RemindDialogProps {
  build: Build
  testers: BuildTester[]
  onClose: () => void
}

/** The most testers that one request may name. */
const namedAtMost = 1000

/** Reminds the chosen testers of a build by mail. */
export function RemindDialog({ build, testers, onClose }: RemindDialogProps) {
  const [states, setStates] = useState<TesterState[]>(['told', 'opened'])
  const [left, setLeft] = useState<number[]>([])
  const inStates = testers.filter(({ state }) => states.includes(state))
  const remindable = inStates.filter(isRemindable)
  const chosen = remindable.filter(({ testerId }) => !left.includes(testerId))
  const remind = useMutation({
    mutationFn: () => {
      const isEverybody = chosen.length === remindable.length
      const testerIds = chosen.slice(0, namedAtMost).map(({ testerId }) => testerId)
      return client.builds.remindTesters(build.id, { states, ...(!isEverybody && { testerIds }) })
    },
    onSuccess: (reminded) => {
      tell(describe(reminded))
      void queryClient.invalidateQueries(buildTestersQuery(build.id))
      onClose()
    },
  })
  const choices = testerStates.filter(({ state }) => state !== 'installed')
  const skipped = inStates.length - remindable.length
  return (
    <Dialog onClose={onClose} isBusy={remind.isPending} title={`Remind of ${build.shortVersion} (${build.version})`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          remind.mutate()
        }}
      >
        <Stack>
          <Checkbox.Group label="Who" value={states} onChange={(values) => setStates(toStates(values))}>
            <Group gap="md" mt={8}>
              {choices.map(({ state, label }) => (
                <Checkbox
                  key={state}
                  value={state}
                  label={`${label} (${testers.filter((tester) => tester.state === state).length})`}
                />
              ))}
            </Group>
          </Checkbox.Group>
          {remindable.length > 0 && (
            <Checkbox.Group
              label="Testers"
              value={chosen.map(({ testerId }) => String(testerId))}
              onChange={(values) =>
                setLeft(remindable.map(({ testerId }) => testerId).filter((id) => !values.includes(String(id))))
              }
            >
              <Stack gap={8} mt={8} className={classes['groups']}>
                {remindable.map(({ testerId, email, name }) => (
                  <Checkbox
                    key={testerId}
                    value={String(testerId)}
                    label={name === null ? email : `${name}, ${email}`}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <div className={classes['told']} role="status">
            <Text size="sm" fw={550}>
              {chosen.length === 0 ? 'Nobody gets a mail.' : `${formatCount(chosen.length, 'tester')} will get a mail.`}
            </Text>
            {skipped > 0 && (
              <Text size="sm" c="dimmed">
                {formatCount(skipped, 'other')} left out: unsubscribed, in no group any more, or reminded in the last 24
                hours.
              </Text>
            )}
          </div>
          <ErrorNotice error={remind.error} />
          <DialogButtons action="Remind" isBusy={remind.isPending} isReady={chosen.length > 0} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

function toStates(values: string[]): TesterState[] {
  return testerStates.map(({ state }) => state).filter((state) => values.includes(state))
}

function describe({ count, skipped }: Reminded): string {
  const left = skipped.unsubscribed + skipped.recent + skipped.exhausted
  const says = `Reminded ${formatCount(count, 'tester')}`
  return left === 0 ? says : `${says}; ${left} left out`
}
