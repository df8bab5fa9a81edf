import type { LatestLink } from '@fairlead/contract'
import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import panel from '../builds/install-panel.module.css'
import { CopyField } from '../ui/CopyField.tsx'
import { formatDay } from '../ui/format.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { LocalAddressNote } from '../ui/LocalAddressNote.tsx'
import { useIsIdle } from '../ui/when-idle.ts'
import classes from './latest-link-card.module.css'

const qrCodeSize = 124

const placeholder = <span style={{ width: qrCodeSize, height: qrCodeSize }} />

const QrCode = lazyPart(async () => (await import('../ui/QrCode.tsx')).QrCode, placeholder)

/** Shows a latest link with its QR code, what it shows now, and the buttons that change it. */
export function LatestLinkCard({ link, children }: { link: LatestLink; children: ReactNode }) {
  const { name, url, build, hasPassword, isRevoked, expirationDate } = link
  const isIdle = useIsIdle()
  const isExpired = expirationDate !== null && Date.parse(expirationDate) <= Date.now()
  return (
    <article className={classes['root']} aria-label={name}>
      <div className={panel['root']}>
        {isIdle ? <QrCode text={url} label={`QR code of ${name}`} size={qrCodeSize} /> : placeholder}
        <Stack gap="xs" className={panel['text']}>
          <Group gap={8}>
            <Title order={3} size="h4" className="break">
              {name}
            </Title>
            {isRevoked && <Badge color="red">Revoked</Badge>}
            {isExpired && <Badge color="red">Expired</Badge>}
            {hasPassword && <Badge color="harbor">Password</Badge>}
          </Group>
          <Text size="sm" c="dimmed" className="break">
            {describeScope(link)}
            {expirationDate !== null && !isExpired && ` Until ${formatDay(expirationDate)}.`}
          </Text>
          <Text size="sm" className="break">
            {build === null ? (
              'Nothing to install yet.'
            ) : (
              <>
                Shows{' '}
                <Anchor component={Link} to={`/builds/${build.id}`} size="sm" underline="always">
                  {build.shortVersion} ({build.version})
                </Anchor>
                , uploaded {formatDay(build.uploadedDate)}
              </>
            )}
          </Text>
          <CopyField aria-label={`address of ${name}`} value={url} />
          <LocalAddressNote url={url} />
          {!hasPassword && (
            <CopyField
              label="Badge for a README"
              value={`[![latest build](${url}/badge.svg)](${url})`}
              aria-label={`badge of ${name}`}
            />
          )}
          {children}
        </Stack>
      </div>
    </article>
  )
}

function describeScope({ distributionGroup: group, branch, follows }: LatestLink): string {
  const builds = branch === null ? 'build' : `build of the branch ${branch}`
  if (follows === 'uploaded') return `The newest ${builds}, as soon as it is uploaded.`
  return `The newest ${builds} that was distributed${group === null ? '' : ` to ${group.name}`}.`
}
