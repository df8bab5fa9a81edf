import { appendElement } from './append-element.ts'

/** A line of the first look. */
export interface Row {
  text: string
  /** The address that the text links to. Without it, the text is no link. */
  href?: string | undefined
  /** A second line below the text, in less prominent type. */
  detail?: string | null | undefined
}

/**
 * Shows a title and plain rows while the scripts of the page are still loading, so that people on a slow network can
 * already read and follow them. The dashboard replaces them when it starts. `none` says that a list is empty, which is
 * an answer as well, and should not wait for the scripts.
 */
export function showRows(title: string, rows: readonly Row[], none = 'There is nothing yet'): void {
  const place = document.querySelector('#first-look') ?? document.createElement('div')
  place.replaceChildren()
  appendElement(place, 'h1', title)
  const list = appendElement(place, 'ul')
  const shown: readonly Row[] = rows.length === 0 ? [{ text: none }] : rows
  for (const { text, href, detail } of shown) {
    const item = appendElement(list, 'li')
    if (href === undefined) appendElement(item, 'span', text)
    else appendElement(item, 'a', text).setAttribute('href', href)
    if (detail !== undefined && detail !== null && detail !== '') appendElement(item, 'div', detail)
  }
}

/** Joins the parts of a detail that are known. */
export function join(...parts: (string | null | undefined)[]): string {
  return parts.filter((part) => part !== null && part !== undefined && part !== '').join(' · ')
}

/** Names a release: `2.4.0 (412)`, or the part of it that is known. */
export function toRelease(release: { shortVersion: string | null; version: string | null } | null): string {
  const { shortVersion = null, version = null } = release ?? {}
  if (shortVersion === null) return version ?? ''
  return version === null ? shortVersion : `${shortVersion} (${version})`
}
