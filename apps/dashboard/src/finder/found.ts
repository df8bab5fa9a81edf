import type { LinkProps } from '@tanstack/react-router'

/** A result of the finder: a page that it opens, or an action that it runs. */
export interface Found {
  key: string
  title: string
  detail?: string | undefined
  target: LinkProps | (() => void)
  /** Whether the finder stays open, because the action is about itself. */
  stays?: boolean
}

export interface Section {
  title: string
  items: Found[]
}

/** Tells whether each word of the text is in one of the parts, regardless of case. */
export function hasWords(text: string, ...parts: (string | null)[]): boolean {
  const all = parts.join('\n').toLowerCase()
  return toWords(text).every((word) => all.includes(word))
}

export function toWords(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}
