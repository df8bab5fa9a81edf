import type { TestAttachment } from '@fairlead/contract'
import classes from './tests.module.css'

/** This many pictures are shown; the list of attachments has all of them. */
const maxPictures = 6

/** Shows pictures in their own proportions, which open in full size. */
export function Pictures({ pictures }: { pictures: readonly TestAttachment[] }) {
  if (pictures.length === 0) return null
  return (
    <div className={classes['pictures']}>
      {pictures.slice(0, maxPictures).map(({ id, name }) => (
        <a key={id} href={`/v1/testAttachments/${id}`} target="_blank" rel="noopener" title="Open in full size">
          <img className={classes['media']} src={`/v1/testAttachments/${id}`} alt={name} loading="lazy" />
        </a>
      ))}
    </div>
  )
}
