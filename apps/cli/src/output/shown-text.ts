/** Matches control characters, which may move the cursor or change colours, and bidirectional overrides. */
const unsafe = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Escapes text from outside (a server, a binary, a file name) for one line of a terminal. */
export function toShownLine(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('\t', ' ')
    .replace(unsafe, '\uFFFD')
}

/** Escapes text from outside and keeps its line breaks. */
export function toShownText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafe, (char) => (char === '\n' || char === '\t' ? char : '\uFFFD'))
}
