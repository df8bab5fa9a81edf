import type { DistributionGroup, Tester } from '@fairlead/contract'
import { Stack, Text, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { client } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatCount } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import { parseAddresses } from './addresses.ts'

/** The API takes at most this many addresses in one request. */
const batchSize = 1000

interface AddTestersDialogProps {
  group: DistributionGroup
  /** Those of the group. */
  testers: Tester[]
  onClose: () => void
  /** A choice of the group. */
  children?: ReactNode
}

/** Adds testers in bulk, and shows beforehand which addresses will be added and which will not. */
export function AddTestersDialog({ group, testers, onClose, children }: AddTestersDialogProps) {
  const [text, setText] = useState('')
  const { good, repeated, bad } = useMemo(
    () =>
      parseAddresses(
        text,
        testers.map(({ email }) => email),
      ),
    [text, testers],
  )
  const add = useMutation({
    mutationFn: async (entries: string[]) => {
      for (let start = 0; start < entries.length; start += batchSize) {
        await client.groups.addTesters(group.id, entries.slice(start, start + batchSize))
      }
    },
    // `good` is empty by now, because the refreshed list of testers contains the added ones.
    onSuccess: (_done, entries) => {
      tell(`${formatCount(entries.length, 'tester')} added to ${group.name}`)
      onClose()
    },
  })
  return (
    <Dialog onClose={onClose} isBusy={add.isPending} title={`Add testers to ${group.name}`} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          add.mutate(good.map(({ entry }) => entry))
        }}
      >
        <Stack>
          {children}
          <Textarea
            label="Mail addresses"
            description="Separated by lines, commas or semicolons; also as in a mail: Ada <ada@example.com>"
            autosize
            minRows={6}
            maxRows={14}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Stack gap={4} role="status" mih={44}>
            <Text size="sm" fw={550}>
              {good.length === 0 ? 'No new address so far.' : `${formatCount(good.length, 'tester')} will be added.`}
            </Text>
            {repeated.length > 0 && (
              <Text size="sm" c="dimmed" className="break">
                Named twice or in the group already: {toExcerpt(repeated)}
              </Text>
            )}
            {bad.length > 0 && (
              <Text size="sm" c="var(--danger)" className="break">
                {bad.length === 1
                  ? '1 entry is no mail address and will be left out: '
                  : `${formatCount(bad.length, 'entry', 'entries')} are no mail addresses and will be left out: `}
                {toExcerpt(bad)}
              </Text>
            )}
          </Stack>
          <ErrorNotice error={add.error} />
          <DialogButtons action="Add" isBusy={add.isPending} isReady={good.length > 0} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}

function toExcerpt(entries: string[]): string {
  const shown = entries.slice(0, 10).join(', ')
  return entries.length > 10 ? `${shown} and ${entries.length - 10} more` : shown
}
