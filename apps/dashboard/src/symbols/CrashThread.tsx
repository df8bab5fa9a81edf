import type { Symbolication } from '@fairlead/client'
import { Badge } from '@mantine/core'
import classes from './crash-thread.module.css'

type Thread = Symbolication['threads'][number]
type Frame = Thread['frames'][number]

/** One thread with its frames, innermost first. Only the one that crashed is open at first. */
export function CrashThread({ thread, number }: { thread: Thread; number: number }) {
  return (
    <details className={classes['root']} open={thread.crashed || number === 0}>
      <summary>
        <span className="break">{thread.name ?? `Thread ${number}`}</span>
        {thread.crashed && <Badge color="red">Crashed</Badge>}
        <span className={classes['count']}>{thread.frames.length} frames</span>
      </summary>
      <ol className={classes['frames']}>
        {thread.frames.map((frame, index) => (
          <FrameRow key={index} frame={frame} />
        ))}
      </ol>
    </details>
  )
}

function FrameRow({ frame }: { frame: Frame }) {
  const { function: name, file, line, column, module, address, inlined, alternatives, raw } = frame
  if (name === null) {
    return (
      <li className={classes['frame']} data-state="raw">
        <code>{raw.trim()}</code>
      </li>
    )
  }
  return (
    <li className={classes['frame']} data-state={line === null ? 'named' : 'resolved'}>
      <code className={classes['function']}>{name}</code>
      <span className={classes['place']}>
        {file !== null && (
          <code>
            {file}
            {line !== null && `:${line}`}
            {column !== null && column > 0 && `:${column}`}
          </code>
        )}
        {module !== null && <span>{module}</span>}
        {address !== null && <code>{address}</code>}
        {inlined && <Badge size="xs">Inlined</Badge>}
        {alternatives.length > 0 && (
          <Badge size="xs" color="orange">
            Or {alternatives.length} more
          </Badge>
        )}
      </span>
    </li>
  )
}
