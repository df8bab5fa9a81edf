import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import classes from './drop-area.module.css'

interface DropAreaProps {
  /** Shown over the page while files are dragged over it. */
  hint: string
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** Accepts files dropped anywhere on its children. A separate button offers the same to keyboard users. */
export function DropArea({ hint, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  // Entering a child fires `dragleave` on its parent, so the files are gone only when the depth returns to zero.
  const depth = useRef(0)
  const move = (step: number) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    depth.current += step
    setOver(depth.current > 0)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    depth.current = 0
    setOver(false)
    const files = [...event.dataTransfer.files]
    if (files.length > 0) onFiles(files)
  }
  return (
    <div
      className={classes['root']}
      data-testid="drop-area"
      onDragEnter={move(1)}
      onDragLeave={move(-1)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && <div className={classes['hint']}>{hint}</div>}
    </div>
  )
}
