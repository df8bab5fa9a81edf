/** Escapes the placeholders of `like` in a text that is searched as it is, for `like … escape '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}
