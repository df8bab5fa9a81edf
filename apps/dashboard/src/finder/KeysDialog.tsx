import { Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import { finderKeys } from '../ui/finder-keys.ts'
import { Dialog } from '../ui/Dialog.tsx'
import classes from './finder.module.css'
import { areSingleKeysOn, pageKeys, turnSingleKeys } from './key-table.ts'

/** Lists the keys, and turns those off that are single letters. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn)
  const change = (next: boolean) => {
    turnSingleKeys(next)
    setOn(next)
  }
  const rows: [string, string[]][] = [
    ['Find', finderKeys],
    ['Search the list of this page', ['/']],
    ['Next row of a list', ['j']],
    ['Row before', ['k']],
    ...Object.entries(pageKeys).map(([letter, { title, isOfApplication }]): [string, string[]] => [
      isOfApplication ? `${title} of the open application` : title,
      ['g', letter],
    ]),
    ['These keys', ['?']],
  ]
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      <Stack>
        <table className={classes['keys']}>
          <tbody>
            {rows.map(([title, keys]) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                <td>
                  {keys.map((key, place) => (
                    <span key={place}>
                      {place > 0 && ' '}
                      <kbd className={classes['key']}>{key}</kbd>
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <Switch
          label="Single letters are shortcuts"
          description="In this browser. Turn it off if you speak your input."
          checked={isOn}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      </Stack>
    </Dialog>
  )
}
