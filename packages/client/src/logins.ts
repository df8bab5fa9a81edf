import type {
  ApproveLogin,
  Caller,
  FindLogin,
  LoginProgress,
  LoginRequest,
  PollLogin,
  StartedLogin,
  StartLogin,
} from '@fairlead/contract'
import type { CallOptions, Connection } from './connection.ts'

/** Logins of the command line that a person approves in a browser, and who calls. */
export function loginsOf({ request, send }: Connection) {
  return {
    start: (body: StartLogin, options?: CallOptions) =>
      request<StartedLogin>('POST', '/v1/loginRequests', { body, ...options }),
    poll: (body: PollLogin, options?: CallOptions) =>
      request<LoginProgress>('POST', '/v1/loginRequests/poll', { body, ...options }),
    find: (body: FindLogin, options?: CallOptions) =>
      request<LoginRequest>('POST', '/v1/loginRequests/find', { body, ...options }),
    approve: (body: ApproveLogin, options?: CallOptions) =>
      request<LoginRequest>('POST', '/v1/loginRequests/approve', { body, ...options }),
    refuse: (body: FindLogin, options?: CallOptions) =>
      request<LoginRequest>('POST', '/v1/loginRequests/refuse', { body, ...options }),
    getCaller: (options?: CallOptions) => request<Caller>('GET', '/v1/caller', options),
    /** Revokes the API token that the client has. */
    revokeCaller: (options?: CallOptions) => send('DELETE', '/v1/caller', options),
  }
}
