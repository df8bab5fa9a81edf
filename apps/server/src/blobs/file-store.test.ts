import { join } from 'node:path'
import { testBlobStore } from './blob-store.suite.ts'
import { openFileStore } from './file-store.ts'

testBlobStore('the file store', (folder) => openFileStore(join(folder, 'blobs')))
