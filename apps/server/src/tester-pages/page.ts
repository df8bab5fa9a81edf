import { html, type Html } from '../html/html.ts'
import { pageHeaders, renderPage } from '../install/page.ts'
import { toShownText } from '../install/shown-text.ts'
import { renderBuilds } from './builds-section.ts'
import { renderDevices } from './devices-section.ts'
import { renderMailsState } from './mails-section.ts'
import type { TesterPage } from './tester-page.ts'

/**
 * What stands below the builds, from top to bottom. A section is a heading and what belongs to it, or null where it has
 * nothing to show; its forms post to addresses below `page.path`.
 */
const sections: ((page: TesterPage) => Html | null)[] = [renderDevices, renderMails]

/** Renders the page with all builds of a tester. */
export function renderTesterPage(page: TesterPage): string {
  const { tester, language } = page
  const words = language.words.testerPage
  return renderPage({
    lang: language.tag,
    title: words.title,
    content: html`<main class="tester">
      <header>
        <h1>${words.title}</h1>
        <p>${words.of(toShownText(tester.email))}</p>
        <p class="quiet"><bdi>${toShownText(tester.workspace_name)}</bdi></p>
      </header>
      ${renderBuilds(page)} ${sections.map((render) => render(page))}
      <p class="quiet private">${words.keepPrivate}</p>
    </main>`,
  })
}

function renderMails({ tester, path, language }: TesterPage): Html {
  return html`<section class="mails">
    <h2>${language.words.testerPage.mails}</h2>
    ${renderMailsState(
      {
        workspaceName: tester.workspace_name,
        email: tester.email,
        isSubscribed: tester.unsubscribed_at === null,
        action: `${path}/mails`,
        field: { off: ['mails', 'off'], on: ['mails', 'on'] },
      },
      language,
    )}
  </section>`
}

/** Pages with forms may submit them to this server, which other pages of testers may not. */
export const formPageHeaders = {
  ...pageHeaders,
  'content-security-policy': pageHeaders['content-security-policy'].replace("form-action 'none'", "form-action 'self'"),
}
