import { lazy } from 'react'
import { ChoiceTarget } from '../../ui/ChoiceTarget.tsx'
import { LazyMenu } from '../../ui/LazyMenu.tsx'
import { loadScript } from '../../ui/load-script.ts'
import type { AssignMenuProps } from './AssignMenu.tsx'

const load = () => loadScript(() => import('./AssignMenu.tsx'))
const AssignMenu = lazy(async () => ({ default: (await load()).AssignMenu }))

/**
 * Opens a menu of the members. It is no select, because the arrow keys change the value of a closed one, which would
 * assign the groups to the first in the list.
 */
export function AssignButton(props: AssignMenuProps) {
  const { text, size } = props
  return (
    <LazyMenu load={load} button={(opening) => <ChoiceTarget {...{ text, size }} {...opening} />}>
      <AssignMenu {...props} />
    </LazyMenu>
  )
}
