import { CopyButton } from './CopyButton.tsx'
import classes from './code-block.module.css'

interface CodeBlockProps {
  code: string
  label: string
  /** Wraps long lines instead of scrolling. */
  wrap?: boolean
}

/** A block of lines with a copy button. */
export function CodeBlock({ code, label, wrap = false }: CodeBlockProps) {
  return (
    <div className={classes['root']}>
      {/* It scrolls, so the keyboard must be able to reach it. */}
      <pre className={classes['code']} data-wrap={wrap} tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <div className={classes['copy']}>
        <CopyButton value={code} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
