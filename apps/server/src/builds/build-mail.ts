import type { AppContext } from '../context.ts'
import { html } from '../html/html.ts'
import type { NewMail } from '../mails/enqueue.ts'
import { renderButton, renderMail } from '../mails/layout.ts'
import type { NewMailNotes } from '../mails/notes.ts'
import { notesPlace } from '../mails/notes.ts'
import { renderNotes } from '../html/notes.ts'
import { toIconUrl } from '../links/install-url.ts'
import { toTesterPageUrl } from '../tester-links/page-link.ts'
import { toPersonalUrl } from '../tester-links/personal-link.ts'
import { toUnsubscribeUrl } from '../tester-links/unsubscribe-link.ts'
import type { BuildRecord } from './build.ts'
import type { MailedTester } from './distribution-store.ts'

/** Longest part of the release notes in a mail, in UTF-16 code units; the install page shows them in full. */
const notesLimit = 10_000

/** Renders the release notes for all mails of a distribution at once; null when there are none. */
export function renderMailNotes({ release_notes }: Pick<BuildRecord, 'release_notes'>): NewMailNotes | null {
  const notes = cutNotes(release_notes)
  return notes === null ? null : { text: notes, html: renderNotes(notes).toString() }
}

/** The first mail about a build, or one that asks again to install it. */
export type BuildMailKind = 'news' | 'reminder'

/** Creates the mail that tells a tester about a build, with that tester's personal links and shared release notes. */
export function createBuildMail(
  { config, signingKey }: Pick<AppContext, 'config' | 'signingKey'>,
  build: BuildRecord,
  { kind, notesId }: { kind: BuildMailKind; notesId: number | null },
): (tester: MailedTester) => NewMail {
  const { baseUrl } = config
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
  const says = kind === 'news' ? `${title} is ready to test` : `${title} still waits for your test`
  return (tester) => {
    const link = toPersonalUrl(build, tester, baseUrl, signingKey)
    const pageUrl = toTesterPageUrl(tester, baseUrl, signingKey)
    const address = { workspaceId: tester.workspace_id, emailKey: tester.email_key }
    const unsubscribeUrl = toUnsubscribeUrl(address, baseUrl, signingKey)
    return {
      recipient: tester.email,
      testerId: tester.id,
      unsubscribeUrl,
      buildId: build.id,
      notesId,
      subject: kind === 'news' ? says : `Reminder: ${says}`,
      text: [
        `${says}.`,
        `Install it: ${link}`,
        `All your builds: ${pageUrl}`,
        `No more of these mails: ${unsubscribeUrl}`,
        ...(notesId === null ? [] : [notesPlace.text]),
      ].join('\n\n'),
      html: renderMail(
        title,
        html`${icon}
          <h1 style="margin:0;font-size:22px">${build.name}</h1>
          <p style="margin:4px 0 0;color:#6b7280">${version}</p>
          ${kind === 'news' ? null : html`<p style="margin:16px 0 0">This build still waits for your test.</p>`}
          ${renderButton(link, 'Install')} ${notesId === null ? null : notesPlace.html}
          <p style="margin:24px 0 0;font-size:13px;color:#6b7280">
            The links are yours alone: installs over them are counted under your name.<br />
            <a href="${pageUrl}" style="color:#0b6c7e">All your builds</a> ·
            <a href="${unsubscribeUrl}" style="color:#0b6c7e">No more of these mails</a>
          </p>`,
      ),
    }
  }
}

function cutNotes(notes: string | null): string | null {
  if (notes === null || notes.trim() === '') return null
  return notes.length <= notesLimit ? notes : `${notes.slice(0, notesLimit)}…`
}
