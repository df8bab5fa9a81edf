import type { TestAttachment } from '@fairlead/contract'
import { formatBytes } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import classes from './tests.module.css'

const pictureTypes = /^image\/(png|jpeg|gif|webp)$/
const videoTypes = /^video\/(mp4|webm)$/
/** This many screenshots are shown as images; the list has all of them. */
const maxPictures = 6
const maxVideos = 2

interface AttachmentsProps {
  attachments: readonly TestAttachment[]
  label?: string
  /** Plays videos here; the page of a failure plays them beside its log instead. */
  withVideos?: boolean
}

export function Attachments({ attachments, label = 'Attachments', withVideos = false }: AttachmentsProps) {
  if (attachments.length === 0) return null
  const pictures = attachments.filter(({ contentType }) => pictureTypes.test(contentType ?? ''))
  const videos = withVideos ? attachments.filter(({ contentType }) => videoTypes.test(contentType ?? '')) : []
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
      {pictures.slice(0, maxPictures).map(({ id, name }) => (
        <img key={id} className={classes['media']} src={`/v1/testAttachments/${id}`} alt={name} loading="lazy" />
      ))}
      <List label={label}>
        {attachments.map(({ id, name, size }) => (
          <ListRow
            key={id}
            title={
              <a href={`/v1/testAttachments/${id}`} target="_blank" rel="noopener">
                {name}
              </a>
            }
            side={formatBytes(size)}
          />
        ))}
      </List>
    </>
  )
}
