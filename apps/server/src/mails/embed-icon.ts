import { buffer } from 'node:stream/consumers'
import type { AppContext } from '../context.ts'
import { escapeMarkup } from '../html/html.ts'
import { toIconUrl } from '../links/install-url.ts'
import type { MailRow } from './mail.ts'
import { findBuildIcon } from './store.ts'

/** A larger picture stays a link. */
const sizeLimit = 512 * 1024

interface Attachment {
  cid: string
  content: Buffer
  contentType: string
  contentDisposition: 'inline'
}

export interface MailBody {
  html: string
  attachments: Attachment[]
}

/**
 * Puts the icon of a build into the mail that shows it: many mail programs load nothing from the net, and the server
 * may not be on theirs. In the outbox it stays a link, so that a thousand mails do not keep a thousand icons.
 */
export async function embedIcon(
  { db, blobs, config }: Pick<AppContext, 'db' | 'blobs' | 'config'>,
  { html, build_id }: Pick<MailRow, 'html' | 'build_id'>,
): Promise<MailBody> {
  const icon = build_id === null ? undefined : await findBuildIcon(db, build_id)
  if (!icon || icon.size > sizeLimit) return { html, attachments: [] }
  const source = `src="${escapeMarkup(toIconUrl(icon, config.baseUrl))}"`
  if (!html.includes(source)) return { html, attachments: [] }
  const cid = `icon@${new URL(config.baseUrl).hostname}`
  return {
    html: html.replace(source, `src="cid:${cid}"`),
    attachments: [
      {
        cid,
        content: await buffer(await blobs.read(icon.key)),
        contentType: icon.icon_type ?? 'image/png',
        contentDisposition: 'inline',
      },
    ],
  }
}
