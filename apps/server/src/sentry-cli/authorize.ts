import { ApiError, type Role, roles } from '@fairlead/contract'
import type { FastifyRequest } from 'fastify'
import { readBearer } from '../api-tokens/bearer.ts'
import { findTokenCaller } from '../api-tokens/find-caller.ts'
import type { AppContext } from '../context.ts'
import type { Caller } from '../http/caller.ts'

/** Finds the caller by the API token that sentry-cli sends. @throws {ApiError} unauthorized, forbidden */
export async function requireCaller(
  context: Pick<AppContext, 'db' | 'memo'>,
  { headers }: FastifyRequest,
  needed: Role,
): Promise<Caller> {
  const token = readBearer(headers.authorization)
  const caller = token === undefined ? undefined : await findTokenCaller(context, token)
  if (!caller) {
    throw new ApiError('unauthorized', { detail: 'The Authorization header holds no valid API token' })
  }
  if (roles.indexOf(caller.role) < roles.indexOf(needed)) throw new ApiError('forbidden')
  return caller
}
