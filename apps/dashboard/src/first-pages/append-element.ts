/** Appends an element whose text is never parsed as HTML. */
export function appendElement(parent: Element, name: string, text = ''): Element {
  const element = document.createElement(name)
  element.textContent = text
  parent.append(element)
  return element
}
