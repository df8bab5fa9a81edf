/** Runs the action of the fastlane plug-in with Debian's Ruby, by the real command line, against a real server. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeApk } from '@fairlead/binary/fixture'
import { readJson } from '../../scripts/read-json.ts'
import { type Desk, openDesk } from '../cli/fairlead.ts'
import { token } from '../processes/server-process.ts'

const root = join(import.meta.dirname, '../..')
const plugin = join(root, 'integrations/fastlane/lib/fastlane/plugin/fairlead.rb')

/** What the action uses of fastlane, which Debian does not have. */
const fastlane = `
module FastlaneCore
  class ConfigItem
    attr_reader :key, :env_name, :optional
    def initialize(key:, env_name:, description:, optional: false, **_)
      raise 'no description' if description.empty?
      @key, @env_name, @optional = key, env_name, optional
    end
  end
end
module Fastlane
  module UI
    def self.message(text) = warn(text)
    def self.success(text) = warn(text)
  end
  module Actions
    CONTEXT = {}
    class Action
      def self.lane_context = CONTEXT
    end
  end
end
require ARGV[0]
action = Fastlane::Actions::FairleadUploadAction
given = JSON.parse(ARGV[1], symbolize_names: true)
# fastlane fills in what the environment has.
params = action.available_options.to_h { |item| [item.key, given.fetch(item.key) { ENV[item.env_name] }] }
action.run(params)
puts JSON.generate(Fastlane::Actions::CONTEXT)
`

describe('the fastlane plug-in', { timeout: 900_000, skip: findObstacle() }, () => {
  let desk: Desk
  before(async () => {
    desk = await openDesk()
    await desk.json('apps', 'create', 'shop', '--platform', 'android')
    await desk.json('groups', 'create', 'QA; echo x')
    await writeFile(join(desk.folder, 'app $(id).apk'), writeApk({ packageName: 'com.example.shop' }))
    await writeFile(join(desk.folder, 'fastlane.rb'), `require 'json'\n${fastlane}`)
  })
  after(() => desk[Symbol.asyncDispose]())
  const upload = (params: object, env: Record<string, string> = {}) =>
    spawnSync('ruby', [join(desk.folder, 'fastlane.rb'), plugin, JSON.stringify(params)], {
      cwd: desk.folder,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        FAIRLEAD_COMMAND: `${process.execPath} ${join(root, 'apps/cli/src/bin.ts')}`,
        FAIRLEAD_URL: desk.server.url,
        FAIRLEAD_TOKEN: token,
        ...env,
      },
    })

  it('uploads a build to groups and hands on its link, whatever characters names have', async () => {
    const { status, stdout, stderr } = upload({
      file: 'app $(id).apk',
      app: 'shop',
      groups: ['QA; echo x'],
      notes: 'a "b"',
    })
    assert.equal(status, 0, stderr)
    const handed = readJson<{ FAIRLEAD_BUILD_ID: number; FAIRLEAD_INSTALL_URL: string }>(stdout)
    const build = await desk.json('builds', 'show', String(handed.FAIRLEAD_BUILD_ID))
    assert.equal(build.installUrl, handed.FAIRLEAD_INSTALL_URL)
    assert.deepEqual([build.distributionGroups[0].name, build.releaseNotes], ['QA; echo x', 'a "b"'])
    assert.doesNotMatch(stderr, new RegExp(token))
  })

  it('fails the lane when the upload is refused, with the reason', () => {
    const refused = upload({ file: 'app $(id).apk', app: 'none' })
    assert.notEqual(refused.status, 0)
    assert.match(refused.stderr, /No application has the alias[^]*fairlead ended with 5/)
    assert.match(upload({ app: 'shop' }).stderr, /fairlead_upload needs file/)
  })
})

function findObstacle(): string | false {
  const missing = spawnSync('ruby', ['--version']).status === 0 ? false : "Debian's ruby"
  if (missing !== false) assert.notEqual(process.env['CI'], 'true', `nothing may be left out here: ${missing}`)
  return missing
}
