import { renderMarkdown } from '@fairlead/markdown'
import { useMemo } from 'react'
import classes from './markdown.module.css'

/** Markdown that people wrote, as it also shows on the install page. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => renderMarkdown(text), [text])
  // The renderer lets none of the text's own HTML through; its tests hold it to that.
  return <div className={classes['root']} dangerouslySetInnerHTML={{ __html: html }} />
}
