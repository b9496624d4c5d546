/** A request that logs in, or signs up, and one that lists with the token of its response. */
interface ShellLogin {
  /** The address of the login. */
  readonly url: string
  /** The address that is listed. */
  readonly asked: string
  /** The fields of the login's body, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** That of them in which a person puts something else, of whatever characters. */
  readonly filledIn: string | undefined
  /** Whether the server has a certificate, which the machine may not know. */
  readonly hasCertificate: boolean
  readonly token: TokenInResponse
}

/** Where the response of a login has its token. */
export interface TokenInResponse {
  /** As which of the tokens that it has. */
  readonly number: number
  /** Its path in the JSON of the response; undefined where a cookie holds it. */
  readonly path?: ReadonlyArray<string | number>
}

/** What begins and ends a token, in a body and in a header: every token begins with the same letters. */
const TOKEN = `'eyJ[^";]*'`

/** The two lines to paste, by the shell that reads them. */
export const SHELLS = { sh: shLines, powershell: powershellLines }

function shLines({ url, asked, fields, filledIn, hasCertificate, token }: ShellLogin): string[] {
  const quoted = (word: string) => quotedWith(word, (text) => text.replaceAll("'", "'\\''"))
  const form = Object.entries(fields)
    .map(([name, value]) =>
      name === filledIn
        ? `--data-urlencode '${name}=${value}'`
        : `-d ${quoted(`${name}=${encodeURIComponent(value).replaceAll('%40', '@')}`)}`,
    )
    .join(' ')
  // Without this flag, curl refuses a certificate that the machine does not know.
  const curl = hasCertificate ? 'curl -k' : 'curl'
  const login = `${curl} ${token.path ? '-s' : '-is'} ${quoted(url)} ${form}`
  return [
    `TOKEN=$(${login} | grep -o ${TOKEN} | sed -n ${token.number}p)`,
    `${curl} ${quoted(asked)} -H "Authorization: Bearer $TOKEN"`,
  ]
}

/** In PowerShell 5, which is that of Windows, `curl` is another command, and loses the quotes of what it hands on. */
function powershellLines({ url, asked, fields, hasCertificate, token: { path } }: ShellLogin): string[] {
  // For PowerShell, each of these is a single quote.
  const escaped = (text: string) => text.replace(/['\u2018-\u201b]/g, '$&$&')
  const text = (word: string) => `'${escaped(word)}'`
  const key = (name: string) => (/^\w+$/.test(name) ? name : text(name))
  const form = Object.entries(fields)
    .map(([name, value]) => `${key(name)} = ${text(value)}`)
    .join('; ')
  const address = (word: string) => quotedWith(word, escaped)
  // Only PowerShell 7 can be told so.
  const end = hasCertificate ? ' -SkipCertificateCheck' : ''
  const login = `${address(url)} -Method Post -Body @{ ${form} }${end}`
  const token = path
    ? `(Invoke-RestMethod ${login})${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${key(part)}`)).join('')}`
    : `[regex]::Match("$((Invoke-WebRequest -UseBasicParsing ${login}).Headers['Set-Cookie'])", ${TOKEN}).Value`
  return [
    `$TOKEN = ${token}`,
    `Invoke-RestMethod ${address(asked)} -Headers @{ Authorization = "Bearer $TOKEN" }${end}`,
  ]
}

/** A word as the shells read it, quoted where it has to be. */
function quotedWith(word: string, escaped: (text: string) => string): string {
  return /^[\w.:/@%=-]+$/.test(word) ? word : `'${escaped(word)}'`
}

/** Git Bash, on Windows, sets at least one of these. */
export function usualShell(): keyof typeof SHELLS {
  const { platform, env } = process
  return platform === 'win32' && !env.SHELL && !env.MSYSTEM ? 'powershell' : 'sh'
}
