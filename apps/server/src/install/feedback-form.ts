import { feedbackLimits } from '@fairlead/contract'
import { html, type Html } from '../html/html.ts'
import type { Language } from './language.ts'
import { pageHeaders, renderPage, toFormHeaders } from './page.ts'
import { toShownText } from './shown-text.ts'
import type { Words } from './words/words.ts'

export interface FeedbackForm {
  /** The path that the form is sent to. */
  action: string
  /** Whether the team knows from the link who writes. */
  isPersonal: boolean
}

/** A form that was refused, with what was typed. */
export interface RefusedForm {
  faults: string[]
  text: string
  contact: string
}

/** The page with a form may send it, and nothing else beyond the others. */
export const feedbackHeaders = toFormHeaders(pageHeaders)

/** Renders the form, closed, for the end of an install page. It works without scripts. */
export function renderFeedback(form: FeedbackForm, words: Words): Html {
  return html`<details class="feedback">
    <summary>${words.feedback.send}</summary>
    ${renderForm(form, words, null)}
  </details>`
}

/** The page with the form alone: after a form was refused, and where it is opened by its own address. */
export function renderFeedbackPage(
  app: string,
  form: FeedbackForm,
  { tag, words }: Language,
  refused: RefusedForm | null,
): string {
  return renderPage({
    lang: tag,
    title: words.feedback.send,
    content: html`<main class="feedback">
      <h1>${words.feedback.send}</h1>
      <p class="quiet"><bdi>${toShownText(app)}</bdi></p>
      ${refused && html`<p role="alert"><strong>${refused.faults.join(' ')}</strong></p>`}
      ${renderForm(form, words, refused)}
    </main>`,
  })
}

/** The page after feedback was sent. */
export function renderThanksPage(app: string, back: string, { tag, words }: Language): string {
  const { thanks, back: goBack } = words.feedback
  return renderPage({
    lang: tag,
    title: thanks.title,
    content: html`<main class="message">
      <h1>${thanks.title}</h1>
      <p class="quiet"><bdi>${toShownText(app)}</bdi></p>
      <p role="status">${thanks.text}</p>
      <p><a href="${back}">${goBack}</a></p>
    </main>`,
  })
}

function renderForm({ action, isPersonal }: FeedbackForm, words: Words, typed: RefusedForm | null): Html {
  const { feedback } = words
  return html`<form method="post" action="${action}" enctype="multipart/form-data" class="sheet">
    <label for="text">${feedback.text}</label>
    <textarea id="text" name="text" rows="5" required maxlength="${feedbackLimits.text}">${typed?.text}</textarea>
    <label for="pictures">${feedback.pictures}</label>
    <input
      id="pictures"
      name="pictures"
      type="file"
      multiple
      accept="image/png,image/jpeg,image/webp"
      aria-describedby="pictures-hint"
    />
    <p class="quiet" id="pictures-hint">${feedback.picturesHint}</p>
    ${isPersonal ? null : renderContact(feedback.contact, typed?.contact)}
    <button class="action" type="submit">${feedback.submit}</button>
  </form>`
}

function renderContact(label: string, contact = ''): Html {
  return html`<label for="contact">${label}</label>
    <input id="contact" name="contact" type="text" maxlength="${feedbackLimits.contact}" value="${contact}" />`
}
