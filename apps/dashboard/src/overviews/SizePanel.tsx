import type { ApplicationOverview, BuildSize } from '@fairlead/contract'
import { Text } from '@mantine/core'
import { formatBytes } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Panel } from '../ui/Panel.tsx'
import classes from './overview.module.css'
import { formatBytesChange } from './size-change.ts'

const SizeChart = lazyPart(
  async () => (await import('./SizeChart.tsx')).SizeChart,
  <div className={classes['sizePlace']} />,
)

interface SizePanelProps {
  sizes: readonly BuildSize[]
  build: ApplicationOverview['newestBuild']
}

/** The sizes of the newest builds, and what the newest one changed. */
export function SizePanel({ sizes, build }: SizePanelProps) {
  return (
    <Panel title="Size">
      {build && build.sizeChange !== null && (
        <Text size="sm" c="dimmed" mb="xs">
          {formatBytes(build.size)},{' '}
          {build.sizeChange === 0
            ? 'as the build that it followed'
            : `${formatBytesChange(build.sizeChange)} against the build that it followed`}
        </Text>
      )}
      <SizeChart sizes={sizes} />
    </Panel>
  )
}
