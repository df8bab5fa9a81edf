import type { Feedback } from '@fairlead/contract'
import { Badge, Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { client } from '../api/client.ts'
import { useCan } from '../api/session.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { tell, tellFailure } from '../ui/tell.ts'
import { When } from '../ui/When.tsx'
import { feedbackBuildQuery } from './queries.ts'
import classes from './feedback-card.module.css'

interface FeedbackCardProps {
  feedback: Feedback
  /** Whether the build is named, on a page that has several. */
  showsBuild?: boolean
}

/** Shows what somebody wrote of a build, as text, with the pictures and the buttons that change it. */
export function FeedbackCard({ feedback, showsBuild = false }: FeedbackCardProps) {
  const { id, buildId, text, status, createdDate, userAgent } = feedback
  const from = toSender(feedback)
  return (
    <article className={classes['root']} aria-label={`Feedback from ${from}`}>
      <Group gap={8} className="break">
        <b>{from}</b>
        <Text size="sm" c="dimmed">
          <When date={createdDate} />
        </Text>
        {showsBuild && <BuildLink buildId={buildId} />}
        {status === 'done' && <Badge color="gray">Done</Badge>}
      </Group>
      <p className={classes['text']} dir="auto">
        {text}
      </p>
      <Pictures feedback={feedback} />
      {userAgent !== null && (
        <Text size="xs" c="dimmed" className="break">
          {userAgent}
        </Text>
      )}
      <Actions key={id} feedback={feedback} from={from} />
    </article>
  )
}

/** Names the build as its list does. Feedback holds only an id, which looks like a build's running number. */
function BuildLink({ buildId }: { buildId: number }) {
  const { data: build } = useQuery(feedbackBuildQuery(buildId))
  return (
    <AnchorLink to="/builds/$buildId" params={{ buildId }} size="sm">
      {build ? `${build.shortVersion} (${build.version})` : 'The build'}
    </AnchorLink>
  )
}

function toSender({ tester, contact }: Feedback): string {
  if (tester) return tester.name === null ? tester.email : `${tester.name} <${tester.email}>`
  return contact ?? 'somebody with the link'
}

function Pictures({ feedback: { id, pictures } }: { feedback: Feedback }) {
  if (pictures.length === 0) return null
  return (
    <div className={classes['pictures']}>
      {pictures.map(({ url }, index) => {
        const path = `/v1/feedback/${id}/pictures/${index + 1}`
        return (
          <a key={url} href={path} target="_blank" rel="noopener">
            <img src={path} alt={`Picture ${index + 1} of feedback ${id}`} loading="lazy" />
          </a>
        )
      })}
    </div>
  )
}

function Actions({ feedback: { id, status }, from }: { feedback: Feedback; from: string }) {
  const mayMark = useCan('developer')
  const mayDelete = useCan('admin')
  const [isAsking, dialog] = useDisclosure()
  const isDone = status === 'done'
  const mark = useMutation({
    mutationFn: () => client.feedback.update(id, { status: isDone ? 'open' : 'done' }),
    onSuccess: () => tell(isDone ? 'The feedback is open again' : 'The feedback is done'),
    onError: tellFailure,
  })
  if (!mayMark) return null
  return (
    <Group gap="xs" mt="xs">
      <Button
        size="compact-sm"
        variant="default"
        loading={mark.isPending}
        onClick={() => mark.mutate()}
        aria-label={`${isDone ? 'Open again' : 'Done'}: feedback from ${from}`}
      >
        {isDone ? 'Open again' : 'Done'}
      </Button>
      {mayDelete && (
        <Button size="compact-sm" variant="default" onClick={dialog.open} aria-label={`Delete: feedback from ${from}`}>
          Delete
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Delete the feedback"
          action="Delete it"
          onConfirm={() => client.feedback.remove(id)}
          onClose={dialog.close}
        >
          What <b className="break">{from}</b> wrote is deleted for good, with the pictures.
        </ConfirmDialog>
      )}
    </Group>
  )
}
