import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type BannerOptions, banner } from '../../../lib/cli/banner'
import { sampleData } from '../../support/helpers'
import { tempFolders } from '../../support/temp-folder'

const newFolder = tempFolders()

const OPTIONS: BannerOptions = {
  url: 'http://localhost:33000',
  source: 'db.json',
  resources: ['blogs', 'users', 'profile'],
  publicCollection: 'blogs',
  hasUsers: true,
  hasSecret: true,
}

/** The lines between a heading and the next empty line. */
function section(text: string, heading: string): string[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(heading)) + 1
  return lines.slice(start, lines.indexOf('', start)).map((line) => line.trim())
}

describe('banner', () => {
  it('says what is served where', () => {
    expect(banner(OPTIONS)).toContain('json-server-bearer serves db.json at http://localhost:33000\n')
  })

  it('says what is open and what needs a token', () => {
    expect(section(banner(OPTIONS), 'Without a token')).toEqual([
      'POST http://localhost:33000/auth/login',
      'GET  http://localhost:33000/blogs',
      'GET  http://localhost:33000/blogs/1',
      'GET  http://localhost:33000/api/users.php',
    ])
    expect(section(banner(OPTIONS), 'With a token')).toEqual([
      'http://localhost:33000/blogs',
      'http://localhost:33000/users',
      'http://localhost:33000/profile',
    ])
  })

  it('leaves out a public collection that there is not', () => {
    expect(section(banner({ ...OPTIONS, publicCollection: undefined }), 'Without a token')).toEqual([
      'POST http://localhost:33000/auth/login',
      'GET  http://localhost:33000/api/users.php',
    ])
  })

  it.each([
    ['JWT_SECRET is not set', { hasSecret: false }, { hasSecret: true }],
    ['Nobody can log in', { hasUsers: false }, { hasUsers: true }],
    ['curl -s http://localhost:33000/auth/login', { hasUsers: true }, { hasUsers: false }],
  ])('says "%s" when it applies, and only then', (sentence, applies, doesNot) => {
    expect(banner({ ...OPTIONS, ...applies })).toContain(sentence)
    expect(banner({ ...OPTIONS, ...doesNot })).not.toContain(sentence)
  })

  it.each(['db.json', 'my data.json', 'dollar$HOME.json'])(
    'prints a line that logs in as the first user of %s',
    async (name) => {
      const folder = path.join(await newFolder(), 'a folder')
      await mkdir(folder)
      const source = path.join(folder, name)
      await writeFile(source, JSON.stringify(sampleData()))
      const text = banner({ ...OPTIONS, source })
      expect(text).not.toContain('lovelace')
      const [, body] = /-d "(\$\(.+\))"/.exec(text) ?? []
      const { stdout } = await promisify(execFile)('sh', ['-c', `printf %s "${body}"`])
      expect(JSON.parse(stdout)).toMatchObject({ email: 'ada@example.com', password: 'lovelace' })
    },
  )
})
