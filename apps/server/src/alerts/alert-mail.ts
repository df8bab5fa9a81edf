import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'
import type { NoticeRecord } from './alerts-store.ts'

/** The most alerts that one mail tells of in words. */
const maxListed = 100

/** Creates the mail about what rules of an application told a member of. */
export function createAlertMail(
  application: { id: number; name: string },
  notices: readonly NoticeRecord[],
  { recipient, baseUrl }: { recipient: string; baseUrl: string },
): NewMail {
  const base = `${baseUrl}/applications/${application.id}`
  const [first] = notices
  const what = notices.length === 1 && first ? first.title : `${notices.length} alerts`
  const title = `${application.name}: ${what}`
  const lines = notices.slice(0, maxListed).map((notice) => ({ ...notice, url: base + toPath(notice) }))
  const rest = notices.length - lines.length
  const more = rest === 0 ? [] : [`and ${rest} more`]
  const why = 'You get this mail by rules of the application, which its page “Alerts” lists.'
  return {
    recipient,
    subject: title,
    text: [
      ...lines.map(({ title: heading, detail, rule_name: rule, url }) =>
        [heading, detail, `Rule: ${rule}`, url].filter(Boolean).join('\n'),
      ),
      ...more,
      `${why}\n${base}/alerts`,
    ].join('\n\n'),
    html: renderMail(
      title,
      html`<h1 style="margin:0 0 16px;font-size:22px">${application.name}</h1>
        ${lines.map(
          ({ title: heading, detail, rule_name: rule, url }) =>
            html`<p style="margin:0 0 16px">
              <a href="${url}" style="font-weight:600;color:#0b6c7e">${heading}</a><br />
              ${detail ?? ''}<br />
              <span style="color:#6b7280">${rule}</span>
            </p>`,
        )}
        ${more.map((line) => html`<p style="margin:0 0 16px">${line}</p>`)}
        ${renderButton(`${base}/alerts`, 'See the alerts')}
        <p style="margin:0;color:#6b7280;font-size:13px">${why}</p>`,
    ),
  }
}

function toPath({ kind, subject_id: id }: NoticeRecord): string {
  if (kind === 'newCrashGroup' || kind === 'crashRegression') return id === null ? '/crashes' : `/crashes/${id}`
  if (kind === 'crashCount' || kind === 'crashFreeRate') return '/crashes'
  if (kind === 'testVerdict') return id === null ? '/tests' : `/tests/runs/${id}`
  if (kind === 'flakyRate') return '/tests'
  return kind === 'feedback' ? '/feedback' : ''
}
