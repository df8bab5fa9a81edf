import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'

/** What rules take from one application. */
export interface RetentionFigures {
  applicationId: number
  name: string
  count: number
  bytes: number
  freedBytes: number | null
}

interface RetentionMail {
  recipient: string
  baseUrl: string
  figures: RetentionFigures[]
}

/** Tells administrators of rules before they are run for the first time. */
export function createAnnouncement({ earliest, ...mail }: RetentionMail & { earliest: number }): NewMail {
  const day = `${new Date(earliest).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return createRetentionMail(mail, {
    subject: 'New rules will remove builds',
    words: `Rules that are new or stricter are run for the first time after ${day}. As of now they would take:`,
    after: 'Open the dry run to see each build, to pin what must stay, or to change the rules.',
  })
}

/** Tells administrators what the runs of a week did. */
export function createDigest({ trashDays, ...mail }: RetentionMail & { trashDays: number }): NewMail {
  return createRetentionMail(mail, {
    subject: 'Builds that rules removed this week',
    words:
      trashDays > 0
        ? 'In the last seven days, rules moved these builds to the trash:'
        : 'In the last seven days, rules deleted these builds:',
    after:
      trashDays > 0
        ? `A run can be undone for ${trashDays} days, as long as its builds are in the trash.`
        : 'They cannot be restored, because FAIRLEAD_TRASH_DAYS is 0. Pin what must stay, or change the rules.',
  })
}

function createRetentionMail(
  { recipient, baseUrl, figures }: RetentionMail,
  { subject, words, after }: { subject: string; words: string; after: string },
): NewMail {
  const lines = figures.map((one) => ({
    name: one.name,
    counts: describeFigures(one),
    url: `${baseUrl}/applications/${one.applicationId}/retention`,
  }))
  const [first] = lines
  return {
    recipient,
    subject,
    text: [words, ...lines.map(({ name, counts, url }) => `${name}: ${counts}\n${url}`), after].join('\n\n'),
    html: renderMail(
      subject,
      html`<p style="margin:0 0 16px">${words}</p>
        ${lines.map(
          ({ name, counts, url }) =>
            html`<p style="margin:0 0 16px">
              <a href="${url}" style="font-weight:600;color:#0b6c7e">${name}</a><br />
              ${counts}
            </p>`,
        )}
        <p style="margin:0 0 16px">${after}</p>
        ${first ? renderButton(first.url, 'Open the rules') : null}`,
    ),
  }
}

function describeFigures({ count, bytes, freedBytes }: RetentionFigures): string {
  const builds = `${count} ${count === 1 ? 'build' : 'builds'}, ${toMegabytes(bytes)}`
  return freedBytes === null ? builds : `${builds}; the disk gains ${toMegabytes(freedBytes)}`
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
