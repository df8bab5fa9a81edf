import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readCiEnvironment } from './ci-environment.ts'

const commit = 'c0ffee0000000000000000000000000000000000'

const cases: Record<string, Record<string, string>> = {
  'GitHub Actions': {
    GITHUB_ACTIONS: 'true',
    GITHUB_HEAD_REF: 'feature/cart',
    GITHUB_REF: 'refs/pull/17/merge',
    GITHUB_REF_NAME: '17/merge',
    GITHUB_SHA: commit,
    GITHUB_SERVER_URL: 'https://ci.example',
    GITHUB_REPOSITORY: 'team/shop',
    GITHUB_RUN_ID: '99',
  },
  'GitLab CI': {
    GITLAB_CI: 'true',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature/cart',
    CI_MERGE_REQUEST_IID: '17',
    CI_COMMIT_SHA: commit,
    CI_JOB_URL: 'https://ci.example/team/shop/actions/runs/99',
  },
  Bitrise: {
    BITRISE_IO: 'true',
    BITRISE_GIT_BRANCH: 'feature/cart',
    BITRISE_PULL_REQUEST: '17',
    BITRISE_GIT_COMMIT: commit,
    BITRISE_BUILD_URL: 'https://ci.example/team/shop/actions/runs/99',
  },
  Jenkins: {
    JENKINS_URL: 'https://ci.example/',
    CHANGE_BRANCH: 'feature/cart',
    BRANCH_NAME: 'PR-17',
    CHANGE_ID: '17',
    GIT_COMMIT: commit,
    BUILD_URL: 'https://ci.example/team/shop/actions/runs/99',
  },
  CircleCI: {
    CIRCLECI: 'true',
    CIRCLE_BRANCH: 'feature/cart',
    CIRCLE_PULL_REQUEST: 'https://git.example/team/shop/pull/17',
    CIRCLE_SHA1: commit,
    CIRCLE_BUILD_URL: 'https://ci.example/team/shop/actions/runs/99',
  },
  Buildkite: {
    BUILDKITE: 'true',
    BUILDKITE_BRANCH: 'feature/cart',
    BUILDKITE_PULL_REQUEST: '17',
    BUILDKITE_COMMIT: commit,
    BUILDKITE_BUILD_URL: 'https://ci.example/team/shop/actions/runs/99',
  },
  'Xcode Cloud': {
    CI_XCODE_CLOUD: 'TRUE',
    CI_BRANCH: '',
    CI_PULL_REQUEST_SOURCE_BRANCH: 'feature/cart',
    CI_PULL_REQUEST_NUMBER: '17',
    CI_COMMIT: commit,
    CI_BUILD_URL: 'https://ci.example/team/shop/actions/runs/99',
  },
  'Bitbucket Pipelines': {
    BITBUCKET_BUILD_NUMBER: '99',
    BITBUCKET_BRANCH: 'feature/cart',
    BITBUCKET_COMMIT: commit,
    BITBUCKET_PR_ID: '17',
    BITBUCKET_GIT_HTTP_ORIGIN: 'https://ci.example/team/shop',
  },
  Codemagic: {
    CM_BUILD_ID: '99',
    CM_PROJECT_ID: '4',
    CM_BRANCH: 'feature/cart',
    CM_COMMIT: commit,
    CM_PULL_REQUEST_NUMBER: '17',
  },
}

const jobUrls: Record<string, string> = {
  'Bitbucket Pipelines': 'https://ci.example/team/shop/pipelines/results/99',
  Codemagic: 'https://codemagic.io/app/4/build/99',
}

describe('the CI environment', () => {
  for (const [service, env] of Object.entries(cases)) {
    it(`is read from the variables of ${service}, with the branch of the pull request`, () => {
      const { targetBranch: _target, job: _job, ...read } = readCiEnvironment(env) ?? assert.fail('not detected')
      assert.deepEqual(read, {
        service,
        branch: 'feature/cart',
        commit,
        pullRequest: '17',
        jobUrl: jobUrls[service] ?? 'https://ci.example/team/shop/actions/runs/99',
      })
    })
  }

  it('has the head commit of a pull request, not the merge commit that is checked out', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ci-'))
    const path = join(folder, 'event.json')
    const repo = { full_name: 'team/shop' }
    const event = { pull_request: { number: 17, head: { sha: commit, repo }, base: { sha: 'ba5e', repo } } }
    writeFileSync(path, JSON.stringify(event))
    const github = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_PATH: path, GITHUB_SHA: 'merge', GITHUB_HEAD_REF: 'cart' }
    for (const ref of ['refs/pull/17/merge', 'refs/heads/main']) {
      const read = readCiEnvironment({ ...github, GITHUB_REF: ref })
      assert.deepEqual([read?.commit, read?.branch, read?.pullRequest], [commit, 'cart', '17'], ref)
    }
    writeFileSync(path, '{"pull_request"')
    assert.equal(readCiEnvironment(github)?.commit, 'merge')
    rmSync(folder, { recursive: true })
    const gitlab = { GITLAB_CI: 'true', CI_COMMIT_SHA: 'merge', CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: commit }
    assert.equal(readCiEnvironment(gitlab)?.commit, commit)
  })

  it('is read from Azure Pipelines, whose refs are shortened to branches', () => {
    const env = {
      TF_BUILD: 'True',
      BUILD_SOURCEBRANCH: 'refs/heads/main',
      BUILD_SOURCEVERSION: commit,
      SYSTEM_COLLECTIONURI: 'https://ci.example/team/',
      SYSTEM_TEAMPROJECT: 'The Shop',
      BUILD_BUILDID: '99',
    }
    const { targetBranch: _target, job: _job, ...read } = readCiEnvironment(env) ?? assert.fail('not detected')
    assert.deepEqual(read, {
      service: 'Azure Pipelines',
      branch: 'main',
      commit,
      pullRequest: undefined,
      jobUrl: 'https://ci.example/team/The%20Shop/_build/results?buildId=99',
    })
  })

  it("is undefined on a developer's machine, and omits values that are not set", () => {
    assert.equal(readCiEnvironment({ CI: 'true', HOME: '/home/ada' }), undefined)
    const { branch, jobUrl, ...rest } = readCiEnvironment({ GITHUB_ACTIONS: 'true', GITHUB_HEAD_REF: '' }) ?? {}
    assert.deepEqual([branch, jobUrl, rest], [undefined, undefined, { ...rest, service: 'GitHub Actions' }])
  })

  it('has no branch in a GitHub job for a tag', () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1.0' }
    assert.equal(readCiEnvironment(env)?.branch, undefined)
  })
})
