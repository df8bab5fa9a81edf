import { Text } from '@mantine/core'
import classes from './missing-images.module.css'

interface MissingImagesProps {
  images: { name: string; uuid: string | null; architecture: string | null }[]
}

/** Lists images whose symbols are not uploaded. */
export function MissingImages({ images }: MissingImagesProps) {
  return (
    <div>
      <Text size="sm" fw={580} mb={4}>
        Missing
      </Text>
      <ul className={classes['missing']} aria-label="Images without symbols">
        {images.map(({ name, uuid, architecture }) => (
          <li key={`${name} ${uuid} ${architecture}`}>
            <span className="break">{name}</span>
            <code>
              {architecture} {uuid}
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}
