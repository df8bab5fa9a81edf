import { buffer } from 'node:stream/consumers'
import type { AppContext } from '../context.ts'

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
  html: string,
): Promise<MailBody> {
  const [, start = '', secret = ''] = /(<img\s+src="[^"]*\/install\/([\w-]+)\/icon")/.exec(html) ?? []
  const icon = await db
    .selectFrom('builds')
    .innerJoin('blobs', 'blobs.id', 'builds.icon_blob_id')
    .select(['blobs.key', 'blobs.size', 'builds.icon_type'])
    .where('builds.secret', '=', secret)
    .executeTakeFirst()
  if (!start.includes(`"${config.baseUrl}/`) || !icon || icon.size > sizeLimit) return { html, attachments: [] }
  const cid = `icon@${new URL(config.baseUrl).hostname}`
  return {
    html: html.replace(start, `<img src="cid:${cid}"`),
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
