import { queryOptions } from '@tanstack/react-query'
import { takeEarly } from '../early/early-answers.ts'
import { applicationRequest, applicationsRequest } from '../early/requests.ts'

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: () => takeEarly(applicationsRequest),
})

export const applicationQuery = (id: number) =>
  queryOptions({ queryKey: ['applications', id], queryFn: () => takeEarly(applicationRequest(id)) })
