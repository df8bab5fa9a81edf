import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { deliveryQuery, mailQuery } from '../outbox/queries.ts'
import { useSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { watchMs } from './queries.ts'
import { Step } from './Step.tsx'

/** Mails to testers, shown by one to the person who sets the server up. */
export function MailStep() {
  const { data: delivery } = useQuery(deliveryQuery)
  const email = useSession()?.account.email ?? ''
  const [recipient, setRecipient] = useState(email)
  const send = useMutation({ mutationFn: () => client.mails.sendTest(recipient) })
  const sent = useQuery({
    ...mailQuery(send.data?.id ?? 0),
    enabled: send.data !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'sent' ? false : watchMs),
  })
  const mail = sent.data ?? send.data
  const isDone = mail?.status === 'sent'
  const hasServer = delivery?.isConfigured === true
  const state = !hasServer
    ? 'No mail server is set. Install links work without; you give them to testers yourself.'
    : isDone
      ? `The mail server took the mail to ${mail.recipient}. Look whether it arrived.`
      : mail
        ? 'The mail is on its way …'
        : 'A mail server is set. Try it.'
  return (
    <Step title="Mails reach testers" isDone={isDone} state={state}>
      {delivery && !hasServer && (
        <Alert color="gray">
          Set <code>FAIRLEAD_SMTP_URL</code>, for example <code>smtps://user:password@smtp.example.com</code>, and start
          the server again.
        </Alert>
      )}
      {mail && !isDone && mail.error !== null && (
        <Alert color="orange" role="alert" title="The mail server refuses the mail">
          {mail.error}
        </Alert>
      )}
      <ErrorNotice error={send.error} />
      {hasServer && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            send.mutate()
          }}
        >
          <TextInput
            label="Send a test mail to"
            type="email"
            required
            maw="26rem"
            value={recipient}
            onChange={(event) => setRecipient(event.currentTarget.value)}
          />
          <Button type="submit" mt="xs" size="compact-md" variant="default" loading={send.isPending}>
            Send it
          </Button>
        </form>
      )}
    </Step>
  )
}
