import { z } from 'zod'
import { Account } from './accounts.ts'
import { CreatedApiToken } from './api-tokens.ts'
import { text } from './text.ts'
import { Id, Instant, Label, Role } from './values.ts'

const ComputerName = Label.max(100).meta({ examples: ['mara-laptop'] })

/** Eight letters in two halves, as a person types them; case and separators do not matter. */
const UserCode = text('WDJB-MJHT').min(1).max(40)

/** Asks for a login that a person approves in a browser: the device authorization grant of RFC 8628. */
export const StartLogin = z.object({
  /** The name of the computer, which the person who approves is shown. */
  name: ComputerName,
})
export type StartLogin = z.infer<typeof StartLogin>

/** The only response that contains the two codes. */
export const StartedLogin = z
  .object({
    /** The secret by which the command line asks for the outcome. */
    deviceCode: text('q7Jx2Vw9Lk4Rb8Tz1Hn6Cm3Yd5Sf0Pg7Ae2Ui4Ok9Xs'),
    /** What the person types on the page, or compares with it. */
    userCode: text('WDJB-MJHT'),
    /** The page where the person types the code. */
    verificationUrl: text('https://fairlead.example.com/login'),
    /** The same page with the code in it. */
    completeVerificationUrl: text('https://fairlead.example.com/login?code=WDJB-MJHT'),
    expirationDate: Instant,
    /** How long to wait between two questions about the outcome. */
    intervalSeconds: z.int().meta({ examples: [5] }),
  })
  .meta({ id: 'StartedLogin' })
export type StartedLogin = z.infer<typeof StartedLogin>

export const PollLogin = z.object({
  deviceCode: text('q7Jx2Vw9Lk4Rb8Tz1Hn6Cm3Yd5Sf0Pg7Ae2Ui4Ok9Xs').max(200),
})
export type PollLogin = z.infer<typeof PollLogin>

/** The outcome of a login. `slowDown` says that the question came too early, and that the interval has grown. */
export const LoginProgress = z
  .object({
    state: z.enum(['waiting', 'slowDown', 'approved', 'refused', 'expired']).meta({ examples: ['waiting'] }),
    intervalSeconds: z.int().meta({ examples: [5] }),
    /** Present in one answer only, the first one after the approval. */
    apiToken: CreatedApiToken.nullable(),
  })
  .meta({ id: 'LoginProgress' })
export type LoginProgress = z.infer<typeof LoginProgress>

export const FindLogin = z.object({ userCode: UserCode })
export type FindLogin = z.infer<typeof FindLogin>

/** A login that waits for an approval, as the person sees it who may approve. */
export const LoginRequest = z
  .object({
    name: text('mara-laptop'),
    /** The IP address that asked. */
    address: text('203.0.113.7').nullable(),
    userAgent: text('fairlead/0.1.0 node/26.10.0').nullable(),
    createdDate: Instant,
    expirationDate: Instant,
  })
  .meta({ id: 'LoginRequest' })
export type LoginRequest = z.infer<typeof LoginRequest>

/** The workspace and the role of the token, which must not be wider than the role of the person. */
export const ApproveLogin = FindLogin.extend({
  workspaceId: Id,
  role: Role,
  /** When the token expires; null for never. */
  expirationDate: z.iso
    .datetime({ offset: true })
    .nullish()
    .meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
})
export type ApproveLogin = z.infer<typeof ApproveLogin>

/** Who calls: an API token, or an account by its session. */
export const Caller = z
  .object({
    kind: z.enum(['token', 'account']).meta({ examples: ['token'] }),
    /** The name of the token, or of the account. */
    name: text('fairlead on mara-laptop'),
    role: Role,
    workspace: z.object({ id: Id, name: text('Harbour Apps') }),
    /** The person behind a session, or behind a token that a login made; null for other tokens. */
    account: Account.nullable(),
    apiTokenId: Id.nullable(),
    /** Whether a login of the command line made the token. It ends when the person leaves the workspace. */
    isLogin: z.boolean(),
    /** When the token expires; null for a session, and for a token that does not. */
    expirationDate: Instant.nullable(),
  })
  .meta({ id: 'Caller' })
export type Caller = z.infer<typeof Caller>
