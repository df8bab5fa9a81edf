/**
 * The names of the actions that the audit log records, by method and route. A test checks that every writing route has
 * a name, or null if its requests are not recorded.
 */
export const auditActions: Record<string, string | null> = {
  'POST /v1/setup': null,
  'POST /v1/session': 'session.start',
  'DELETE /v1/session': 'session.end',
  'DELETE /v1/sessions': 'session.endAll',
  'DELETE /v1/sessions/:sessionId': 'session.endOne',
  'PATCH /v1/account': 'account.update',
  'POST /v1/twoFactor': null,
  'POST /v1/twoFactor/confirm': 'twoFactor.enable',
  'DELETE /v1/twoFactor': 'twoFactor.disable',
  'POST /v1/twoFactor/recoveryCodes': 'twoFactor.renewCodes',
  'POST /v1/passwordResets': null,
  'POST /v1/passwordResets/redeem': 'account.resetPassword',
  'POST /v1/workspaces': 'workspace.create',
  'PATCH /v1/workspace': 'workspace.update',
  'POST /v1/applications': 'application.create',
  'PATCH /v1/applications/:applicationId': 'application.update',
  'DELETE /v1/applications/:applicationId': 'application.delete',
  'POST /v1/applications/:applicationId/symbolicate': null,
  'POST /v2/builds': 'build.upload',
  // Only the request that makes the build is recorded.
  'POST /v2/uploads': 'build.upload',
  'PATCH /v2/uploads/:uploadId': 'build.upload',
  'POST /v2/uploads/:uploadId': 'build.upload',
  'DELETE /v2/uploads/:uploadId': null,
  'PATCH /v2/builds/:buildId': 'build.update',
  'DELETE /v1/builds/:buildId': 'build.delete',
  'POST /v1/builds/:buildId/distribute': 'build.distribute',
  'PATCH /v1/builds/:buildId/installLink': 'installLink.update',
  'POST /v2/symbolsFiles': 'symbolsFile.upload',
  'DELETE /v1/symbolsFiles/:symbolsFileId': 'symbolsFile.delete',
  'POST /v1/distributionGroups': 'distributionGroup.create',
  'PATCH /v1/distributionGroups/:distributionGroupId': 'distributionGroup.update',
  'DELETE /v1/distributionGroups/:distributionGroupId': 'distributionGroup.delete',
  'POST /v1/distributionGroups/:distributionGroupId/testers': 'tester.add',
  'DELETE /v1/distributionGroups/:distributionGroupId/testers/:testerId': 'tester.removeFromGroup',
  'DELETE /v1/testers/:testerId': 'tester.delete',
  'POST /v1/apiTokens': 'apiToken.create',
  'DELETE /v1/apiTokens/:apiTokenId': 'apiToken.revoke',
  'POST /v1/invitations': 'invitation.create',
  'POST /v1/invitations/accept': 'member.join',
  'DELETE /v1/invitations/:invitationId': 'invitation.revoke',
  'PATCH /v1/members/:accountId': 'member.update',
  'DELETE /v1/members/:accountId': 'member.remove',
  'POST /v1/mails/:mailId/retry': 'mail.retry',
  'POST /v1/mailDelivery/sendHeld': 'mail.sendHeld',
  'POST /v1/mailDelivery/discardHeld': 'mail.discardHeld',
  'POST /v1/applications/:applicationId/crashKeys': 'crashKey.create',
  'PATCH /v1/applications/:applicationId/crashKeys/:crashKeyId': 'crashKey.update',
  'PUT /v1/applications/:applicationId/crashRules': 'crashRules.update',
  'DELETE /v1/applications/:applicationId/crashes': 'crash.deleteByInstall',
  // Apps send many crashes a minute, and the crash groups count them, so the audit log does not.
  'POST /v1/applications/:applicationId/crashes': null,
  'PATCH /v1/crashGroups/:crashGroupId': 'crashGroup.update',
  'POST /v1/crashGroups/:crashGroupId/merge': 'crashGroup.merge',
  'POST /v1/crashGroups/:crashGroupId/split': 'crashGroup.split',
  'POST /v1/testReports': 'testReport.upload',
  'POST /v1/testRuns/:testRunId/complete': 'testRun.complete',
  'PUT /v1/applications/:applicationId/owners': 'codeOwners.replace',
  'POST /v1/applications/:applicationId/badge': 'badge.create',
  'DELETE /v1/applications/:applicationId/badge': 'badge.revoke',
  'PATCH /v1/tests/:testId': 'test.update',
  'POST /v1/applications/:applicationId/quarantine': 'quarantine.create',
  'DELETE /v1/applications/:applicationId/quarantine/:quarantineId': 'quarantine.delete',
}

/**
 * Returns the action of a route, or null when it is not recorded. A writing route that the table lacks is recorded by
 * its method and path, so that nothing is missed.
 */
export function findAuditAction(method: string, url: string): string | null {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return null
  const key = `${method} ${url}`
  return key in auditActions ? (auditActions[key] ?? null) : key
}
