import type { HookAttempt } from '@fairlead/contract'
import { Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Facts } from '../ui/Facts.tsx'
import { When } from '../ui/When.tsx'
import { toOutcome } from './hook-words.ts'
import { hookDeliveryQuery } from './queries.ts'

/** Shows what was sent, and what the receiver answered to each attempt. */
export function HookDeliveryDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: delivery, error } = useQuery(hookDeliveryQuery(id))
  return (
    <Dialog onClose={onClose} title={delivery?.type ?? 'Delivery'} size="lg">
      <Stack>
        <ErrorNotice error={error} />
        {!delivery && !error && <Loader />}
        {delivery && (
          <>
            <Facts facts={[['Id', delivery.webhookId]]} />
            {delivery.attempts.map((attempt) => (
              <Attempt key={attempt.startedDate} attempt={attempt} />
            ))}
            <Title order={3}>Body</Title>
            <CodeBlock code={toPretty(delivery.body)} label="Body" />
          </>
        )}
      </Stack>
    </Dialog>
  )
}

function Attempt({ attempt }: { attempt: HookAttempt }) {
  const { startedDate, durationMs, status, error, responseExcerpt } = attempt
  return (
    <div>
      <Text size="sm">
        <When date={startedDate} />: {toOutcome(status, error)} · {durationMs} ms
      </Text>
      {responseExcerpt !== null && responseExcerpt !== '' && <CodeBlock code={responseExcerpt} label="Answer" wrap />}
    </div>
  )
}

function toPretty(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
