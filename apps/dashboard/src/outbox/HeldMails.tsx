import { Alert, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client, queryClient } from '../api/client.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { formatCount } from '../ui/format.ts'
import { tell, tellFailure } from '../ui/tell.ts'
import { deliveryQuery, mailsQuery } from './queries.ts'

/** Says that there is no mail server, or that mails are held from when there was none, and lets them be discarded. */
export function HeldMails() {
  const { data: delivery } = useQuery(deliveryQuery)
  const [isDiscarding, discarding] = useDisclosure()
  const reload = () =>
    Promise.all([deliveryQuery, mailsQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
  const send = useMutation({
    mutationFn: () => client.mails.sendHeld(),
    onSuccess: async () => {
      tell('The held mails are being sent')
      await reload()
    },
    onError: tellFailure,
  })
  if (!delivery || (delivery.isConfigured && delivery.heldCount === 0)) return null
  const { isConfigured, heldCount } = delivery
  const held = formatCount(heldCount, 'mail')
  const discard = async () => {
    await client.mails.discardHeld()
    tell(`${held} discarded`)
    await reload()
  }
  return (
    <Alert color="orange" mb="md" title={isConfigured ? `${held} held` : 'No mails are sent'}>
      <Text size="sm">
        {isConfigured
          ? 'They were written while there was no mail server, and are not sent unless you ask for it.'
          : 'This server has no mail server (FAIRLEAD_SMTP_URL). Mails are held here; their links can be copied.'}
      </Text>
      {heldCount > 0 && (
        <Group gap="xs" mt="sm">
          {isConfigured && (
            <Button size="compact-sm" loading={send.isPending} onClick={() => send.mutate()}>
              Send {held}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={discarding.open}>
            Discard {held}
          </Button>
        </Group>
      )}
      {isDiscarding && (
        <ConfirmDialog
          title="Discard the held mails"
          action="Discard them"
          onConfirm={discard}
          onClose={discarding.close}
        >
          {held} will be deleted and never sent.
        </ConfirmDialog>
      )}
    </Alert>
  )
}
