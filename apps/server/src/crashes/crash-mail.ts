import type { Row } from '../db/schema.ts'
import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'

type MailedGroup = Pick<
  Row<'crash_groups'>,
  'id' | 'title' | 'culprit' | 'crash_count' | 'install_count' | 'mail_reason'
>

const reasons = { new: 'New', regressed: 'Regressed', spike: 'Spiking', 'still crashing': 'Still crashing' } as const

/** Creates the digest of an application's crash groups for one member. */
export function createCrashMail(
  application: { id: number; name: string },
  groups: readonly MailedGroup[],
  { recipient, baseUrl }: { recipient: string; baseUrl: string },
): NewMail {
  const [first] = groups
  const url = `${baseUrl}/applications/${application.id}/crashes`
  const what = groups.length === 1 && first ? `${toReason(first)}: ${first.title}` : `${groups.length} crash groups`
  const lines = groups.map((group) => ({
    heading: `${toReason(group)}: ${group.title}`,
    place: group.culprit,
    counts: `${group.crash_count} crashes on ${group.install_count} installs`,
    url: `${url}/${group.id}`,
  }))
  const title = `${application.name}: ${what}`
  return {
    recipient,
    subject: title,
    text: lines
      .map(({ heading, place, counts, url: link }) => [heading, place, counts, link].filter(Boolean).join('\n'))
      .join('\n\n'),
    html: renderMail(
      title,
      html`<h1 style="margin:0 0 16px;font-size:22px">${application.name}</h1>
        ${lines.map(
          ({ heading, place, counts, url: link }) =>
            html`<p style="margin:0 0 16px">
              <a href="${link}" style="font-weight:600;color:#1d4ed8">${heading}</a><br />
              ${place ?? ''}<br />
              <span style="color:#6b7280">${counts}</span>
            </p>`,
        )}
        ${renderButton(url, 'See all crashes')}`,
    ),
  }
}

function toReason({ mail_reason: reason }: MailedGroup): string {
  return reasons[reason ?? 'new']
}
