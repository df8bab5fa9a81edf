import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import classes from './drop-area.module.css'

interface DropAreaProps {
  /** Shown over the page while files are dragged above it. */
  hint: string
  onFiles: (files: File[]) => void
  children: ReactNode
}

/** Takes files that are dropped anywhere on the page. Each use has a button too, for those who use the keyboard. */
export function DropArea({ hint, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  // Entering a child element also leaves its parent, so the elements entered and left are counted.
  const depth = useRef(0)
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const move = (step: number) => (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth.current = Math.max(0, depth.current + step)
      setOver(depth.current > 0)
    }
    const allow = (event: DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth.current = 0
      setOver(false)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) take(files)
    }
    const events = { dragenter: move(1), dragleave: move(-1), dragover: allow, drop }
    const names = ['dragenter', 'dragleave', 'dragover', 'drop'] as const
    for (const name of names) addEventListener(name, events[name])
    return () => {
      for (const name of names) removeEventListener(name, events[name])
    }
  }, [])
  return (
    <div data-testid="drop-area">
      {children}
      {isOver && <div className={classes['hint']}>{hint}</div>}
    </div>
  )
}

function holdsFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false
}
