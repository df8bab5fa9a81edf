/** The descriptions of the tags. Every tag of a route needs a line here. */
const descriptions: Record<string, string> = {
  Accounts: 'The account of a person: set-up, name and password',
  'API tokens': 'Tokens for CI and scripts',
  Applications: 'What builds belong to',
  'Audit log': 'Who did what in a workspace, and from where',
  Builds: 'Uploading, reading and distributing builds',
  Crashes: 'Crash keys, groups of crashes, single crashes and their statistics',
  'Distribution groups': 'Groups of testers that builds are distributed to',
  Hooks: 'Signed requests to other systems when something happens, and messages to chats',
  Invitations: 'Invitations of people to a workspace',
  'Latest links': 'Addresses that always show the newest build',
  Mails: 'The outbox of a workspace',
  Members: 'The people of a workspace and their roles',
  Retention: 'Rules that remove old builds, their runs, and the trash',
  'Server administration': 'Accounts and workspaces of the whole server, for its administrators',
  Sessions: 'Signing in and out',
  'Symbols files': 'Mappings and dSYMs, and crashes that are made readable with them',
  'Test runs': 'Uploads of test reports, their results and verdicts',
  Testers: 'The people who install builds',
  Tests: 'The history of tests, their failures and quarantines',
  'Two-factor sign-in': 'Codes of an authenticator app and recovery codes as a second factor',
  Workspaces: 'The settings of a workspace',
}

export const tags = Object.entries(descriptions).map(([name, description]) => ({ name, description }))
