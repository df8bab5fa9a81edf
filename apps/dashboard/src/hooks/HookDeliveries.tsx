import type { Hook, HookDelivery } from '@fairlead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { DayList, TimeOfDay } from '../ui/DayList.tsx'
import { ListRow } from '../ui/ListRow.tsx'
import { Panel } from '../ui/Panel.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { deliveryStates, eventNames, toOutcome } from './hook-words.ts'
import { HookDeliveryDialog } from './HookDeliveryDialog.tsx'
import { hookDeliveriesQuery } from './queries.ts'

/** The deliveries of a hook, newest first. */
export function HookDeliveries({ hook }: { hook: Hook }) {
  const deliveries = useSuspenseInfiniteQuery(hookDeliveriesQuery(hook.id))
  const [openId, setOpenId] = useState<number | null>(null)
  const shown = deliveries.data.pages.flatMap((page) => page.items)
  const again = useMutation({
    mutationFn: () => client.hooks.redeliverSince(hook.id, { since: hook.createdDate }),
    onSuccess: ({ count }) => tell(count === 0 ? 'Nothing failed' : `${count} are sent again`),
    onError: tellFailure,
  })
  return (
    <Panel
      title="Deliveries"
      actions={
        hook.isEnabled && (
          <Button size="compact-sm" variant="default" onClick={() => again.mutate()} loading={again.isPending}>
            Send again what failed
          </Button>
        )
      }
    >
      {shown.length === 0 ? (
        <Text c="dimmed" size="sm">
          Nothing was sent in the last 30 days.
        </Text>
      ) : (
        <DayList label="Deliveries" items={shown} dateOf={({ createdDate }) => createdDate} headingOrder={3}>
          {(delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              canSend={hook.isEnabled}
              onOpen={() => setOpenId(delivery.id)}
            />
          )}
        </DayList>
      )}
      {deliveries.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={deliveries.isFetchingNextPage}
            onClick={() => void deliveries.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
      {openId !== null && <HookDeliveryDialog id={openId} onClose={() => setOpenId(null)} />}
    </Panel>
  )
}

interface RowProps {
  delivery: HookDelivery
  canSend: boolean
  onOpen: () => void
}

function DeliveryRow({ delivery, canSend, onOpen }: RowProps) {
  const { id, type, state, attemptCount, lastStatus, lastError, createdDate, nextAttemptDate } = delivery
  const send = useMutation({
    mutationFn: () => client.hooks.redeliver(id),
    onSuccess: () => tell('It is sent again'),
    onError: tellFailure,
  })
  const { label, color } = deliveryStates[state]
  return (
    <ListRow
      icon={<TimeOfDay date={createdDate} />}
      title={
        <Group gap={8}>
          {type === 'hook.test' ? 'Test' : eventNames[type]}
          <Badge color={color}>{label}</Badge>
        </Group>
      }
      sub={
        <>
          {toOutcome(lastStatus, lastError) ?? 'Not sent yet'}
          {attemptCount > 1 && ` · ${attemptCount} attempts`}
          {attemptCount > 0 && nextAttemptDate !== null && (
            <>
              {' '}
              · next <When date={nextAttemptDate} />
            </>
          )}
        </>
      }
      actions={
        <>
          {canSend && state !== 'waiting' && (
            <Button
              size="compact-sm"
              variant="default"
              loading={send.isPending}
              onClick={() => send.mutate()}
              aria-label={`Send ${type} ${id} again`}
            >
              Send again
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={onOpen} aria-label={`Show ${type} ${id}`}>
            Show
          </Button>
        </>
      }
    />
  )
}
