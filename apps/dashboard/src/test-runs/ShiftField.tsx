import { Button, Group, TextInput } from '@mantine/core'

interface ShiftFieldProps {
  /** How much later than said the entries of the log are shown, in milliseconds. */
  shiftMs: number
  onShift: (shiftMs: number) => void
}

/** Moves the log against the video, for recordings that did not begin at the same moment. */
export function ShiftField({ shiftMs, onShift }: ShiftFieldProps) {
  return (
    <Group gap="xs" align="end">
      <TextInput
        type="number"
        step={0.1}
        size="xs"
        label="Move the log by seconds"
        value={shiftMs / 1000}
        onChange={(event) => {
          const seconds = event.currentTarget.valueAsNumber
          onShift(Number.isFinite(seconds) ? Math.round(seconds * 1000) : 0)
        }}
      />
      <Button size="xs" variant="default" onClick={() => onShift(shiftMs - 500)}>
        − 0.5 s
      </Button>
      <Button size="xs" variant="default" onClick={() => onShift(shiftMs + 500)}>
        + 0.5 s
      </Button>
    </Group>
  )
}
