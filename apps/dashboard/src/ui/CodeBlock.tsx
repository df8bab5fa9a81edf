import { CopyButton } from './CopyButton.tsx'
import classes from './code-block.module.css'

interface CodeBlockProps {
  code: string
  label: string
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean
}

/** Shows text in a monospace font, with a copy button. */
export function CodeBlock({ code, label, wrap = false }: CodeBlockProps) {
  return (
    <div className={classes['root']}>
      {/* A scrollable element must be focusable, so that the keyboard can scroll it. */}
      <pre className={classes['code']} data-wrap={wrap} tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <div className={classes['copy']}>
        <CopyButton value={code} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
