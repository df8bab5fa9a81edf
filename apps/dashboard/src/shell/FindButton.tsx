import { UnstyledButton } from '@mantine/core'
import { Search } from 'lucide-react'
import { finderKeys } from '../ui/finder-keys.ts'
import classes from './find-button.module.css'

interface FindButtonProps {
  onClick: () => void
  /** On a narrow screen there is room for the picture only. */
  isSmall?: boolean
}

export function FindButton({ onClick, isSmall = false }: FindButtonProps) {
  return (
    <UnstyledButton
      className={isSmall ? classes['small'] : classes['button']}
      onClick={onClick}
      // The words on the wide button are its name.
      aria-label={isSmall ? 'Find' : undefined}
      aria-haspopup="dialog"
      aria-keyshortcuts={finderKeys[0] === 'Ctrl' ? 'Control+K' : 'Meta+K'}
    >
      <Search size={isSmall ? 20 : 15} aria-hidden />
      {!isSmall && (
        <>
          <span className={classes['label']}>Find</span>
          <kbd className={classes['keys']} aria-hidden>
            {finderKeys.join(' ')}
          </kbd>
        </>
      )}
    </UnstyledButton>
  )
}
