import type { TestAttachment } from '@fairlead/contract'
import { formatBytes } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import { isPicture, isPlaywrightTrace, isVideo, toTraceViewerUrl } from './attachment-kinds.ts'
import { Pictures } from './Pictures.tsx'
import classes from './tests.module.css'

const maxVideos = 2

interface AttachmentsProps {
  attachments: readonly TestAttachment[]
  label?: string
  /** Shows pictures and videos here; the page of a failure shows them beside its log instead. */
  withMedia?: boolean
}

export function Attachments({ attachments, label = 'Attachments', withMedia = false }: AttachmentsProps) {
  if (attachments.length === 0) return null
  const videos = withMedia ? attachments.filter(isVideo) : []
  return (
    <>
      {videos.slice(0, maxVideos).map(({ id, name }) => (
        <video
          key={id}
          className={classes['media']}
          src={`/v1/testAttachments/${id}`}
          controls
          muted
          preload="metadata"
          aria-label={name}
        />
      ))}
      {withMedia && <Pictures pictures={attachments.filter(isPicture)} />}
      <List label={label}>
        {attachments.map((attachment) => (
          <ListRow
            key={attachment.id}
            title={
              <a href={`/v1/testAttachments/${attachment.id}`} target="_blank" rel="noopener">
                {attachment.name}
              </a>
            }
            side={formatBytes(attachment.size)}
            actions={isPlaywrightTrace(attachment) && <TraceLink attachmentId={attachment.id} />}
          />
        ))}
      </List>
    </>
  )
}

/** The viewer reads the trace in a service worker, which browsers start over HTTPS and on localhost only. */
function TraceLink({ attachmentId }: { attachmentId: number }) {
  if (!window.isSecureContext) return 'The trace viewer needs HTTPS'
  return (
    <a href={toTraceViewerUrl(attachmentId)} target="_blank" rel="noopener">
      Open the trace
    </a>
  )
}
