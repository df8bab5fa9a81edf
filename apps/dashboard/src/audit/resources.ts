/** The resources that the audit log can be filtered by: the part of an action before its dot. */
export const auditResources = [
  { value: 'session', label: 'Sign-ins' },
  { value: 'account', label: 'Accounts' },
  { value: 'twoFactor', label: 'Two-factor sign-in' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'apiToken', label: 'API tokens' },
  { value: 'application', label: 'Applications' },
  { value: 'build', label: 'Builds' },
  { value: 'installLink', label: 'Install links' },
  { value: 'latestLink', label: 'Latest links' },
  { value: 'symbolsFile', label: 'Symbols files' },
  { value: 'distributionGroup', label: 'Distribution groups' },
  { value: 'tester', label: 'Testers' },
  { value: 'hook', label: 'Hooks' },
  { value: 'mail', label: 'Mails' },
  { value: 'workspace', label: 'Workspace' },
]
