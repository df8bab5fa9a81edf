import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SourceFrame } from './frame-path.ts'
import { listPathEnds } from './frame-path.ts'
import { type RankedCommit, rankCommits } from './rank-commits.ts'
import type { TouchedFile } from './touched-file.ts'

const gate = 'app/src/main/kotlin/org/tarn/sync/Gate.kt'

function frame(index: number, fields: Partial<SourceFrame> = {}): SourceFrame {
  return { index, function: null, className: 'org.tarn.sync.Gate', file: 'Gate.kt', line: 40, ...fields }
}

function file(path: string, hunks: TouchedFile['hunks'] = null, rest: Partial<TouchedFile> = {}): TouchedFile {
  return { path, previousPath: null, status: 'M', hunks, ...rest }
}

function commit(hash: string, files: TouchedFile[], fileCount = files.length): RankedCommit {
  return { hash, buildId: 1, files, fileCount }
}

function rank(commits: RankedCommit[], frames: SourceFrame[] = [frame(0)], distance = 0) {
  return rankCommits([{ distance, frames, commits }]).map(({ commit: { hash }, score, reasons }) => ({
    hash,
    score,
    code: reasons[0]?.code,
    frame: reasons[0]?.frame,
  }))
}

const order = (commits: RankedCommit[], frames?: SourceFrame[]) => rank(commits, frames).map(({ hash }) => hash)

describe('the ranking of commits', () => {
  it('puts a hunk with the line before the same file elsewhere, the name alone and the folder', () => {
    const ranked = rank([
      commit('folder', [file('app/src/main/kotlin/org/tarn/sync/Other.kt')]),
      commit('elsewhere', [file(gate, [[90, 4]])]),
      commit('unknown lines', [file(gate)]),
      commit('line', [file(gate, [[38, 1]])]),
    ])
    assert.deepEqual(
      ranked.map(({ hash, score, code }) => [hash, score, code]),
      [
        ['line', 1, 'line'],
        ['unknown lines', 0.8, 'file'],
        ['elsewhere', 0.6, 'file'],
        ['folder', 0.15, 'directory'],
      ],
    )
  })

  it('takes a hunk that is at most three lines away, and no further', () => {
    assert.equal(rank([commit('a', [file(gate, [[43, 2]])])])[0]?.code, 'line')
    assert.equal(rank([commit('a', [file(gate, [[44, 2]])])])[0]?.code, 'file')
    assert.equal(rank([commit('a', [file(gate, [[36, 2]])])])[0]?.code, 'line')
    assert.equal(rank([commit('a', [file(gate, [[35, 2]])])])[0]?.code, 'file')
  })

  it('lets the longest end of a path win, and shares the score of files that fit equally well', () => {
    const far = 'lib/src/main/kotlin/com/other/sync/Gate.kt'
    assert.deepEqual(order([commit('far', [file(far)]), commit('near', [file(gate)])]), ['near'])
    const twin = 'wear/src/main/kotlin/org/tarn/sync/Gate.kt'
    const shared = rank([commit('twin', [file(twin)]), commit('one', [file(gate)])])
    assert.deepEqual(
      shared.map(({ score }) => score),
      [0.4, 0.4],
    )
  })

  it('knows Kotlin projects that leave out the common package', () => {
    assert.equal(rank([commit('short', [file('src/sync/Gate.kt', [[40, 1]])])])[0]?.code, 'line')
    assert.equal(rank([commit('name', [file('src/Gate.kt', [[40, 1]])])])[0]?.code, 'fileName')
  })

  it('takes a name for a file if the frame knows no more, and shares it among all files of that name', () => {
    const bare = [frame(0, { className: null, file: 'chain.c', line: 12 })]
    const one = commit('one', [file('Sources/kit/chain.c', [[12, 1]])])
    const ranked = rank([commit('elsewhere', [file('Sources/kit/chain.c', [[90, 1]])]), one], bare)
    assert.deepEqual(
      ranked.map(({ hash, score, code }) => [hash, score, code]),
      [
        ['one', 1, 'line'],
        ['elsewhere', 0.6, 'file'],
      ],
    )
    assert.equal(rank([one, commit('other', [file('Tests/chain.c')])], bare)[0]?.score, 0.5)
  })

  it('weighs frames further out less, and names the frame that led to the commit', () => {
    const caller = frame(3, { className: 'org.tarn.ui.Screen', file: 'Screen.kt', line: 7 })
    const ranked = rank([commit('caller', [file('src/org/tarn/ui/Screen.kt', [[7, 1]])])], [frame(0), caller])
    assert.deepEqual(ranked, [{ hash: 'caller', score: 0.6, code: 'line', frame: 3 }])
  })

  it('does not let a commit that touches everything win', () => {
    const many = commit('reformat', [file(gate, [[1, 200]])], 300)
    assert.deepEqual(order([many, commit('fix', [file(gate, [[80, 2]])])]), ['fix', 'reformat'])
  })

  it('halves the score for each build before the first one that failed, and takes each commit once', () => {
    const frames = [frame(0)]
    const one = commit('one', [file(gate, [[40, 1]])])
    const ranked = rankCommits([
      { distance: 0, frames, commits: [] },
      { distance: 1, frames, commits: [one] },
      { distance: 2, frames, commits: [one, commit('two', [file(gate, [[40, 1]])])] },
    ])
    assert.deepEqual(
      ranked.map(({ commit: { hash }, score }) => [hash, score]),
      [
        ['one', 0.5],
        ['two', 0.25],
      ],
    )
  })

  it('of equal scores takes the newer commit first, at most five, and none under the lowest score', () => {
    const commits = Array.from({ length: 7 }, (_, place) => commit(`c${place}`, [file(gate, [[40, 1]])]))
    assert.deepEqual(order(commits), ['c0', 'c1', 'c2', 'c3', 'c4'])
    const folder = 'src/org/tarn/sync/Other.kt'
    assert.deepEqual(order([commit('huge', [file(folder)], 1000)]), [])
  })

  it('follows a hunk that newer commits have moved down', () => {
    const newer = commit('newer', [file(gate, [[2, 30]])])
    const older = commit('older', [file(gate, [[10, 1]])])
    assert.deepEqual(
      rank([newer, older]).map(({ hash, code }) => [hash, code]),
      [
        ['older', 'line'],
        ['newer', 'file'],
      ],
    )
  })

  it('matches a renamed file by both names, and never a deleted one', () => {
    const renamed = file('src/org/tarn/sync/Door.kt', null, { status: 'R', previousPath: 'src/org/tarn/sync/Gate.kt' })
    assert.deepEqual(order([commit('renamed', [renamed])]), ['renamed'])
    assert.deepEqual(order([commit('deleted', [file(gate, null, { status: 'D' })])]), [])
  })

  it('follows a file to the names that it had before it was renamed, with its lines', () => {
    const [first, second] = ['src/org/tarn/old/Port.kt', 'src/org/tarn/doors/Door.kt']
    const commits = [
      commit('last move', [file(gate, [[2, 30]], { status: 'R', previousPath: second })]),
      commit('first move', [file(second, [], { status: 'R', previousPath: first })]),
      commit('line', [file(first, [[10, 1]])]),
      commit('elsewhere', [file(first, [[90, 1]])]),
      commit('other', [file('src/org/tarn/old/Ports.kt', [[40, 1]])]),
    ]
    assert.deepEqual(
      rank(commits).map(({ hash, code }) => [hash, code]),
      [
        ['line', 'line'],
        ['last move', 'file'],
        ['first move', 'file'],
        ['elsewhere', 'file'],
      ],
    )
    // A file that got the old name later is another one.
    const reused = commit('reused', [file(second, [[40, 1]])])
    assert.deepEqual(order([reused, ...commits]).includes('reused'), false)
  })

  it('has no suspects without a file of the app', () => {
    assert.deepEqual(order([commit('a', [file(gate)])], []), [])
    assert.deepEqual(order([commit('a', [file(gate)])], [frame(0, { className: null, file: null })]), [])
  })
})

describe('the file of a frame', () => {
  const cases: [className: string | null, file: string | null, ends: string[]][] = [
    ['org.x.sync.Gate$inner$1', 'Gate.kt', ['org/x/sync/Gate.kt', 'org/x/sync/Gate.java']],
    ['org.x.Gate$$ExternalSyntheticLambda0', 'SourceFile', ['org/x/Gate.kt', 'org/x/Gate.java']],
    ['org.x.GateKt', null, ['org/x/Gate.kt', 'org/x/GateKt.kt', 'org/x/GateKt.java']],
    ['Main', 'Unknown Source', ['Main.kt', 'Main.java']],
    [null, '/Users/…/kit/Sources/kit/../include/chain.h', ['Users/…/kit/Sources/include/chain.h']],
    [null, '/b/DerivedData/Shop/Build/x.swift', []],
    [null, '/b/Pods/Alamofire/Session.swift', []],
    [null, '/usr/include/c++/12/vector', []],
    [null, '<compiler-generated>', []],
    [null, '/home/ci/work/Sources/Cart/Cart.swift', ['home/ci/work/Sources/Cart/Cart.swift']],
    [null, 'package:shop/src/a.dart', ['lib/src/a.dart']],
    [null, 'webpack://shop/./src/cart/total.ts?4a1b', ['src/cart/total.ts']],
    [null, 'app:///../src/cart/total.ts', ['src/cart/total.ts']],
    [null, null, []],
  ]
  for (const [className, name, ends] of cases) {
    it(`of ${className ?? name} is ${ends[0] ?? 'unknown'}`, () => {
      assert.deepEqual(
        listPathEnds({ className, file: name }).map((names) => names.join('/')),
        ends,
      )
    })
  }
})
