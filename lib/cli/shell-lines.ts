/** A shell, by how it writes a command. */
export type Shell = 'sh' | 'powershell'

/** What logs in, reads with the token, and adds a record. */
interface Commands {
  /** Where the login is. */
  login: string
  email: string
  /** Undefined where it is not public: then a word stands in its place. */
  password: string | undefined
  /** The address that is read, and to which a record is added. */
  asked: string
  /** A field of that record; undefined where none can be added. */
  field: string | undefined
  /** Whether the machine does not know the server's certificate. */
  trust: boolean
}

/** Git Bash, on Windows, sets SHELL. */
export function usualShell(): Shell {
  return process.platform === 'win32' && process.env.SHELL === undefined ? 'powershell' : 'sh'
}

/** The lines to paste into a shell, one for each command. */
export function shellLines(commands: Commands, shell: Shell): string[] {
  return shell === 'sh' ? forSh(commands) : forPowerShell(commands)
}

/** For sh, bash and zsh. */
function forSh({ login, email, password, asked, field, trust }: Commands): string[] {
  // Without this flag, curl refuses a certificate that the machine does not know.
  const curl = trust ? 'curl -k' : 'curl'
  const secret =
    password === undefined ? `--data-urlencode password='PASSWORD'` : `-d ${forForm('password', password)}`
  const request = `${curl} ${quotedForSh(asked)} -H "Authorization: Bearer $TOKEN"`
  return [
    `TOKEN=$(${curl} -s ${quotedForSh(login)} -d ${forForm('email', email)} ${secret} | cut -sd'"' -f4)`,
    request,
    ...(field === undefined ? [] : [`${request} -d ${forForm(field, 'New')}`]),
  ]
}

/** A field of a form, as a word for sh. */
function forForm(name: string, value: string): string {
  // An @ in the name stays encoded: curl takes a word that begins with one for the name of a file.
  const encoded = encodeURIComponent(value).replaceAll('%40', '@')
  return quotedForSh(`${encodeURIComponent(name)}=${encoded}`)
}

/** A word, in quotes where it has a character that a shell may change: the address of a collection `q&a`. */
function quotedForSh(word: string): string {
  return /^[\w.:/@%=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** For PowerShell, whose version 5 is that of Windows: there, `curl` is another command. */
function forPowerShell({ login, email, password = 'PASSWORD', asked, field, trust }: Commands): string[] {
  // For PowerShell, each of these is a single quote, and a doubled one stands for itself.
  const quoted = (text: string) => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`
  const skip = trust ? ' -SkipCertificateCheck' : ''
  const request = `irm ${quoted(asked)} -Headers @{Authorization="Bearer $TOKEN"}${skip}`
  const body = `@{email=${quoted(email)}; password=${quoted(password)}}`
  return [
    `$TOKEN = (irm ${quoted(login)} -Method Post${skip} -Body ${body}).access_token`,
    request,
    ...(field === undefined ? [] : [`${request} -Method Post -Body @{${quoted(field)}='New'}`]),
  ]
}
