import type { Application } from '@fairlead/contract'
import { Button, FileButton } from '@mantine/core'
import { Upload } from 'lucide-react'
import { fileExtensions } from '../ui/platform-names.ts'
import { startUploads } from '../uploads/upload-store.ts'

export function UploadButton({ application }: { application: Application }) {
  const extension = fileExtensions[application.platform]
  return (
    <FileButton
      multiple
      accept={extension}
      onChange={(files) => startUploads(application, files)}
      inputProps={{ 'aria-label': `Choose an ${extension} to upload` }}
    >
      {(props) => (
        <Button {...props} leftSection={<Upload size={16} />}>
          Upload a build
        </Button>
      )}
    </FileButton>
  )
}
