import type { TestAttachment } from '@fairlead/contract'
import { formatBytes } from '../ui/format.ts'
import { List, ListRow } from '../ui/ListRow.tsx'
import classes from './tests.module.css'

const pictureTypes = /^image\/(png|jpeg|gif|webp)$/
/** This many screenshots are shown as images; the list has all of them. */
const maxPictures = 6

export function Attachments({ attachments }: { attachments: TestAttachment[] }) {
  if (attachments.length === 0) return null
  const pictures = attachments.filter(({ contentType }) => pictureTypes.test(contentType ?? ''))
  return (
    <>
      {pictures.slice(0, maxPictures).map(({ id, name }) => (
        <img key={id} className={classes['media']} src={`/v1/testAttachments/${id}`} alt={name} loading="lazy" />
      ))}
      <List label="Attachments">
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
