import { lazy } from 'react'
import { ChoiceTarget, type ChoiceTargetProps } from '../../ui/ChoiceTarget.tsx'
import { LazyMenu } from '../../ui/LazyMenu.tsx'
import { loadScript } from '../../ui/load-script.ts'

const load = () => loadScript(() => import('./AssignMenu.tsx'))
const AssignMenu = lazy(async () => ({ default: (await load()).AssignMenu }))

export interface AssignButtonProps extends Pick<ChoiceTargetProps, 'text' | 'size'> {
  /** The current assignee, null for nobody; missing for several groups. */
  assigneeId?: number | null
  onChoose: (assigneeId: number | null) => void
}

/**
 * Opens a menu of the members. It is no select, because the arrow keys change the value of a closed one, which would
 * assign the groups to the first in the list.
 */
export function AssignButton(props: AssignButtonProps) {
  const { text, size } = props
  return (
    <LazyMenu load={load} button={(opening) => <ChoiceTarget {...{ text, size }} {...opening} />}>
      <AssignMenu {...props} />
    </LazyMenu>
  )
}
