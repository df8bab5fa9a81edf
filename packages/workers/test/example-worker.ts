import { answerRequests } from '@fairlead/workers'

answerRequests(async (text: string) => {
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.length : 0
})
