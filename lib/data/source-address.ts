/** Whether a source is a web address, which is read once. */
export function isRemoteSource(source: string): boolean {
  return /^https?:/i.test(source)
}

/** Whether a source is the address of a PostgreSQL database. */
export function isPostgresql(source: string): boolean {
  return /^postgres(ql)?:\/\//i.test(source)
}

/** A source as it may be printed: an address without its query and its user, which may hold secrets. */
export function printable(source: string): string {
  if (isPostgresql(source)) return printablePostgresql(source)
  if (!isRemoteSource(source) || !URL.canParse(source)) return source.replace(/\/\/.*@/s, '//')
  const { protocol, host, pathname } = new URL(source)
  return `${protocol}//${host}${pathname}`
}

/** Unlike a web address, it needs no host. */
function printablePostgresql(source: string): string {
  const address = source.replace('@/', '@localhost/')
  if (!URL.canParse(address)) return 'postgresql://'
  const { username, host, pathname } = new URL(address)
  // A password with a slash or a question mark, which should be encoded, looks like another part.
  if ((username === '' && source.includes('@')) || pathname.includes('@')) return 'postgresql://'
  return `postgresql://${host || 'localhost'}${pathname}`
}
