import type { Build } from '@fairlead/contract'
import { Badge, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Download, GitBranch } from 'lucide-react'
import { AppIcon } from '../ui/AppIcon.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { ListRow, rowLink } from '../ui/ListRow.tsx'
import { When } from '../ui/When.tsx'
import classes from './build-row.module.css'

export function BuildRow({ build }: { build: Build }) {
  const {
    id,
    shortVersion,
    version,
    source,
    uploadedDate,
    uploadedBy,
    isExpired,
    isPinned,
    installCount,
    size,
    warnings,
    isInstallable,
  } = build
  return (
    <ListRow
      icon={<AppIcon {...build} size={36} />}
      title={
        <Group gap={8}>
          <Link to="/builds/$buildId" params={{ buildId: id }} className={rowLink}>
            {shortVersion} <span className={classes['number']}>({version})</span>
          </Link>
          {isPinned && <Badge color="harbor">Pinned</Badge>}
          {isExpired && <Badge color="gray">Link expired</Badge>}
          {!isInstallable && (
            <Badge color="red" title={warnings[0]}>
              Cannot be installed
            </Badge>
          )}
          {isInstallable && warnings.length > 0 && (
            <Badge color="orange">{formatCount(warnings.length, 'warning')}</Badge>
          )}
          {build.distributionGroups.map((group) => (
            <Badge key={group.id} color="gray">
              {group.name}
            </Badge>
          ))}
        </Group>
      }
      sub={
        <span className={classes['facts']}>
          {source && source.branch !== null && (
            <span className={classes['fact']}>
              <GitBranch size={13} aria-label="Branch" />
              {source.branch}
              {source.commit !== null && <code>{source.commit.slice(0, 8)}</code>}
            </span>
          )}
          <span>{formatBytes(size)}</span>
          <span className={classes['fact']}>
            <Download size={13} aria-label="Installs" />
            {installCount}
          </span>
        </span>
      }
      side={
        <>
          <div>
            <When date={uploadedDate} />
          </div>
          <div className={classes['by']}>{uploadedBy}</div>
        </>
      }
    />
  )
}
