import { runAsWorker } from 'synckit'

runAsWorker(async (content: unknown) => content)
