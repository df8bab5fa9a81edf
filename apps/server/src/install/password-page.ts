import { html } from '../html/html.ts'
import type { Language } from './language.ts'
import { pageHeaders, renderPage, toFormHeaders } from './page.ts'
import { toShownText } from './shown-text.ts'

/**
 * The page that asks for the password of a protected link. Its form posts to the address of the page.
 *
 * @param app the name of the app, which is all that the page tells of it
 */
export function renderPasswordPage(app: string, { tag, words }: Language, isWrong: boolean): string {
  const name = toShownText(app)
  return renderPage({
    lang: tag,
    title: name,
    content: html`<main class="message">
      <h1><bdi>${name}</bdi></h1>
      <p>${words.passwordNeeded}</p>
      ${isWrong ? html`<p role="alert"><strong>${words.passwordWrong}</strong></p>` : null}
      <form method="post" class="password">
        <label for="password">${words.password}</label>
        <input id="password" name="password" type="password" autocomplete="off" required maxlength="200" autofocus />
        <button class="action" type="submit">${words.continue}</button>
      </form>
    </main>`,
  })
}

export const passwordPageHeaders = toFormHeaders(pageHeaders)
