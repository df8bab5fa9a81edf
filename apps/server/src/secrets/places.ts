/** Every column that holds a secret which the server has to read again. Their tables have a column `id`. */
const secretColumns = {
  hooks: ['url', 'secret', 'old_secret', 'feishu_secret'],
  accounts: ['totp_secret'],
  app_store_keys: ['private_key'],
} as const

type SecretTable = keyof typeof secretColumns

/** Where a secret is stored: `table.column`. */
export type SecretPlace = { [Table in SecretTable]: `${Table}.${(typeof secretColumns)[Table][number]}` }[SecretTable]

export interface PlacedColumn {
  place: SecretPlace
  table: string
  column: string
}

/** Lists all places, or those of a table. */
export function listSecretPlaces(of?: string): PlacedColumn[] {
  return Object.entries(secretColumns)
    .filter(([table]) => of === undefined || table === of)
    .flatMap(([table, columns]) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both come from the table above
      columns.map((column) => ({ table, column, place: `${table}.${column}` as SecretPlace })),
    )
}
