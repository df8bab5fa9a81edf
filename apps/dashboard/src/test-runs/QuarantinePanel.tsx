import type { Test } from '@fairlead/contract'
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { client, queryClient } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { toFieldErrors } from '../ui/field-errors.ts'
import { formatInstant } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The last day that ends within 14 days is the 13th after today. */
const lastDayAhead = 13

/** Shows the quarantine of a test with its reason and its end, and lets developers start or end one. */
export function QuarantinePanel({ test }: { test: Test }) {
  const { quarantine } = test
  const canWrite = useCan('developer')
  const end = useMutation({
    mutationFn: (id: number) => client.tests.endQuarantine(test.applicationId, id),
    onSuccess: async () => {
      await reload(test)
      tell('The quarantine has ended')
    },
  })
  if (quarantine === null && !canWrite) return null
  return (
    <Panel title="Quarantine">
      {quarantine === null ? (
        <QuarantineForm test={test} />
      ) : (
        <Stack gap="xs">
          <Text size="sm" className="break">
            {quarantine.reason}
          </Text>
          <Text size="sm" c="dimmed">
            Since {formatInstant(quarantine.createdDate)}, until {formatInstant(quarantine.expirationDate)}. Failures of
            this test do not fail a run until then.
          </Text>
          <ErrorNotice error={end.error} />
          {canWrite && (
            <Group>
              <Button variant="default" loading={end.isPending} onClick={() => end.mutate(quarantine.id)}>
                End the quarantine
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Panel>
  )
}

function QuarantineForm({ test }: { test: Test }) {
  const [reason, setReason] = useState('')
  const [lastDay, setLastDay] = useState('')
  const start = useMutation({
    mutationFn: () =>
      client.tests.quarantine(test.applicationId, {
        testId: test.id,
        reason,
        ...(lastDay !== '' && { expirationDate: `${lastDay}T23:59:59.999Z` }),
      }),
    onSuccess: async ({ expirationDate }) => {
      await reload(test)
      tell(`The test is quarantined until ${formatInstant(expirationDate)}`)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        start.mutate()
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="Reason"
          description="During the quarantine, failures of this test will not fail a run."
          required
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
        <Group>
          <Button type="submit" variant="default" loading={start.isPending} disabled={reason.trim() === ''}>
            Quarantine the test
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function toDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

async function reload({ id, applicationId }: Test): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['tests', id], exact: true })
  queryClient.removeQueries({ queryKey: ['applications', applicationId, 'tests'] })
}
