import { XmlReader } from '../src/xml/xml-reader.ts'

/** What a reader of XML passes on, in order. Text that arrives in pieces is joined. */
export type XmlEvent = [kind: string, name?: string, attributes?: Record<string, string>]

/** Adds an event, or joins text to the text before it. Events of references may come between pieces of one text. */
export function addEvent(events: XmlEvent[], event: XmlEvent): void {
  const [kind, text = ''] = event
  const last = events.at(-1)
  if (kind === 'text' && last?.[0] === 'text') last[1] += text
  else events.push(event)
}

/** Reads a document in pieces of the lengths that `pickLength` returns. Throws XmlError. */
export function readEvents(text: string, pickLength: () => number = () => text.length): XmlEvent[] {
  const events: XmlEvent[] = []
  const reader = new XmlReader(
    {
      open: (name, attributes) => addEvent(events, ['open', name, { ...attributes }]),
      close: (name) => addEvent(events, ['close', name]),
      isTextWanted: () => true,
      text: (piece) => addEvent(events, ['text', piece]),
      entity: (name) => addEvent(events, ['entity', name]),
      forbidden: () => addEvent(events, ['forbidden']),
    },
    64,
  )
  for (let at = 0; at < text.length;) {
    const length = pickLength()
    reader.write(text.slice(at, at + length))
    at += length
  }
  reader.end()
  return events
}
