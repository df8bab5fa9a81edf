const element = document.createElement('i')

/**
 * Replaces one named character, such as `&eacute;`, as the library `entities` does for the Markdown parser. An unknown
 * one stays as it is, also if its beginning has a meaning of its own, as in `&notit;`.
 */
export function decodeHTMLStrict(reference: string): string {
  if (!/^&#?\w+;$/.test(reference)) return reference
  // A character reference contains no markup, so nothing runs here.
  element.innerHTML = reference
  const text = element.textContent
  return text.endsWith(';') && reference !== '&semi;' ? reference : text
}
