import type { SymbolicatedCrash } from '@fairlead/contract'
import { Badge } from '@mantine/core'
import { formatCount } from '../ui/format.ts'
import classes from './crash-thread.module.css'

type Thread = SymbolicatedCrash['threads'][number]
type Frame = Thread['frames'][number]

interface CrashThreadProps {
  thread: Thread
  /** The thread's position in the report. */
  number: number
  isOnly: boolean
}

/** Shows one thread with its frames, innermost first. Only the crashed thread is expanded initially. */
export function CrashThread({ thread, number, isOnly }: CrashThreadProps) {
  return (
    <details className={classes['root']} open={thread.crashed || number === 0}>
      <summary>
        <span className="break">{thread.name ?? (isOnly ? 'Stack trace' : `Thread ${number}`)}</span>
        {thread.crashed && <Badge color="red">Crashed</Badge>}
        <span className={classes['count']}>{formatCount(thread.frames.length, 'frame')}</span>
      </summary>
      <ol className={classes['frames']}>
        {thread.frames.map((frame, index) => (
          <FrameRow key={`${index} ${frame.raw}`} frame={frame} />
        ))}
      </ol>
    </details>
  )
}

function FrameRow({ frame }: { frame: Frame }) {
  const { function: name, line, alternatives, raw } = frame
  if (name === null) {
    return (
      <li className={classes['frame']} data-state="raw">
        <code>{raw.trim()}</code>
      </li>
    )
  }
  return (
    <li className={classes['frame']} data-state={line === null ? 'named' : 'resolved'}>
      <FrameLine frame={frame} />
      {alternatives.map((frames, index) => (
        <div key={index} className={classes['alternative']}>
          <span className={classes['or']}>or</span>
          {frames.map((alternative) => (
            <FrameLine key={`${alternative.function} ${alternative.line}`} frame={alternative} />
          ))}
        </div>
      ))}
    </li>
  )
}

function FrameLine({ frame }: { frame: Frame }) {
  const { function: name, module, address, inlined } = frame
  const place = toPlace(frame)
  return (
    <>
      <code className={classes['function']}>{name}</code>
      <span className={classes['place']}>
        {place !== '' && <code>{place}</code>}
        {module !== null && <span>{module}</span>}
        {address !== null && <code>{address}</code>}
        {inlined && <Badge size="xs">Inlined</Badge>}
      </span>
    </>
  )
}

function toPlace({ file, line, column }: Frame): string {
  if (file === null) return ''
  if (line === null) return file
  if (line === 0) return `${file}, made by the compiler`
  return column !== null && column > 0 ? `${file}:${line}:${column}` : `${file}:${line}`
}
