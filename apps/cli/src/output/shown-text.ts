/** Control characters, which may move the cursor or change colours, and overrides of the writing direction. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Text from outside (a server, a binary, a file name) for one line of a terminal. */
export function toShownLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('\t', ' ')
    .replace(unsafe, '\uFFFD')
}

/** Text from outside that keeps its lines. */
export function toShownText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, (char) => (char === '\n' || char === '\t' ? char : '\uFFFD'))
}
