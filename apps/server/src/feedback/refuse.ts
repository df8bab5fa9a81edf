import { ApiError } from '@fairlead/contract'

/**
 * Says what is wrong with a field of a form.
 *
 * @param source `text`, `contact`, or `pictures/` and the place of the picture from 0
 */
export function refuseFeedback(source: string, detail: string): ApiError {
  return new ApiError('unreadableFeedback', { detail: `The field ${source} ${detail}`, faults: [{ source, detail }] })
}
