import type { ChatMessage } from './message.ts'

/** Makes a card for Google Chat, whose texts are simple HTML. */
export function toGoogleChatBody({ title, facts, notes, buttons }: ChatMessage): object {
  const widgets = [
    ...facts.map(({ label, value }) => ({ decoratedText: { topLabel: label, text: escape(value), wrapText: true } })),
    ...(notes === null ? [] : [{ textParagraph: { text: escape(notes) } }]),
    {
      buttonList: { buttons: buttons.map(({ text, url }) => ({ text, onClick: { openLink: { url } } })) },
    },
  ]
  return { cardsV2: [{ cardId: 'fairlead', card: { header: { title: escape(title) }, sections: [{ widgets }] } }] }
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
