import path from 'node:path'

export interface BannerOptions {
  /** Where the server is, for instance `http://localhost:33000`. */
  url: string
  /** Path of the data file. */
  source: string
  /** The names of all resources in the data. */
  resources: readonly string[]
  /** The publicly readable one among them, if there is one. */
  publicCollection?: string
  /** Whether there is a user who can log in. */
  hasUsers: boolean
  /** Whether the page with the documentation is served. */
  docs?: boolean
  /** A login that may be printed: that of the shipped sample, which everybody knows. */
  sampleLogin?: { email: string; password: string }
  /** Whether a secret was given; otherwise tokens end with the process. */
  hasSecret: boolean
}

/** What a person needs next after the start: where it is, what is open, what is protected, how to log in. */
export function banner(options: BannerOptions): string {
  const { url, source, resources, publicCollection } = options
  const publicReads = publicCollection
    ? [`GET  ${url}/${publicCollection}`, `GET  ${url}/${publicCollection}/1`]
    : []
  return [
    '',
    `json-server-bearer serves ${source} at ${url}`,
    '',
    ...(options.docs ? docsHelp(options) : []),
    'Without a token',
    ...[`POST ${url}/auth/login`, ...publicReads, `GET  ${url}/api/users.php`].map(indent),
    '',
    'With a token (Authorization: Bearer <access_token>)',
    ...resources.map((name) => `${url}/${name}`).map(indent),
    '',
    ...loginHelp(options),
    '',
  ].join('\n')
}

/** Where the page is, and what to try there. */
function docsHelp({ url, sampleLogin }: BannerOptions): string[] {
  if (sampleLogin === undefined) return ['Read and try the API in a browser', indent(`${url}/docs`), '']
  return [
    'Read and try the API in a browser',
    indent(`${url}/docs`),
    '',
    'What to try there',
    ...[
      `1. POST /auth/login > Try it out, paste ${JSON.stringify(sampleLogin)}, Execute`,
      '2. GET /users: the page sends the token by itself now',
      '3. POST /blogs: it is answered by 201 and the new record',
      '4. GET /users after Authorize > Logout: it is answered by 401',
    ].map(indent),
    '',
  ]
}

function loginHelp({ url, source, hasUsers, hasSecret }: BannerOptions): string[] {
  if (!hasUsers) return ['Nobody can log in: the data has no users with an email and a password.']
  const file = path.resolve(source)
  if (!source.endsWith('.json') || file.includes("'")) {
    return [`Log in with the email and the password of a user: POST ${url}/auth/login`]
  }
  // The password is read from the file when the line is run, so that it is never printed.
  const firstUser = `node -p 'JSON.stringify(require(${JSON.stringify(file)}).users[0])'`
  return [
    'Log in as the first user (paste this line)',
    indent(`curl -s ${url}/auth/login -H 'Content-Type: application/json' -d "$(${firstUser})"`),
    ...(hasSecret ? [] : ['', 'JWT_SECRET is not set: tokens are valid until this server stops.']),
  ]
}

function indent(line: string): string {
  return `  ${line}`
}
