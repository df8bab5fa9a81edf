import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'
import type { NewMailNotes } from '../mails/notes.ts'
import { notesPlace } from '../mails/notes.ts'
import { renderNotes } from '../html/notes.ts'
import { toIconUrl } from '../links/install-url.ts'
import type { BuildRecord } from './build.ts'

/** Longest part of the release notes in a mail, in UTF-16 code units; the install page shows them in full. */
const notesLimit = 10_000

/** Renders the release notes for all mails of a distribution at once; null when there are none. */
export function renderMailNotes({ release_notes }: Pick<BuildRecord, 'release_notes'>): NewMailNotes | null {
  const notes = cutNotes(release_notes)
  return notes === null ? null : { text: notes, html: renderNotes(notes).toString() }
}

/** Creates the mail that tells a tester about a build, with that tester's personal link and shared release notes. */
export function createBuildMail(
  build: BuildRecord,
  baseUrl: string,
  notesId: number | null,
): (recipient: string, link: string) => NewMail {
  const version = `${build.short_version} (${build.version})`
  const title = `${build.name} ${version}`
  const iconUrl = build.icon_blob_id === null ? null : toIconUrl(build, baseUrl)
  const icon =
    iconUrl === null
      ? null
      : html`<img
          src="${iconUrl}"
          width="64"
          height="64"
          alt=""
          style="display:block;border-radius:14px;margin-bottom:16px"
        />`
  return (recipient, link) => ({
    recipient,
    buildId: build.id,
    notesId,
    subject: `${title} is ready to test`,
    text: [`${title} is ready to test.`, `Install it: ${link}`, ...(notesId === null ? [] : [notesPlace.text])].join(
      '\n\n',
    ),
    html: renderMail(
      title,
      html`${icon}
        <h1 style="margin:0;font-size:22px">${build.name}</h1>
        <p style="margin:4px 0 0;color:#6b7280">${version}</p>
        ${renderButton(link, 'Install')} ${notesId === null ? null : notesPlace.html}
        <p style="margin:24px 0 0;font-size:13px;color:#6b7280">
          The link is yours alone: installs over it are counted under your name.
        </p>`,
    ),
  })
}

function cutNotes(notes: string | null): string | null {
  if (notes === null || notes.trim() === '') return null
  return notes.length <= notesLimit ? notes : `${notes.slice(0, notesLimit)}…`
}
