import { accessOf } from './access.ts'
import { alertsOf } from './alerts.ts'
import { apiTokensOf } from './api-tokens.ts'
import { applicationsOf } from './applications.ts'
import { buildsOf } from './builds.ts'
import { type ConnectionOptions, openConnection } from './connection.ts'
import { crashesOf } from './crashes.ts'
import { devicesOf } from './devices.ts'
import { eventsOf } from './events.ts'
import { feedbackOf } from './feedback.ts'
import { groupsOf } from './groups.ts'
import { hooksOf } from './hooks.ts'
import { latestLinksOf } from './latest-links.ts'
import { loginsOf } from './logins.ts'
import { mailsOf } from './mails.ts'
import { membersOf } from './members.ts'
import { retentionOf } from './retention.ts'
import { securityOf } from './security.ts'
import { symbolsOf } from './symbols.ts'
import { testersOf } from './testers.ts'
import { testsOf } from './tests.ts'
import { uploadsOf } from './uploads.ts'
import { workspaceOf } from './workspace.ts'

/**
 * The API of a Fairlead server, one object per resource, one function per endpoint.
 * Every function throws `RequestError` if the answer is not a success or if no answer comes.
 */
export function createClient(options: ConnectionOptions) {
  const connection = openConnection(options)
  return {
    access: accessOf(connection),
    alerts: alertsOf(connection),
    apiTokens: apiTokensOf(connection),
    applications: applicationsOf(connection),
    builds: buildsOf(connection),
    crashes: crashesOf(connection),
    devices: devicesOf(connection),
    events: eventsOf(connection),
    feedback: feedbackOf(connection),
    groups: groupsOf(connection),
    hooks: hooksOf(connection),
    latestLinks: latestLinksOf(connection),
    logins: loginsOf(connection),
    mails: mailsOf(connection),
    members: membersOf(connection),
    retention: retentionOf(connection),
    security: securityOf(connection),
    symbols: symbolsOf(connection),
    testers: testersOf(connection),
    tests: testsOf(connection),
    uploads: uploadsOf(connection),
    workspace: workspaceOf(connection),
  }
}

export type Client = ReturnType<typeof createClient>
