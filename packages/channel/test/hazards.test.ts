import { join } from 'node:path'
import { launch } from '@fairlead/channel/test'
import { testHazards } from './hazard-cases.ts'

const appPath = join(import.meta.dirname, 'apps', 'hazards.ts')

testHazards({ launch: () => launch({ command: process.execPath, args: [appPath] }), isNode: true, startsInOrder: true })
