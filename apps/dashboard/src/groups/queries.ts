import { queryOptions } from '@tanstack/react-query'
import { client } from '../api/client.ts'

export const groupsQuery = queryOptions({ queryKey: ['groups'], queryFn: () => client.groups.list() })

export const groupQuery = (id: number) =>
  queryOptions({ queryKey: ['groups', id], queryFn: () => client.groups.get(id) })

export const groupTestersQuery = (id: number) =>
  queryOptions({ queryKey: ['groups', id, 'testers'], queryFn: () => client.groups.listTesters(id) })

export const testersQuery = queryOptions({ queryKey: ['testers'], queryFn: () => client.testers.list() })
