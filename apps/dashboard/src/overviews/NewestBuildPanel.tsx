import type { ApplicationOverview } from '@fairlead/contract'
import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { toShortCommit } from '../applications/short-commit.ts'
import { CopyField } from '../ui/CopyField.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { AnchorLink } from '../ui/links.tsx'
import { LocalAddressNote } from '../ui/LocalAddressNote.tsx'
import { Panel } from '../ui/Panel.tsx'
import { When } from '../ui/When.tsx'
import { useIsIdle } from '../ui/when-idle.ts'
import { VerdictBadge } from '../verdicts/VerdictBadge.tsx'
import { BuildVerdictLine } from './BuildVerdictLine.tsx'
import classes from './overview.module.css'
import { LatestLinksLine } from './LatestLinksLine.tsx'
import { NewestBuildActions } from './NewestBuildActions.tsx'
import { formatBytesChange } from './size-change.ts'

const qrCodeSize = 116
const QrCode = lazyPart(async () => (await import('../ui/QrCode.tsx')).QrCode)

type NewestBuild = NonNullable<ApplicationOverview['newestBuild']>

export function NewestBuildPanel({ applicationId, build }: { applicationId: number; build: NewestBuild }) {
  const isIdle = useIsIdle()
  const { branch, commit, missingSymbolsCount: missing, sizeChange } = build
  const buildId = build.id
  return (
    <Panel title="Newest build" actions={<NewestBuildActions buildId={buildId} isExpired={build.isExpired} />}>
      <div className={classes['build']}>
        <div className={classes['qr']}>
          {isIdle && <QrCode text={build.installUrl} label="QR code of the install link" size={qrCodeSize} />}
        </div>
        <Stack gap={6} miw={0} className={classes['text']}>
          <Group gap="xs">
            <AnchorLink to="/builds/$buildId" params={{ buildId }} fz="xl" fw={620} className="break">
              {build.shortVersion} ({build.version})
            </AnchorLink>
            {build.verdict !== null && <VerdictBadge result={build.verdict} />}
            {build.isExpired && <Badge color="orange">Link expired</Badge>}
            {missing !== null && missing > 0 && <Badge color="orange">Symbols missing</Badge>}
          </Group>
          <Text size="sm" c="dimmed" className="break">
            <When date={build.uploadedDate} />
            {branch !== null && ` · ${branch}`}
            {commit !== null && ` · ${toShortCommit(commit)}`}
            {` · ${formatBytes(build.size)}`}
            {sizeChange !== null && sizeChange !== 0 && ` (${formatBytesChange(sizeChange)})`}
            {missing !== null && missing > 0 && ` · ${formatCount(missing, 'image')} without symbols`}
          </Text>
          <BuildVerdictLine applicationId={applicationId} build={build} />
          <CopyField aria-label="install link" value={build.installUrl} />
          <LocalAddressNote url={build.installUrl} />
          <Group gap="md">
            <Anchor href={build.installUrl} target="_blank" rel="noopener" size="sm">
              Open the install page
            </Anchor>
            <AnchorLink to="/builds/$buildId" params={{ buildId }} size="sm">
              Open the build
            </AnchorLink>
          </Group>
          <LatestLinksLine applicationId={applicationId} />
        </Stack>
      </div>
    </Panel>
  )
}
