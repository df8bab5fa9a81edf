import { Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Facts } from '../ui/Facts.tsx'
import { formatInstant } from '../ui/format.ts'
import { mailQuery } from './queries.ts'

/** Shows a mail as text. Without a mail server its links can be copied from here. */
export function MailDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: mail, error, isPending } = useQuery(mailQuery(id))
  return (
    <Dialog onClose={onClose} title={mail?.subject ?? 'Mail'} size="lg">
      {isPending && <Loader aria-label="Loading" />}
      <ErrorNotice error={error} />
      {mail && (
        <Stack>
          <Facts
            facts={[
              ['To', mail.recipient],
              ['Written', formatInstant(mail.createdDate)],
              ['Sent', mail.sentDate && formatInstant(mail.sentDate)],
            ]}
          />
          {mail.error !== null && (
            <Text size="sm" c="var(--danger)">
              {mail.error}
            </Text>
          )}
          <CodeBlock label="the mail’s text" code={mail.text} wrap />
        </Stack>
      )}
    </Dialog>
  )
}
