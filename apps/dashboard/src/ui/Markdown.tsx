import { renderMarkdown } from '@fairlead/markdown'
import { useMemo } from 'react'
import classes from './markdown.module.css'

/** Renders Markdown with the same renderer as the install page. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => renderMarkdown(text), [text])
  // The renderer escapes all HTML in the text, and its tests check that.
  return <div className={classes['root']} dangerouslySetInnerHTML={{ __html: html }} />
}
