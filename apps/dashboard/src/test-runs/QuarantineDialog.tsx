import type { Test } from '@fairlead/contract'
import { Stack, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useState } from 'react'
import { client } from '../api/client.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from '../ui/DialogButtons.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { formatInstant } from '../ui/format.ts'
import { tell } from '../ui/tell.ts'
import { reloadTest } from './reload-test.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The last day that ends within 14 days is the 13th after today. */
const lastDayAhead = 13

interface QuarantineDialogProps {
  test: Test
  days: number
  returnFocusTo: RefObject<HTMLElement | null>
  onClose: () => void
}

/** Puts a test into quarantine for some days, for a reason. */
export function QuarantineDialog({ test, days, returnFocusTo, onClose }: QuarantineDialogProps) {
  const [reason, setReason] = useState('')
  // The longest quarantine ends in the middle of a day, so it is asked for by giving none.
  const [lastDay, setLastDay] = useState(days > lastDayAhead ? '' : toDay(Date.now() + days * dayMs))
  const start = useMutation({
    mutationFn: () =>
      client.tests.quarantine(test.applicationId, {
        testId: test.id,
        reason,
        ...(lastDay !== '' && { expirationDate: `${lastDay}T23:59:59.999Z` }),
      }),
    onSuccess: async ({ expirationDate }) => {
      await reloadTest(test)
      tell(`The test is quarantined until ${formatInstant(expirationDate)}`)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate()
  }
  return (
    <Dialog onClose={onClose} returnFocusTo={returnFocusTo} isBusy={start.isPending} title="Quarantine the test">
      <form onSubmit={submit}>
        <Stack>
          <Textarea
            label="Reason"
            description="During the quarantine, failures of this test will not fail a run."
            required
            data-autofocus
            maxLength={1000}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label="Until the end of"
            description="In universal time (UTC). Left empty, the quarantine lasts 14 days, which is the longest."
            min={toDay(Date.now())}
            max={toDay(Date.now() + lastDayAhead * dayMs)}
            value={lastDay}
            onChange={(event) => setLastDay(event.currentTarget.value)}
            error={toFieldErrors(start.error)['expirationDate']}
          />
          <ErrorNotice error={start.error} />
          <DialogButtons
            action="Quarantine the test"
            isBusy={start.isPending}
            isReady={reason.trim() !== ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}

function toDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}
