import { ApiError } from '@fairlead/contract'
import { isForeignKeyViolation } from '../db/foreign-key.ts'

/**
 * Explains that an upload could not be stored because its application was deleted meanwhile, and throws other errors
 * on.
 *
 * @throws {ApiError} aliasNotFound
 */
export function refuseWhenDeleted(error: unknown): never {
  if (!isForeignKeyViolation(error)) throw error
  throw new ApiError('aliasNotFound', { cause: error })
}
