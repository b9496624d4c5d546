import { LOGIN_PATH } from '../auth/access-policy'
import { sampleLogin, whoCanLogIn } from '../auth/credentials'
import { isTaken, type Service } from '../auth/service'
import { type Data, resourceNames } from '../data/valid-data'
import { isRecord } from '../is-record'
import { hasAddress } from '../json-server/has-address'
import type { Settings } from './flags/command-line'

/** How somebody can log in. */
export interface LoginHelp {
  /** Who logs in, and what to do before. */
  heading: string
  /** Lines to paste: they keep a token, read with it, and add a record. */
  lines: string[]
}

/** A shell, by how it writes a command. */
export type Shell = 'sh' | 'powershell'

/** The columns of a terminal, without the margin of the start's lists. */
const WIDTH = 75

/**
 * Commands that log in and use the token, without a password that is not public; undefined when nobody can
 * log in, which is a warning.
 *
 * @param url where the server is
 * @param options `services`, of which one may have the path of a resource; `shell`, by default the usual one
 */
export function loginHelp(
  settings: Settings,
  data: Data,
  url: string,
  { services, shell = usualShell() }: { services: readonly Service[]; shell?: Shell },
): LoginHelp | undefined {
  const { cert, logins, readOnly } = settings
  const sample = sampleLogin(data.users)
  const [someone = sample ?? whoCanLogIn(data.users)[0]] = logins
  if (someone === undefined) return undefined
  const password = someone === sample ? sample.password : undefined
  const { name, isCollection } = whatToAskFor(data)
  // Behind the token check, a public list is at another path.
  const asked = `${url}/${name}${isTaken(services, { path: `/${name}` }) ? '/' : ''}`
  const field = isCollection && !readOnly ? fieldOf(data[name]) : undefined
  const write = shell === 'sh' ? forSh : forPowerShell
  const commands = write({
    login: url + LOGIN_PATH,
    email: someone.email,
    password,
    asked,
    field,
    trust: !!cert,
  })
  const end = shell === 'sh' ? ' \\' : ' `'
  const before = password === undefined ? ', with the password in place of PASSWORD' : ''
  return {
    heading: `Log in as ${someone.email}${before}`,
    lines: commands.flatMap((words) => folded(words, end)),
  }
}

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

/** For sh, bash and zsh: each command as the words that stay together. */
function forSh({ login, email, password, asked, field, trust }: Commands): string[][] {
  // Without this flag, curl refuses a certificate that the machine does not know.
  const curl = trust ? 'curl -k' : 'curl'
  const secret =
    password === undefined ? `--data-urlencode password='PASSWORD'` : `-d password=${encode(password)}`
  const request = [curl, asked, '-H "Authorization: Bearer $TOKEN"']
  return [
    [`TOKEN=$(${curl} -s`, login, `-d email=${encode(email)}`, secret, `| cut -sd'"' -f4)`],
    request,
    ...(field === undefined ? [] : [[...request, `-d ${field}=New`]]),
  ]
}

/** For PowerShell, whose version 5 is that of Windows: there, `curl` is another command. */
function forPowerShell({ login, email, password = 'PASSWORD', asked, field, trust }: Commands): string[][] {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  const skip = trust ? ['-SkipCertificateCheck'] : []
  const request = ['irm', asked, '-Headers @{Authorization="Bearer $TOKEN"}', ...skip]
  return [
    [
      '$TOKEN = (irm',
      login,
      '-Method Post',
      ...skip,
      `-Body @{email=${quoted(email)}; password=${quoted(password)}}).access_token`,
    ],
    request,
    ...(field === undefined ? [] : [[...request, '-Method Post', `-Body @{${field}='New'}`]]),
  ]
}

/** Git Bash, on Windows, sets SHELL. */
function usualShell(): Shell {
  return process.platform === 'win32' && process.env.SHELL === undefined ? 'powershell' : 'sh'
}

/** A resource to read: a collection of one's own rather than the users, and all data where there is none. */
function whatToAskFor(data: Data): { name: string; isCollection: boolean } {
  const names = resourceNames(data).filter(hasAddress)
  const collections = names.filter((name) => Array.isArray(data[name]))
  const [name = collections[0] ?? names[0]] = collections.filter((collection) => collection !== 'users')
  return name === undefined
    ? { name: 'db', isCollection: false }
    : { name, isCollection: Array.isArray(data[name]) }
}

/** A field to fill in, as the first record of a collection has it: a name or a title, or another text. */
function fieldOf(collection: unknown): string {
  const first: unknown = Array.isArray(collection) ? collection[0] : undefined
  const fields = Object.entries(isRecord(first) ? first : {})
    .filter(([name, value]) => typeof value === 'string' && /^[a-z]\w*$/i.test(name))
    .map(([name]) => name)
  return fields.find((name) => /^(title|name|text)$/.test(name)) ?? fields.find(isNoId) ?? 'title'
}

function isNoId(name: string): boolean {
  return !/id$/i.test(name)
}

/** Words in lines that fit into a terminal, each but the last with what continues a line. */
function folded(words: readonly string[], end: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const [index, word] of words.entries()) {
    const room = index === words.length - 1 ? WIDTH : WIDTH - end.length
    if (line !== '' && `${line} ${word}`.length > room) {
      lines.push(line + end)
      line = ' '
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/** A value of a form, of characters that no shell changes outside of quotes. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@')
}
