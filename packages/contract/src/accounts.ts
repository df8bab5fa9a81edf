import { z } from 'zod'
import { Email, Id, Instant, Label, Role } from './values.ts'
import { CreatedApiToken } from './api-tokens.ts'
import { FeedbackRule } from './feedback.ts'
import { ProviderKey } from './sign-in.ts'
import { text } from './text.ts'

export const Password = z.string().min(10).max(200)

export const Account = z
  .object({
    id: Id,
    email: text('mara@example.com'),
    name: text('Mara Lindqvist'),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

/**
 * The signed-in account. Requests are authenticated by the cookie `fairlead_session`. Writes must send `csrfToken` as
 * the header `X-CSRF-Token`. If the account has several workspaces, requests name one in `X-Fairlead-Workspace`.
 */
export const Session = z
  .object({
    account: Account,
    workspaces: z.array(
      z.object({
        id: Id,
        name: text('Harbour Apps'),
        role: Role,
        isTwoFactorRequired: z.boolean(),
        /** The provider through which members have to sign in; null for any way. */
        requiredProvider: ProviderKey.nullable(),
      }),
    ),
    hasTwoFactor: z.boolean(),
    /** `password`, or the key of the provider. */
    signedInBy: text('password'),
    /** Where the browser goes after signing out here, to sign out of the provider too; null if it has no such page. */
    logoutUrl: text('https://login.example.com/logout?client_id=fairlead').nullable(),
    /** Administrators of the server see all accounts and workspaces. */
    isServerAdmin: z.boolean(),
    csrfToken: text('b1f9c2d7a4e84f0c9d3a5e6f70812b4c'),
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** `code` comes from the authenticator app, or is a recovery code, if the account has two-factor sign-in. */
export const SignIn = z.object({
  email: text('mara@example.com').max(254),
  password: text('correct horse battery').max(200),
  code: text('492817').max(100).optional(),
})
export type SignIn = z.infer<typeof SignIn>

/** Body sent by the page behind the one-time set-up link of the first start. */
export const SetUp = z.object({
  code: text('Hn6Cm3Yd5Sf0Pg7Ae2Ui4Ok9XsMq7Jx2').max(200),
  email: Email,
  name: Label.meta({ examples: ['Mara Lindqvist'] }),
  password: Password.meta({ examples: ['correct horse battery'] }),
  workspaceName: Label.meta({ examples: ['Harbour Apps'] }),
})
export type SetUp = z.infer<typeof SetUp>

/**
 * Tells whether the server has its first workspace, after which the set-up link is of no use, and whether anybody has
 * an account: a workspace that was made with a token of the operator has none at first.
 */
export const SetUpState = z.object({ isDone: z.boolean(), hasAccount: z.boolean() }).meta({ id: 'SetUpState' })
export type SetUpState = z.infer<typeof SetUpState>

export const SetUpDone = z.object({ session: Session, apiToken: CreatedApiToken }).meta({ id: 'SetUpDone' })
export type SetUpDone = z.infer<typeof SetUpDone>

export const UpdateAccount = z.object({
  name: Label.optional().meta({ examples: ['Mara Lindqvist'] }),
  password: z
    .object({ current: z.string().max(200), next: Password })
    .optional()
    .meta({ examples: [{ current: 'correct horse battery', next: 'three plain words' }] }),
})
export type UpdateAccount = z.infer<typeof UpdateAccount>

export const RequestPasswordReset = z.object({
  email: text('mara@example.com').max(254),
})
export const RedeemPasswordReset = z.object({
  token: text('q7Jx2Vw9Lk4Rb8Tz1Hn6Cm3Yd5Sf0Pg7Ae2Ui4Ok9XsM').max(200),
  password: Password.meta({ examples: ['correct horse battery'] }),
})
export type RedeemPasswordReset = z.infer<typeof RedeemPasswordReset>

export const Member = z
  .object({
    accountId: Id.meta({ examples: [12] }),
    email: text('mara@example.com'),
    name: text('Mara Lindqvist'),
    role: Role,
    /** Whether a person gave the role, or a group of a provider, which takes it away from those who leave it. */
    roleSource: z.enum(['hand', 'group']).meta({ examples: ['hand'] }),
    createdDate: Instant,
    isVerified: z.boolean().meta({ examples: [true] }),
  })
  .meta({ id: 'Member' })
export type Member = z.infer<typeof Member>

export const UpdateMember = z.object({ role: Role })
export type UpdateMember = z.infer<typeof UpdateMember>

/**
 * `inviteUrl` is present only in the response that creates the invitation, and only on servers that send no mail: where
 * mails are sent, the link in the mail proves whose address it is.
 */
export const Invitation = z
  .object({
    id: Id,
    email: text('mara@example.com'),
    role: Role,
    createdDate: Instant,
    expirationDate: Instant.meta({ examples: ['2027-02-19T09:30:00.000Z'] }),
    inviteUrl: text(
      'https://fairlead.example.com/invitation?token=q7Jx2Vw9Lk4Rb8Tz1Hn6Cm3Yd5Sf0Pg7Ae2Ui4Ok9XsM',
    ).nullable(),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.infer<typeof Invitation>

export const CreateInvitation = z.object({ email: Email, role: Role })
export type CreateInvitation = z.infer<typeof CreateInvitation>

/**
 * Content of the page behind an invitation link, which is shown before signing in. `hasAccount` is null when the link
 * was not mailed, because only the owner of the address may learn whether it has an account.
 */
export const InvitationPreview = z
  .object({
    email: text('mara@example.com'),
    role: Role,
    workspaceName: text('Harbour Apps'),
    hasAccount: z.boolean().nullable(),
  })
  .meta({ id: 'InvitationPreview' })
export type InvitationPreview = z.infer<typeof InvitationPreview>

/** A new account gives a name and chooses a password; an existing account gives its password and its code. */
export const AcceptInvitation = z.object({
  token: text('q7Jx2Vw9Lk4Rb8Tz1Hn6Cm3Yd5Sf0Pg7Ae2Ui4Ok9XsM').max(200),
  code: text('492817').max(100).optional(),
  name: Label.optional().meta({ examples: ['Jo Castellanos'] }),
  password: text('correct horse battery').min(1).max(200),
})
export type AcceptInvitation = z.infer<typeof AcceptInvitation>

export const Workspace = z
  .object({
    id: Id,
    name: text('Harbour Apps'),
    linkLifetimeDays: z.int().meta({ examples: [90] }),
    /** Builds older than this many days are deleted; null keeps builds of any age. */
    retentionDays: z
      .int()
      .nullable()
      .meta({ examples: [365] }),
    /** Whether members have to sign in with a second factor. API tokens are not affected. */
    isTwoFactorRequired: z.boolean(),
    /** The provider through which members have to sign in; null for any way. API tokens are not affected. */
    requiredProvider: ProviderKey.nullable(),
    /** Whether coding agents that connect to `/mcp/write` may change things. */
    agentWrites: z.boolean().meta({ examples: [false] }),
    feedback: FeedbackRule,
    createdDate: Instant,
  })
  .meta({ id: 'Workspace' })
export type Workspace = z.infer<typeof Workspace>

export const UpdateWorkspace = z.object({
  name: Label.optional().meta({ examples: ['Harbour Apps'] }),
  linkLifetimeDays: z
    .int()
    .min(1)
    .max(3650)
    .optional()
    .meta({ examples: [90] }),
  retentionDays: z
    .int()
    .min(1)
    .max(3650)
    .nullish()
    .meta({ examples: [365] }),
  isTwoFactorRequired: z.boolean().optional(),
  requiredProvider: ProviderKey.nullish(),
  agentWrites: z
    .boolean()
    .optional()
    .meta({ examples: [false] }),
  feedback: FeedbackRule.optional(),
})
export type UpdateWorkspace = z.infer<typeof UpdateWorkspace>

export const CreateWorkspace = z.object({ name: Label.meta({ examples: ['Harbour Apps'] }) })
export type CreateWorkspace = z.infer<typeof CreateWorkspace>

export const Mail = z
  .object({
    id: Id,
    recipient: text('jo@example.com'),
    subject: text('Lighthouse 2.4.0 (412) is ready to install'),
    text: text(
      'Lighthouse 2.4.0 (412)\n\nhttps://fairlead.example.com/install/Zk3v8QmT1yXw5RbN7cHs2LdPf9JgA4Ue6VtKoBi0MnE\n',
    ),
    html: text(
      '<p>Lighthouse 2.4.0 (412)</p><a href="https://fairlead.example.com/install/Zk3v8QmT1yXw5RbN7cHs2LdPf9JgA4Ue6VtKoBi0MnE">Install</a>',
    ),
    status: z.enum(['waiting', 'sent', 'failed']).meta({ examples: ['sent'] }),
    error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    createdDate: Instant,
    sentDate: Instant.nullable(),
  })
  .meta({ id: 'Mail' })
export type Mail = z.infer<typeof Mail>

/** Whether the server sends mails. Mails are held that were written while it had no mail server. */
/** Asks for a mail that only shows that mails arrive. */
export const SendTestMail = z.object({ recipient: Email })
export type SendTestMail = z.infer<typeof SendTestMail>

/** The address that links of this server begin with. */
export const BaseUrlCheck = z
  .object({
    baseUrl: text('https://fairlead.example.com'),
    isLocal: z.boolean().meta({ description: 'Whether only the machine of the server reaches it', examples: [false] }),
    isSecure: z.boolean().meta({ description: 'Whether it is HTTPS, which iPhones need', examples: [true] }),
    checkUrl: text('https://fairlead.example.com/install/check/Zk3v8QmT1yXw5RbN7cHs2L').meta({
      description: 'A page that shows that the device which opens it reaches the server',
    }),
    cliUrl: text('https://fairlead.example.com/cli/fairlead-0.1.0.tgz')
      .nullable()
      .meta({ description: 'The packed command line that the server offers' }),
    checkedDate: Instant.nullable(),
    checkedDevice: z
      .enum(['android', 'ios', 'other'])
      .nullable()
      .meta({ examples: ['android'] }),
  })
  .meta({ id: 'BaseUrlCheck' })
export type BaseUrlCheck = z.infer<typeof BaseUrlCheck>

export const MailDelivery = z
  .object({ isConfigured: z.boolean(), heldCount: z.int().meta({ examples: [0] }) })
  .meta({ id: 'MailDelivery' })
export type MailDelivery = z.infer<typeof MailDelivery>
