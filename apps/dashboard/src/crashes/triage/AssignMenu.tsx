import { useSuspenseQuery } from '@tanstack/react-query'
import { membersQuery } from '../../members/queries.ts'
import { ChoiceMenu } from '../../ui/ChoiceMenu.tsx'
import type { AssignButtonProps } from './AssignButton.tsx'

const nobody = 'nobody'

/** The menu opens when it knows the members, because it focuses one of its items then. */
export function AssignMenu({ assigneeId, onChoose, ...target }: AssignButtonProps) {
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
