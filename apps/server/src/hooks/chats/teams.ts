import type { ChatMessage } from './message.ts'

/** Makes an adaptive card for a flow of Teams. Text runs know no Markdown, so nothing in them becomes a link. */
export function toTeamsBody({ title, facts, notes, buttons }: ChatMessage): object {
  const block = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines })
  const run = (text: string, more: object = {}) => ({ type: 'TextRun', text: breakMentions(text), ...more })
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(run(title, { weight: 'bolder', size: 'medium' })),
      ...facts.map(({ label, value }) => block(run(`${label}: `, { isSubtle: true }), run(value))),
      ...(notes === null ? [] : notes.split('\n').map((line) => block(run(line === '' ? ' ' : line)))),
    ],
    actions: buttons.map(({ text, url }) => ({ type: 'Action.OpenUrl', title: text, url })),
  }
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] }
}

function breakMentions(text: string): string {
  return text.replace(/<(?=\/?at\b)/gi, '<\u200B')
}
