import { lazy } from 'react'
import type { ChoiceMenuProps } from './ChoiceMenu.tsx'
import { ChoiceTarget } from './ChoiceTarget.tsx'
import { LazyMenu } from './LazyMenu.tsx'
import { loadScript } from './load-script.ts'

const load = () => loadScript(() => import('./ChoiceMenu.tsx'))
const ChoiceMenu = lazy(async () => ({ default: (await load()).ChoiceMenu }))

/**
 * A choice that takes effect at once. It is a menu and no select, because an arrow key changes the value of a closed
 * select, and whoever only moves through the page by keyboard would change data.
 */
export function ChoiceButton(props: ChoiceMenuProps) {
  const { text, name, size } = props
  return (
    <LazyMenu load={load} button={(opening) => <ChoiceTarget {...{ text, name, size }} {...opening} />}>
      <ChoiceMenu {...props} />
    </LazyMenu>
  )
}
