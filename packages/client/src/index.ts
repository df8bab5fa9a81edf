/** The resources that the functions of the client return. */
export type {
  Account,
  ApiToken,
  Application,
  AttachmentOfResult,
  AuditEvent,
  Badge,
  Branch,
  Build,
  CodeOwners,
  Crash,
  CrashGroup,
  CrashGroupStatistics,
  CrashIntake,
  CrashKey,
  CrashRules,
  CrashSummary,
  CrashTestFailure,
  CreatedApiToken,
  DistributionGroup,
  FailureGroupOfRun,
  InstallLink,
  InstallStatistics,
  Invitation,
  InvitationPreview,
  Mail,
  MailDelivery,
  Member,
  MissingSymbols,
  OpenSession,
  Quarantine,
  RecoveryCodes,
  ResultOfTest,
  ServerAccount,
  ServerWorkspace,
  Session,
  SetUpDone,
  SetUpState,
  Stability,
  SymbolicatedCrash,
  SymbolsFile,
  Test,
  TestComparison,
  TestDuration,
  TestFailure,
  TestFailureGroup,
  TestReport,
  TestResult,
  TestRun,
  TestSplit,
  TestTimeline,
  Tester,
  TwoFactor,
  TwoFactorSecret,
  Verdict,
  Workspace,
} from '@fairlead/contract'
export type { Binary, OpenBinary, OpenBinaryOptions } from './binary.ts'
export type { BuildUpload } from './builds.ts'
export { type Client, createClient } from './client.ts'
export { type CallOptions, type Connection, type ConnectionOptions, openConnection } from './connection.ts'
export type { Page, Paging } from './page.ts'
export { RequestError } from './request-error.ts'
export type { Retry } from './retry.ts'
export type { SymbolsUpload } from './symbols.ts'
export type { TestReportUpload } from './tests.ts'
export type { Transmission, TransmissionAnswer, Transmit, UploadFile, UploadProgress } from './transport/transport.ts'
export { UploadAborted } from './upload-aborted.ts'
export type { UploadOptions } from './upload.ts'
