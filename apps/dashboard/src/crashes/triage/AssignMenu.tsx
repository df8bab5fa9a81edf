import { useSuspenseQuery } from '@tanstack/react-query'
import { membersQuery } from '../../members/queries.ts'
import { ChoiceMenu } from '../../ui/ChoiceMenu.tsx'
import type { ChoiceTargetProps } from '../../ui/ChoiceTarget.tsx'

export interface AssignMenuProps extends Pick<ChoiceTargetProps, 'text' | 'size'> {
  /** The current assignee, null for nobody; missing for several groups. */
  assigneeId?: number | null
  onChoose: (assigneeId: number | null) => void
}

const nobody = 'nobody'

/** The menu opens when it knows the members, because it focuses one of its items then. */
export function AssignMenu({ assigneeId, onChoose, ...target }: AssignMenuProps) {
  const { data: members } = useSuspenseQuery(membersQuery)
  return (
    <ChoiceMenu
      {...target}
      value={assigneeId === undefined ? null : String(assigneeId ?? nobody)}
      onChoose={(value) => onChoose(value === nobody ? null : Number(value))}
      choices={[
        ...members.map(({ accountId, name, email }) => ({
          value: String(accountId),
          label: name === '' ? email : name,
        })),
        { value: nobody, label: 'Nobody' },
      ]}
    />
  )
}
