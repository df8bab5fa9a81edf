import { queryOptions } from '@tanstack/react-query'
import { takeEarly } from '../early/early-answers.ts'
import { applicationRequest, applicationsRequest } from '../early/requests.ts'

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: () => takeEarly(applicationsRequest.key, applicationsRequest.ask),
})

export const applicationQuery = (id: number) => {
  const { key, ask } = applicationRequest(id)
  return queryOptions({ queryKey: ['applications', id], queryFn: () => takeEarly(key, ask) })
}
