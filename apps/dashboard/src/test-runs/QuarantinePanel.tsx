import type { Test } from '@fairlead/contract'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { formatInstant } from '../ui/format.ts'
import { Panel } from '../ui/Panel.tsx'
import { tell } from '../ui/tell.ts'
import { reloadTest } from './reload-test.ts'

/** Shows the quarantine of a test with its reason and its end, and lets developers end it. */
export function QuarantinePanel({ test }: { test: Test }) {
  const { quarantine } = test
  const canWrite = useCan('developer')
  const end = useMutation({
    mutationFn: (id: number) => client.tests.endQuarantine(test.applicationId, id),
    onSuccess: async () => {
      await reloadTest(test)
      tell('The quarantine has ended')
    },
  })
  if (quarantine === null) return null
  return (
    <Panel title="Quarantine">
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
    </Panel>
  )
}
