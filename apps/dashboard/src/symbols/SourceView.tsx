import type { SourceLines } from '@fairlead/contract'
import classes from './source-view.module.css'

interface SourceViewProps {
  source: SourceLines
  /** The line that is marked. */
  line: number
  isOpen: boolean
}

/** Shows the lines of a source around the place of a frame. */
export function SourceView({ source, line, isOpen }: SourceViewProps) {
  return (
    <details className={classes['root']} open={isOpen}>
      <summary className={classes['summary']}>Source</summary>
      <ol className={classes['lines']} start={source.firstLine}>
        {source.lines.map((text, index) => {
          const number = source.firstLine + index
          return (
            <li key={number} value={number} aria-current={number === line ? 'location' : undefined}>
              <code>{text}</code>
            </li>
          )
        })}
      </ol>
    </details>
  )
}
