import { buffer } from 'node:stream/consumers'
import type { AppContext } from '../context.ts'
import { escapeMarkup } from '../html/html.ts'
import { toIconUrl } from '../links/install-url.ts'
import type { MailRow } from './mail.ts'
import { findBuildIcon } from './store.ts'

/** Larger icons remain links. */
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
 * Embeds the icon of a build into its mail, because many mail clients load no remote images and may not reach the
 * server. The outbox keeps the link, so that a thousand mails do not store a thousand icons.
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
