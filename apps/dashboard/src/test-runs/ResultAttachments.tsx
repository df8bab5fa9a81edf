import type { AttachmentOfResult } from '@fairlead/contract'
import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../ui/ErrorNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { Attachments } from './Attachments.tsx'
import { attachmentsQuery } from './queries.ts'

/** Shows the attachments of a test in a run, by environment, case and attempt. */
export function ResultAttachments({ runId, testId }: { runId: number; testId: number }) {
  const { data: attachments, error } = useQuery(attachmentsQuery(runId, testId))
  const groups = Map.groupBy(attachments ?? [], toTitle)
  return (
    <Panel title={`Attachments of run ${runId}`}>
      <ErrorNotice error={error} />
      {!attachments && !error && <Skeleton height={120} />}
      {attachments?.length === 0 && (
        <Text size="sm" c="dimmed">
          There is none. Attachments of passed cases are kept for 14 days, and those of failed cases for 90.
        </Text>
      )}
      <Stack>
        {[...groups].map(([title, some]) => (
          <Stack key={title} gap="xs" component="section" aria-label={title === '' ? 'Attachments' : title}>
            {title !== '' && (
              <Title order={3} size="h5" className="break">
                {title}
              </Title>
            )}
            <Attachments attachments={some} label={`Attachments: ${title}`} withMedia />
          </Stack>
        ))}
      </Stack>
    </Panel>
  )
}

function toTitle({ environment, case: number, attempt }: AttachmentOfResult): string {
  const parts = [environment, number > 1 && `case ${number}`, attempt !== null && `attempt ${attempt}`]
  const title = parts.filter((part) => part !== null && part !== false).join(', ')
  return title.charAt(0).toUpperCase() + title.slice(1)
}
